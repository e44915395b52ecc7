import { type Backlog, type BacklogRow, COUNTED_MAX, toBacklog } from '../../../storage/backlogs.ts'
import type { Queryable } from '../../../storage/engine/database.ts'

/** Open checkouts, and the earliest check that the reconciler has to make. */
export async function readCheckoutBacklog(db: Queryable): Promise<Backlog> {
  const [row] = await db.query<BacklogRow>({
    name: 'read-acp-backlog',
    text: `
      select count(*) as count, min(next_check_at) as since
      from (select next_check_at from acp_checkouts where next_check_at is not null
            order by next_check_at limit $1) c`,
    values: [COUNTED_MAX],
  })
  return toBacklog(row)
}
