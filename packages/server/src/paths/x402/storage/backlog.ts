import { type Backlog, type BacklogRow, COUNTED_MAX, toBacklog } from '../../../storage/backlogs.ts'
import type { Queryable } from '../../../storage/engine/database.ts'

/** Open payments, and the earliest check that the reconciler has to make. */
export async function readPaymentBacklog(db: Queryable): Promise<Backlog> {
  const [row] = await db.query<BacklogRow>({
    name: 'read-x402-backlog',
    text: `
      select count(*) as count, min(check_at) as since
      from (select check_at from x402_payments where state = 'held' order by check_at limit $1) p`,
    values: [COUNTED_MAX],
  })
  return toBacklog(row)
}
