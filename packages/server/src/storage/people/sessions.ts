import type { Member } from '../../core/people/member.ts'
import { type Instant, toIso } from '../../core/time/instant.ts'
import { NO_ORGANIZATION } from '../api-keys.ts'
import type { Queryable, Tx } from '../engine/database.ts'
import { type Use, useColumns } from '../last-use.ts'
import type { RequestTerms } from '../organizations.ts'

/** The channel that tells every process about ended or changed sessions. */
export const SESSIONS_CHANGED_CHANNEL = 'purser_sessions'
/** An unused session ends after this time. */
export const IDLE_MS = 12 * 3_600_000

export interface Session {
  readonly id: string
  readonly organizationId: string
  readonly publicId: string
  readonly memberId: string
  readonly createdAt: Instant
  /** Accurate to the minute. */
  readonly lastSeenAt: Instant
  readonly idleEndsAt: Instant
  readonly endsAt: Instant
  readonly reauthenticatedAt: Instant
  readonly userAgent: string
  readonly address: string
}

/** A stored session with everything that authentication compares a request with. */
export interface StoredSession {
  readonly session: Session
  readonly hash: Buffer
  readonly member: Pick<Member, 'email' | 'name' | 'role'>
  readonly terms: RequestTerms
}

const COLUMNS = `
  id, organization_id as "organizationId", public_id as "publicId", member_id as "memberId",
  created_at as "createdAt", last_seen_at as "lastSeenAt", idle_ends_at as "idleEndsAt",
  ends_at as "endsAt", reauthenticated_at as "reauthenticatedAt", user_agent as "userAgent", address`

export function insertSession(tx: Tx, session: Session, hash: Buffer): void {
  tx.send({
    text: `
      insert into sessions (organization_id, id, public_id, secret_hash, member_id, created_at,
                            last_seen_at, idle_ends_at, ends_at, reauthenticated_at, user_agent, address)
      values ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12)`,
    values: [
      session.organizationId,
      session.id,
      session.publicId,
      hash,
      session.memberId,
      toIso(session.createdAt),
      toIso(session.lastSeenAt),
      toIso(session.idleEndsAt),
      toIso(session.endsAt),
      toIso(session.reauthenticatedAt),
      session.userAgent,
      session.address,
    ],
  })
}

/** The owner of a session at its last lookup; neither id ever changes. */
export type SessionOwner = Pick<Session, 'organizationId' | 'memberId'>

/**
 * Finds the session, and its member's current state. These are two queries, because sessions are
 * stored in a different place than members. A caller that knows the owner passes it, and both
 * queries run at once.
 */
export async function findLiveSession(
  db: Queryable,
  publicId: string,
  known: SessionOwner | undefined,
): Promise<StoredSession | undefined> {
  const [found, knownMember] = await Promise.all([
    findSessionWithHash(db, publicId),
    known && findSignedIn(db, known),
  ])
  // A miss does the same work as a hit, so the response time does not reveal whether a session
  // exists.
  const owner = found ?? NO_OWNER
  const member = known ? knownMember : await findSignedIn(db, owner)
  if (!found || !member) return undefined
  const { hash, ...session } = found
  const { plan, timezone, ...person } = member
  return { session, hash, member: person, terms: { plan, timezone } }
}

/** Stands in for the owner of a session that the last lookup did not find. */
export const NO_OWNER: SessionOwner = { organizationId: NO_ORGANIZATION, memberId: NO_ORGANIZATION }

async function findSessionWithHash(
  db: Queryable,
  publicId: string,
): Promise<(Session & { readonly hash: Buffer }) | undefined> {
  const [row] = await db.query<Session & { readonly hash: Buffer }>({
    name: 'find-live-session',
    text: `select ${COLUMNS}, secret_hash as "hash" from sessions where public_id = $1`,
    values: [publicId],
    isUnshared: true,
  })
  return row
}

async function findSignedIn(
  db: Queryable,
  { organizationId, memberId }: SessionOwner,
): Promise<(StoredSession['member'] & RequestTerms) | undefined> {
  const [row] = await db.query<StoredSession['member'] & RequestTerms>({
    name: 'find-signed-in',
    text: `select m.email, m.name, m.role, o.plan, o.timezone from members m
           join organizations o on o.id = m.organization_id
           where m.organization_id = $1 and m.id = $2 and m.status = 'active'`,
    values: [organizationId, memberId],
    isUnshared: true,
  })
  return row
}

/** Unexpired sessions, newest first. */
export function listSessions(
  db: Queryable,
  { organizationId, memberId }: SessionOwner,
  now: Instant,
): Promise<Session[]> {
  return db.query<Session>({
    text: `select ${COLUMNS} from sessions
           where organization_id = $1 and member_id = $2 and ends_at > $3 and idle_ends_at > $3
           order by id desc`,
    values: [organizationId, memberId, toIso(now)],
  })
}

/** One write a minute is enough for all processes: a recent write of a different process stays. */
export async function recordSessionUses(
  db: Queryable,
  organizationId: string,
  uses: readonly Use[],
): Promise<void> {
  await db.query({
    name: 'record-session-uses',
    text: `
      update sessions s set last_seen_at = u.at, idle_ends_at = u.idle_end
      from unnest($2::uuid[], $3::timestamptz[], $4::timestamptz[], $5::timestamptz[])
        as u (id, at, before, idle_end)
      where s.organization_id = $1 and s.id = u.id and s.last_seen_at <= u.before
        and s.id = any(array(
          select id from sessions where organization_id = $1 and id = any($2::uuid[])
          order by id for no key update))`,
    values: [organizationId, ...useColumns(uses), uses.map(({ at }) => toIso(at + IDLE_MS))],
  })
}
