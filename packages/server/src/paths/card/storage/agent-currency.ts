import type { Queryable } from '../../../storage/engine/database.ts'

/** In which currency an agent spends: that of its active mandate, else of the one that it had last. */
export async function findCurrencyOf(
  db: Queryable,
  organizationId: string,
  agentId: string,
): Promise<string | undefined> {
  const [row] = await db.query<{ currency: string }>({
    name: 'find-currency-of-agent',
    text: `
      select v.currency from mandates m
      join mandate_versions v on v.organization_id = $1 and v.mandate_id = m.id and v.version = m.version
      where m.organization_id = $1 and m.agent_id = $2 and m.activated_at is not null
      order by (m.status = 'active') desc, m.activated_at desc limit 1`,
    values: [organizationId, agentId],
  })
  return row?.currency
}
