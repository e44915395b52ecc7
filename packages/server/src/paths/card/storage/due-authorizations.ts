import { type Instant, toIso } from '../../../core/time/instant.ts'
import { type Backlog, type BacklogRow, COUNTED_MAX, toBacklog } from '../../../storage/backlogs.ts'
import type { Queryable, Statement } from '../../../storage/engine/database.ts'

/** An authorization that a worker has to check. */
export interface DueAuthorization {
  readonly organizationId: string
  readonly id: string
}

/** Lists due authorizations without a lock, of all organizations except those in `leftOut`. */
export function listDueAuthorizations(
  db: Queryable,
  now: Instant,
  limit: number,
  leftOut: readonly string[],
): Promise<DueAuthorization[]> {
  return db.query<DueAuthorization>({
    name: 'list-due-card-authorizations',
    text: `
      select organization_id as "organizationId", id from card_authorizations
      where look_at <= $1 and organization_id <> all($3::uuid[]) /*among organization_id*/
      order by look_at limit $2`,
    values: [toIso(now), limit, leftOut],
  })
}

/**
 * Claims those of the organization's authorizations that are still due, by moving their next check. So
 * two processes never work on one at the same time, and a process that dies only delays them.
 */
export async function claimAuthorizations(
  db: Queryable,
  organizationId: string,
  ids: readonly string[],
  { now, until }: { readonly now: Instant; readonly until: Instant },
): Promise<string[]> {
  const rows = await db.query<{ id: string }>({
    name: 'claim-card-authorizations',
    text: `
      update card_authorizations set look_at = $3
      where organization_id = $1 and id = any(array(
        select due.id from card_authorizations due
        where due.organization_id = $1 and due.id = any($4::uuid[]) and due.look_at <= $2
        for update skip locked))
      returning id`,
    values: [organizationId, toIso(now), toIso(until), ids],
  })
  return rows.map(({ id }) => id)
}

/** The caller holds the authorization's lock. */
export function postpone(organizationId: string, id: string, until: Instant): Statement {
  return {
    name: 'postpone-card-authorization',
    text: 'update card_authorizations set look_at = $3 where organization_id = $1 and id = $2',
    values: [organizationId, id, toIso(until)],
  }
}

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
