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
import { NO_OWNER } from '../storage/people/sessions.ts'
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
  /** Required if the same email address and password are valid for several organizations. */
  readonly organizationId: string | undefined
}

/** A membership for which the password is right. */
interface Proven extends Membership {
  readonly secret: string
}

/** The result of an attempt. */
interface Tried {
  /** The memberships for which the password is right. */
  readonly proven: readonly Proven[]
  /** The memberships for which the password is wrong, or that are locked. */
  readonly missed: readonly Account[]
  readonly secret: string
  readonly counted: CountedAttempt
  readonly now: Instant
}

/**
 * Unknown addresses, wrong passwords, removed members and locked accounts take the same steps: the
 * same queries, one hash, the same response. So the response does not reveal who is a member.
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
  // Stores the locks that began in other organizations, even if the attempt is taken back there.
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
    // The member was removed, or the password changed, while the hash was computed.
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
  // If the address has no account, the queries look up a member that does not exist.
  const isNobody = name.memberships.length === 0
  const looked = isNobody ? [NO_OWNER] : name.memberships
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
 * Counts a failure in memory, and stores the locks that began with it. A lock of an account that does
 * not exist is stored too, so that it takes as long, but it is never reported.
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
 * A person who signs in to one organization did not try to guess the password of another one. Returns
 * the subjects there whose counts are to be taken back. A password that was never tried there stays
 * counted, because it is a guess that got an answer. A locked account gives no answer, so its guess is
 * not remembered either.
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

/** Checks a member's own password. Returns its hash, or throws if the password is wrong. */
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
  // A person at an unattended browser must not be able to try passwords without limit.
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

/** The same for a signed-in member who enters the password again. */
export function wrongPassword(): Problem {
  return new Problem(
    'wrong_credentials',
    'The password is wrong, or there were too many attempts; in that case wait 15 minutes. An owner or admin can create a password-reset link.',
  )
}

/** Shown only if the password is right for each of these organizations. */
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
