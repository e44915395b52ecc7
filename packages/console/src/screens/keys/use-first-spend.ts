import type { CreatedApiKey, Transaction } from '@purser/sdk'
import { useQuery } from '@tanstack/react-query'
import { purser } from '../../data/client.ts'
import { queries } from '../../data/queries.ts'

/**
 * The first spend that a key sent; undefined until there is one. An event does not name the key, so
 * each decision makes the page read the transactions since the key was created. Live updates do that
 * at most every two seconds, however many decisions arrive.
 */
export function useFirstSpend(made: CreatedApiKey): Transaction | undefined {
  const { id, agentIds, createdAt } = made
  const { data: first } = useQuery({
    queryKey: ['transactions', 'ofKey', id],
    queryFn: async ({ signal }) => {
      const agents = agentIds === null ? {} : { agentId: agentIds.slice(0, 20).join(',') }
      const { data } = await purser.transactions
        .list({ ...agents, from: createdAt, view: 'summary', limit: 200 }, { signal })
        .page()
      return data.findLast(({ requestedBy }) => requestedBy?.id === id)?.transactionId ?? null
    },
    enabled: ({ state }) => !state.data,
  })
  return useQuery({ ...queries.transaction(first ?? ''), enabled: typeof first === 'string' }).data
}
