import type { Member } from '../../core/people/member.ts'
import { type Instant, toIso } from '../../core/time/instant.ts'
import type { Queryable, Tx } from '../engine/database.ts'

/** More organizations than somebody works for. Further ones have to be named. */
const ORGANIZATIONS_MAX = 20

/** What is known of an address that somebody wants to sign in with. */
export interface SignInName {
  /** Of all passwords of the address. Undefined if nobody has ever had it. */
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

/** The salt of the address, which is `fresh` if it had none. It never changes. */
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

/** The active member, and what the password must hash to. */
export interface KnownPassword {
  readonly member: Pick<Member, 'id' | 'email'>
  readonly secret: string
}

/**
 * Of each membership, in their order. It is one statement, however many there are, and nobody's share of the
 * connections: whoever tries an address must not learn from the time of the answer whose it is.
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

/** The member's password from then on. */
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
 * Notes that the password was given, if it is still this one. False if it was changed meanwhile, which
 * has ended all sessions and must not be followed by another one of the old password.
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
