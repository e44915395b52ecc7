import { type Backlog, COUNTED_MAX } from '../../../storage/backlogs.ts'
import type { Queryable } from '../../../storage/engine/database.ts'

/** Open payments, and the earliest check that the reconciler has to make. */
export async function readPaymentBacklog(db: Queryable): Promise<Backlog> {
  const [row] = await db.query<{ count: bigint; since: number | null }>({
    name: 'read-x402-backlog',
    text: `
      select count(*) as count, min(check_at) as since
      from (select check_at from x402_payments where state = 'held' order by check_at limit $1) p`,
    values: [COUNTED_MAX],
  })
  return { count: Number(row?.count ?? 0), since: row?.since ?? null }
}
