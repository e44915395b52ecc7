import type { Member } from '../../core/people/member.ts'
import { type Instant, toIso } from '../../core/time/instant.ts'
import type { Queryable, Tx } from '../engine/database.ts'

/**
 * More organizations than one person works for. For further ones the request must name the
 * organization.
 */
const ORGANIZATIONS_MAX = 20

/** The salt and the memberships of an email address that signs in. */
export interface SignInName {
  /** The salt of all passwords of the address. Undefined if the address was never used. */
  readonly salt: Buffer | undefined
  readonly memberships: readonly Membership[]
}

export interface Membership {
  readonly organizationId: string
  readonly memberId: string
}

export async function findSignInName(
  db: Queryable,
  email: string,
  organizationId: string | undefined,
): Promise<SignInName> {
  const rows = await db.query<{ salt: Buffer } & Partial<Membership>>({
    text: `
      select n.salt, m.organization_id as "organizationId", m.member_id as "memberId"
      from sign_in_names n
      left join sign_in_members m
        on m.email = n.email and m.organization_id = coalesce($2::uuid, m.organization_id)
      where n.email = $1
      order by m.organization_id limit ${ORGANIZATIONS_MAX}`,
    values: [email, organizationId ?? null],
  })
  const memberships = rows.flatMap(({ organizationId: own, memberId }) =>
    own && memberId ? [{ organizationId: own, memberId }] : [],
  )
  return { salt: rows[0]?.salt, memberships }
}

/** Whether any organization has a member. */
export async function hasMembers(db: Queryable): Promise<boolean> {
  const rows = await db.query({ text: 'select 1 from sign_in_members limit 1' })
  return rows.length > 0
}

/** Returns the salt of the address, and stores `fresh` if it had none. The salt never changes. */
export async function keepSalt(db: Queryable, email: string, fresh: Buffer): Promise<Buffer> {
  await db.query({
    text: 'insert into sign_in_names (email, salt) values ($1, $2) on conflict (email) do nothing',
    values: [email, fresh],
  })
  const [row] = await db.query<{ salt: Buffer }>({
    text: 'select salt from sign_in_names where email = $1',
    values: [email],
  })
  return row?.salt ?? fresh
}

/** The active member, and the expected hash of the password. */
export interface KnownPassword {
  readonly member: Pick<Member, 'id' | 'email'>
  readonly secret: string
}

/**
 * The password of each membership, in the same order. It is one statement, however many memberships
 * there are, and it counts against no organization's share of the connections: the response time
 * must not reveal whose address it is.
 */
export async function findPasswords(
  db: Queryable,
  memberships: readonly Membership[],
): Promise<readonly (KnownPassword | undefined)[]> {
  const rows = await db.query<Membership & { email: string; secret: string }>({
    text: `
      select m.organization_id as "organizationId", m.id as "memberId", m.email, a.secret
      from members m
      join authenticators a
        on a.organization_id = m.organization_id and a.member_id = m.id and a.kind = 'password'
      where m.organization_id = any($1::uuid[]) and m.id = any($2::uuid[]) and m.status = 'active'`,
    values: [
      memberships.map(({ organizationId }) => organizationId),
      memberships.map(({ memberId }) => memberId),
    ],
  })
  return memberships.map(({ organizationId, memberId: id }) => {
    const row = rows.find((one) => one.memberId === id && one.organizationId === organizationId)
    return row && { member: { id, email: row.email }, secret: row.secret }
  })
}

/** Sets the member's password. */
export function storePassword(
  tx: Tx,
  { organizationId, memberId }: Membership,
  { id, secret }: { readonly id: string; readonly secret: string },
  now: Instant,
): Promise<unknown> {
  return tx.query({
    text: `
      insert into authenticators (organization_id, id, member_id, kind, secret, created_at)
      values ($1, $2, $3, 'password', $4, $5)
      on conflict (organization_id, member_id) where kind = 'password'
      do update set secret = excluded.secret, created_at = excluded.created_at, last_used_at = null`,
    values: [organizationId, id, memberId, secret, toIso(now)],
  })
}

/**
 * Stores that the password was used, if it is still the current one. Returns false if it was
 * changed meanwhile: the change has ended all sessions, and the old password must not open a new
 * one.
 */
export async function notePasswordUse(
  tx: Tx,
  { organizationId, memberId }: Membership,
  secret: string,
  now: Instant,
): Promise<boolean> {
  const rows = await tx.query({
    text: `update authenticators set last_used_at = $4
           where organization_id = $1 and member_id = $2 and kind = 'password' and secret = $3
           returning 1`,
    values: [organizationId, memberId, secret, toIso(now)],
  })
  return rows.length > 0
}
