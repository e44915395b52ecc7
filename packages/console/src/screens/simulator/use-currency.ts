import { useQuery } from '@tanstack/react-query'
import { queries } from '../../data/queries.ts'

/** The currency of the spend: that of the stored decision or of the agent's mandate. */
export function useCurrency(agentId: string, txn: string | undefined): string {
  const { data: agents } = useQuery(queries.agents({ include: 'mandate' }))
  const { data: organization } = useQuery(queries.organization())
  const { data: stored } = useQuery({ ...queries.transaction(txn ?? ''), enabled: Boolean(txn) })
  const agent = agents?.data.find(({ id }) => id === agentId)
  const ofStored = txn ? stored?.currency : undefined
  return ofStored ?? agent?.mandate?.currency ?? organization?.currency ?? 'USD'
}
