import { type Instant, toIso } from '../../core/time/instant.ts'
import type { Queryable, Tx } from '../engine/database.ts'
import { SESSIONS_CHANGED_CHANNEL, type Session, type SessionOwner } from './sessions.ts'

/** The new public id and hash of a session. */
export interface FreshSecret {
  readonly publicId: string
  readonly hash: Buffer
}

/**
 * Gives the session a new secret after the member has entered the password again. The old secret
 * stops working in every process. Returns false if the session has ended, or got a new secret,
 * meanwhile.
 */
export async function renewSession(
  tx: Tx,
  { organizationId, id, publicId: old }: Pick<Session, 'organizationId' | 'id' | 'publicId'>,
  { publicId, hash }: FreshSecret,
  now: Instant,
): Promise<boolean> {
  const rows = await tx.query({
    text: `
      with renewed as (
        update sessions set public_id = $4, secret_hash = $5, reauthenticated_at = $6
        where organization_id = $1 and id = $2 and public_id = $3
        returning id
      )
      select pg_notify($7, $3) from renewed`,
    values: [organizationId, id, old, publicId, hash, toIso(now), SESSIONS_CHANGED_CHANNEL],
  })
  return rows.length > 0
}

/** Whether the session still exists with this public id. It cannot end before the transaction does. */
export async function holdSession(
  tx: Tx,
  { organizationId, id, publicId }: Pick<Session, 'organizationId' | 'id' | 'publicId'>,
): Promise<boolean> {
  const rows = await tx.query({
    text: `select 1 from sessions where organization_id = $1 and id = $2 and public_id = $3
           for key share`,
    values: [organizationId, id, publicId],
  })
  return rows.length > 0
}

/** Ends the session that this secret belongs to. */
export async function endSessionOf(db: Queryable, { publicId, hash }: FreshSecret): Promise<void> {
  await db.query({
    text: `
      with ended as (
        delete from sessions where public_id = $1 and secret_hash = $2 returning public_id
      )
      select pg_notify($3, public_id) from ended`,
    values: [publicId, hash, SESSIONS_CHANGED_CHANNEL],
  })
}

/** Ends one session of the member. Returns false if there is none with this id. */
export async function endSession(
  db: Queryable,
  { organizationId, memberId }: SessionOwner,
  id: string,
): Promise<boolean> {
  const rows = await db.query({
    text: `
      with ended as (
        delete from sessions where organization_id = $1 and member_id = $2 and id = $3
        returning public_id
      )
      select pg_notify($4, public_id) from ended`,
    values: [organizationId, memberId, id, SESSIONS_CHANGED_CHANNEL],
  })
  return rows.length > 0
}

/**
 * Ends the member's sessions except the `kept` newest, and never the session `except`. Returns how
 * many it ended.
 */
export async function endSessions(
  db: Queryable,
  { organizationId, memberId }: SessionOwner,
  { kept, except }: { readonly kept: number; readonly except: string | undefined },
): Promise<number> {
  const rows = await db.query({
    text: `
      with ended as (
        delete from sessions where organization_id = $1 and id = any(array(
          select id from sessions
          where organization_id = $1 and member_id = $2 and id is distinct from $3::uuid
          order by id desc offset $4))
        returning public_id
      )
      select pg_notify($5, public_id) from ended`,
    values: [organizationId, memberId, except ?? null, kept, SESSIONS_CHANGED_CHANNEL],
  })
  return rows.length
}

/** Makes every process reload the member when the transaction commits. */
export function announceMember(tx: Tx, { organizationId, memberId }: SessionOwner): void {
  tx.send({
    text: `select pg_notify($3, public_id) from sessions
           where organization_id = $1 and member_id = $2`,
    values: [organizationId, memberId, SESSIONS_CHANGED_CHANNEL],
  })
}

/** Removes expired sessions, a bounded number per call. */
export async function removeEndedSessions(db: Queryable, now: Instant): Promise<number> {
  const rows = await db.query({
    text: `
      delete from sessions where (organization_id, id) in (
        select organization_id, id from sessions
        where ends_at < $1 or idle_ends_at < $1 limit 1000)
        -- Checked again: a session used while this statement waited for its row must stay.
        and (ends_at < $1 or idle_ends_at < $1)
      returning 1`,
    values: [toIso(now)],
  })
  return rows.length
}
