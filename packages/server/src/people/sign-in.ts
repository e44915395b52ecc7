import { Problem } from '../base/errors.ts'
import { toPublicId } from '../core/id.ts'
import type { MemberPrincipal } from '../core/people/member-principal.ts'
import type { Account } from '../core/people/sign-in-note.ts'
import type { Instant } from '../core/time/instant.ts'
import type { DatabaseClock } from '../storage/engine/clock.ts'
import type { Database } from '../storage/engine/database.ts'
import { repeatedTransaction } from '../storage/engine/repeated-transaction.ts'
import { getOrganization } from '../storage/organizations.ts'
import { holdMember } from '../storage/people/members.ts'
import { NOBODY } from '../storage/people/sessions.ts'
import {
  findPasswords,
  findSignInName,
  type KnownPassword,
  type Membership,
  notePasswordUse,
} from '../storage/people/sign-in-names.ts'
import { storeNotes } from '../storage/people/sign-in-notes.ts'
import { type OpenedSession, type Origin, openSession } from './open-session.ts'
import { isSameSecret, newSalt, type Passwords } from './passwords.ts'
import {
  accountOf,
  type CountedAttempt,
  isRefusal,
  nobodyOf,
  type SignInLimits,
} from './sign-in-limits.ts'
import { lockOf, type SignInNotes, STRANGER, successOf } from './sign-in-notes.ts'

