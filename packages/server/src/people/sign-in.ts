import type { MemberPrincipal } from '../core/people/member-principal.ts'
import type { Instant } from '../core/time/instant.ts'
import { Problem } from '../errors.ts'
import { toPublicId } from '../http/schemas.ts'
import type { DatabaseClock } from '../storage/engine/clock.ts'
import type { Database } from '../storage/engine/database.ts'
import { repeatedTransaction } from '../storage/engine/repeated-transaction.ts'
import { getOrganization } from '../storage/organizations.ts'
import { holdMember } from '../storage/people/members.ts'
import { NOBODY } from '../storage/people/sessions.ts'
import {
  findPassword,
  findSignInName,
  type KnownPassword,
  type Membership,
  notePasswordUse,
} from '../storage/people/sign-in-names.ts'
import { type OpenedSession, type Origin, openSession } from './open-session.ts'
import { isSameSecret, newSalt, type Passwords } from './passwords.ts'
import { accountOf, nobodyOf, type SignInLimits } from './sign-in-limits.ts'

export interface SignInParts {
  readonly db: Database
  readonly clock: DatabaseClock
  readonly passwords: Passwords
  readonly limits: SignInLimits
}

export interface SignInAttempt extends Origin {
  readonly email: string
  readonly password: string
  /** Needed where the same address and password are good for several organizations. */
  readonly organizationId: string | undefined
}

/** A member whose password was right. */
interface Proven extends Membership {
  readonly secret: string
}

/**
 * Unknown, wrong, removed and locked take the same steps: the same questions to the database, one hash,
 * the same answer. Nobody learns from it who is a member here.
 */
export async function signIn(
  parts: SignInParts,
  attempt: SignInAttempt,
): Promise<OpenedSession & Membership> {
  const { address } = attempt
  const proven = await prove(parts, attempt)
  const [only, another] = proven
  if (!only) throw wrongCredentials()
  if (another) throw await organizationRequired(parts.db, proven)
  const opened = await repeatedTransaction(parts.db, only.organizationId, async (tx) => {
    const [member, now] = await Promise.all([
      holdMember(tx, only.organizationId, only.memberId),
      parts.clock(tx),
    ])
    // Removed, or given another password, while the hash was made.
    if (!member || !(await notePasswordUse(tx, only, only.secret, now))) throw wrongCredentials()
    return openSession(tx, only, attempt, now)
  })
  await parts.limits.forget({ accounts: [accountOf(only)], address })
  return { ...opened, organizationId: only.organizationId, memberId: only.memberId }
}

/** The memberships that the password is right for. */
async function prove(
  { db, clock, passwords, limits }: SignInParts,
  { email, password, organizationId, address }: SignInAttempt,
): Promise<Proven[]> {
  const [now, name] = await Promise.all([clock(db), findSignInName(db, email, organizationId)])
  // Where there is nobody, somebody who is not there is looked up instead.
  const isNobody = name.memberships.length === 0
  const looked = isNobody ? [NOBODY] : name.memberships
  const accounts = isNobody ? [nobodyOf(email)] : looked.map(accountOf)
  const [isLocked, known] = await Promise.all([
    limits.count({ accounts, address }, now),
    Promise.all(looked.map((membership) => findPassword(db, membership))),
  ])
  const secret = await passwords.hash(password, name.salt ?? newSalt())
  return looked.flatMap((membership, index) =>
    isRight(known[index], secret) && !isLocked(accountOf(membership))
      ? [{ ...membership, secret }]
      : [],
  )
}

/** The hash of a member's own password; throws if it is not this one. */
export async function proveAgain(
  { db, clock, passwords, limits }: SignInParts,
  { organizationId, id: memberId, email }: MemberPrincipal,
  password: string,
): Promise<{ readonly secret: string; readonly salt: Buffer; readonly now: Instant }> {
  const [now, name, known] = await Promise.all([
    clock(db),
    findSignInName(db, email, organizationId),
    findPassword(db, { organizationId, memberId }),
  ])
  // Whoever has found an open browser must not be able to try passwords without end.
  const account = accountOf({ organizationId, memberId })
  const { isLocked } = await limits.countAgain(account, now)
  const salt = name.salt ?? newSalt()
  const secret = await passwords.hash(password, salt)
  if (isLocked || !isRight(known, secret)) throw wrongPassword()
  await limits.forgetAgain(account)
  return { secret, salt, now }
}

function isRight(known: KnownPassword | undefined, secret: string): boolean {
  return known !== undefined && isSameSecret(secret, known.secret)
}

function wrongCredentials(): Problem {
  return new Problem(
    'wrong_credentials',
    'The e-mail address or the password is wrong, or it was tried too often: then wait 15 minutes. An owner or admin can make a link for another password.',
  )
}

/** The same to somebody who has signed in, and gives the password once more. */
export function wrongPassword(): Problem {
  return new Problem(
    'wrong_credentials',
    'The password is wrong, or it was tried too often: then wait 15 minutes. An owner or admin can make a link for another password.',
  )
}

/** Told only to somebody whose password is right for each of them. */
async function organizationRequired(db: Database, proven: readonly Membership[]): Promise<Problem> {
  const organizations = await Promise.all(
    proven.map(({ organizationId }) => getOrganization(db, organizationId)),
  )
  return new Problem(
    'organization_required',
    'The address and the password are good for several organizations. Name one in organizationId.',
    {
      extra: {
        organizationIds: organizations.map(({ id }) => toPublicId('org', id)),
        organizationNames: organizations.map(({ name }) => name),
      },
    },
  )
}
