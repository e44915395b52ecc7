import type { Queryable } from '../engine/database.ts'

/** How many evaluations were counted in the month, which is named by its first day. */
export async function readPlanUsage(
  db: Queryable,
  organizationId: string,
  month: string,
): Promise<number> {
  const [row] = await db.query<{ evaluations: bigint }>({
    text: 'select evaluations from plan_usage where organization_id = $1 and month = $2',
    values: [organizationId, month],
  })
  return Number(row?.evaluations ?? 0n)
}
