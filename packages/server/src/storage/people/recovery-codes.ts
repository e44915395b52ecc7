import { type Instant, toIso } from '../../core/time/instant.ts'
import type { Queryable, Tx } from '../engine/database.ts'
import type { Membership } from './sign-in-names.ts'

/** The unused codes of a member. */
export interface CodesLeft {
  readonly left: number
  /** Null if the member has no codes, used or unused. */
  readonly createdAt: Instant | null
}

export async function countRecoveryCodes(
  db: Queryable,
  { organizationId, memberId }: Membership,
): Promise<CodesLeft> {
  const rows = await db.query<{ createdAt: Instant; usedAt: Instant | null }>({
    text: `select created_at as "createdAt", used_at as "usedAt" from recovery_codes
           where organization_id = $1 and member_id = $2`,
    values: [organizationId, memberId],
  })
  const left = rows.filter(({ usedAt }) => usedAt === null).length
  return { left, createdAt: rows[0]?.createdAt ?? null }
}

/** Replaces all codes of the member. */
export function replaceRecoveryCodes(
  tx: Tx,
  { organizationId, memberId }: Membership,
  hashes: readonly Buffer[],
  now: Instant,
): void {
  tx.send({
    text: 'delete from recovery_codes where organization_id = $1 and member_id = $2',
    values: [organizationId, memberId],
  })
  tx.send({
    text: `insert into recovery_codes (organization_id, member_id, code_hash, created_at)
           select $1, $2, decode(given.hex, 'hex'), $4 from unnest($3::text[]) as given (hex)`,
    values: [organizationId, memberId, hashes.map((hash) => hash.toString('hex')), toIso(now)],
  })
}

/**
 * Which of these memberships of one e-mail address have this unused code. Like the lookup of
 * passwords, it is one statement, however many memberships there are.
 */
export function findCodeOwners(
  db: Queryable,
  memberships: readonly Membership[],
  hash: Buffer,
): Promise<Membership[]> {
  return db.query<Membership>({
    text: `
      select m.organization_id as "organizationId", m.id as "memberId"
      from members m
      join recovery_codes c
        on c.organization_id = m.organization_id and c.member_id = m.id and c.code_hash = $3
      where m.organization_id = any($1::uuid[]) and m.id = any($2::uuid[]) and m.status = 'active'
        and c.used_at is null`,
    values: [
      memberships.map(({ organizationId }) => organizationId),
      memberships.map(({ memberId }) => memberId),
      hash,
    ],
  })
}

/** Uses the code, once: of two requests with the same code, the second gets false. */
export async function useRecoveryCode(
  tx: Tx,
  { organizationId, memberId }: Membership,
  hash: Buffer,
  now: Instant,
): Promise<boolean> {
  const rows = await tx.query({
    text: `update recovery_codes set used_at = $4
           where organization_id = $1 and member_id = $2 and code_hash = $3 and used_at is null
           returning 1`,
    values: [organizationId, memberId, hash, toIso(now)],
  })
  return rows.length > 0
}
