import type { Mandate } from '@purser/sdk'
import { useQuery } from '@tanstack/react-query'
import { purser } from '../../data/client.ts'
import { useMay } from '../../data/session.ts'
import { LEAST_AMOUNT, limitUse } from '../../words/limit-use.ts'

const NONE: ReadonlyMap<string, string> = new Map()

/**
 * How much of each limit of an active mandate is used, in words by the id of the rule. A simulation
 * tells it, because no other answer of the API does. Empty while it is not known.
 */
export function useLimitUse(mandate: Mandate | undefined): ReadonlyMap<string, string> {
  const may = useMay('gateway:read')
  const isOn = mandate?.status === 'active' && mandate.rules.some(({ type }) => type === 'limit')
  const { data } = useQuery({
    // Each spend changes the figures. A key of mandates is loaded again after each spend.
    queryKey: ['mandates', 'limitUse', mandate?.id, mandate?.version],
    queryFn: ({ signal }) =>
      purser.gateway.simulate(
        {
          ...{ mandateId: mandate?.id ?? '', amount: LEAST_AMOUNT },
          ...{ vendor: 'example.com', category: 'other' },
        },
        { signal },
      ),
    enabled: isOn && may.isAllowed,
  })
  if (!mandate || !data) return NONE
  return limitUse(mandate.rules, data.evaluationDetails.rules, mandate.currency)
}
