import { type Backlog, type BacklogRow, COUNTED_MAX, toBacklog } from '../../../storage/backlogs.ts'
import type { Queryable } from '../../../storage/engine/database.ts'

/** Authorizations that the worker has to look at, and the earliest of these looks. */
export async function readAuthorizationBacklog(db: Queryable): Promise<Backlog> {
  const [row] = await db.query<BacklogRow>({
    name: 'read-card-backlog',
    text: `
      select count(*) as count, min(look_at) as since
      from (select look_at from card_authorizations where look_at is not null
            order by look_at limit $1) a`,
    values: [COUNTED_MAX],
  })
  return toBacklog(row)
}