export interface SignInParts {
  readonly db: Database
  readonly clock: DatabaseClock
  readonly passwords: Passwords
  readonly limits: SignInLimits
  readonly notes: SignInNotes
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

/** What an attempt has come to. */
interface Tried {
  /** The memberships that the password is right for. */
  readonly proven: readonly Proven[]
  /** Those that it is wrong for, or that are locked. */
  readonly missed: readonly Account[]
  readonly secret: string
  readonly counted: CountedAttempt
  readonly now: Instant
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
  const tried = await tryPassword(parts, attempt)
  const [only, another] = tried.proven
  if (!only) {
    await noteFailure(parts, tried, attempt)
    throw wrongCredentials()
  }
  // Of the other organizations: a lock that began there is told, also where the attempt is taken back.
  await storeLocks(parts, tried, attempt)
  if (another) {
    const rightly = tried.proven.flatMap((each) => tried.counted.subjectsOf(accountOf(each)))
    const takenBack = [...rightly, ...(await excuseOthers(parts, tried, attempt))]
    await parts.limits.forget({ accounts: [], address }, takenBack)
    throw await organizationRequired(parts.db, tried.proven)
  }
  const opened = await repeatedTransaction(parts.db, only.organizationId, async (tx) => {
    const [member, now] = await Promise.all([
      holdMember(tx, only.organizationId, only.memberId),
      parts.clock(tx),
    ])
    // Removed, or given another password, while the hash was made.
    if (!member || !(await notePasswordUse(tx, only, only.secret, now))) throw wrongCredentials()
    tx.send(storeNotes([successOf(only, member, address, now)]))
    return openSession(tx, only, attempt, now)
  })
  const takenBack = await excuseOthers(parts, tried, attempt)
  await parts.limits.forget({ accounts: [accountOf(only)], address }, takenBack)
  return { ...opened, organizationId: only.organizationId, memberId: only.memberId }
}

async function tryPassword(
  { db, clock, passwords, limits, notes }: SignInParts,
  { email, password, organizationId, address }: SignInAttempt,
): Promise<Tried> {
  const [now, name] = await Promise.all([clock(db), findSignInName(db, email, organizationId)])
  // Where there is nobody, somebody who is not there is looked up instead.
  const isNobody = name.memberships.length === 0
  const looked = isNobody ? [NOBODY] : name.memberships
  const accounts = isNobody ? [nobodyOf(email)] : looked.map(accountOf)
  const members = name.memberships.map((membership) => ({ ...membership, email }))
  const [counted, known] = await Promise.all([
    limits.count({ accounts, address }, now).catch((error: unknown) => {
      if (isRefusal(error)) notes.add('refused', members, address)
      throw error
    }),
    findPasswords(db, looked),
  ])
  const secret = await passwords.hash(password, name.salt ?? newSalt())
  const isIn = (membership: Membership, index: number) =>
    isRight(known[index], secret) && !counted.isLocked(accountOf(membership))
  const proven = looked.filter(isIn).map((membership) => ({ ...membership, secret }))
  const missed = members.filter((member, index) => !isIn(member, index))
  return { proven, missed, secret, counted, now }
}

/**
 * Counts a failure in the memory of this process, and stores which locks have begun by it. A lock of an
 * account that does not exist is stored as well, and told nobody: it takes as long.
 */
async function noteFailure(
  parts: SignInParts,
  tried: Tried,
  attempt: SignInAttempt,
): Promise<void> {
  parts.notes.add('failed', tried.missed, attempt.address)
  await storeLocks(parts, tried, attempt)
}

async function storeLocks(
  { db }: SignInParts,
  { missed, counted, now }: Tried,
  { address }: SignInAttempt,
): Promise<void> {
  const locks = counted.locks.map((lock) => {
    const account = missed.find((each) => accountOf(each) === lock.account) ?? STRANGER
    return lockOf(account, lock, address, now)
  })
  if (locks.length > 0) await db.query(storeNotes(locks))
}

/**
 * Somebody who comes in to one organization has not tried to guess the password of another one: gives what
 * the attempt was counted against there, to be taken back. A password that was never tried there stays
 * counted, because it is a guess that was answered. A locked account has answered nothing, so nothing is
 * remembered of it either.
 */
async function excuseOthers(
  parts: SignInParts,
  tried: Tried,
  attempt: SignInAttempt,
): Promise<readonly string[]> {
  const { missed, secret, counted, now } = tried
  const locked = missed.map(accountOf).filter(counted.isLocked)
  const open = missed.filter((each) => !counted.isLocked(accountOf(each)))
  const before = await parts.limits.findTriedBefore(open.map(accountOf), secret, now)
  const guessed = open.filter((each) => !before.includes(accountOf(each)))
  if (guessed.length > 0) parts.notes.add('failed', guessed, attempt.address)
  return [...locked, ...before].flatMap(counted.subjectsOf)
}

/** The hash of a member's own password; throws if it is not this one. */
export async function proveAgain(
  { db, clock, passwords, limits, notes }: SignInParts,
  { organizationId, id: memberId, email }: MemberPrincipal,
  { password, address }: { readonly password: string; readonly address: string },
): Promise<{ readonly secret: string; readonly salt: Buffer; readonly now: Instant }> {
  const [now, name, [known]] = await Promise.all([
    clock(db),
    findSignInName(db, email, organizationId),
    findPasswords(db, [{ organizationId, memberId }]),
  ])
  // Whoever has found an open browser must not be able to try passwords without end.
  const member = { organizationId, memberId, email }
  const account = accountOf(member)
  const { isLocked, begins, endsAt } = await limits.countAgain(account, now)
  const salt = name.salt ?? newSalt()
  const secret = await passwords.hash(password, salt)
  if (isLocked || !isRight(known, secret)) {
    notes.add('failed', [member], address)
    const lock = { account, scope: 'session', endsAt } as const
    if (begins) await db.query(storeNotes([lockOf(member, lock, address, now)]))
    throw wrongPassword()
  }
  await limits.forgetAgain(account)
  return { secret, salt, now }
}

function isRight(known: KnownPassword | undefined, secret: string): boolean {
  return known !== undefined && isSameSecret(secret, known.secret)
}

function wrongCredentials(): Problem {
  return new Problem(
    'wrong_credentials',
    'The e-mail address or the password is wrong, or there were too many attempts; in that case wait 15 minutes. An owner or admin can create a password-reset link.',
  )
}

/** The same to somebody who has signed in, and gives the password once more. */
export function wrongPassword(): Problem {
  return new Problem(
    'wrong_credentials',
    'The password is wrong, or there were too many attempts; in that case wait 15 minutes. An owner or admin can create a password-reset link.',
  )
}

/** Told only to somebody whose password is right for each of them. */
async function organizationRequired(db: Database, proven: readonly Membership[]): Promise<Problem> {
  const organizations = await Promise.all(
    proven.map(({ organizationId }) => getOrganization(db, organizationId)),
  )
  return new Problem(
    'organization_required',
    'The address and the password are valid for several organizations. Choose one with organizationId.',
    {
      extra: {
        organizationIds: organizations.map(({ id }) => toPublicId('org', id)),
        organizationNames: organizations.map(({ name }) => name),
      },
    },
  )
}
