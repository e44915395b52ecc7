import { Problem } from '../base/errors.ts'
import { toPublicId } from '../core/id.ts'
import type { MemberPrincipal } from '../core/people/member-principal.ts'
import type { Instant } from '../core/time/instant.ts'
import type { Database } from '../storage/engine/database.ts'
import { repeatedTransaction } from '../storage/engine/repeated-transaction.ts'
import { getOrganization } from '../storage/organizations.ts'
import { holdMember } from '../storage/people/members.ts'
import {
  findPasswords,
  findSignInName,
  type KnownPassword,
  type Membership,
  notePasswordUse,
} from '../storage/people/sign-in-names.ts'
import { storeNotes } from '../storage/people/sign-in-notes.ts'
import {
  lookUpAccount,
  type Missed,
  noteFailure,
  type SignInParts,
  storeLocks,
} from './counted-attempt.ts'
import { type OpenedSession, type Origin, openSession } from './open-session.ts'
import { isSameSecret, newSalt } from './passwords.ts'
import { accountOf } from './sign-in-limits.ts'
import { lockOf, successOf } from './sign-in-notes.ts'

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

/** The result of an attempt; `missed` are memberships with a different password, or locked ones. */
interface Tried extends Missed {
  /** The memberships for which the password is right. */
  readonly proven: readonly Proven[]
  readonly secret: string
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
    tx.send(storeNotes([successOf(only, member, { address, method: 'password' }, now)]))
    return openSession(tx, only, attempt, now)
  })
  const takenBack = await excuseOthers(parts, tried, attempt)
  await parts.limits.forget({ accounts: [accountOf(only)], address }, takenBack)
  return { ...opened, organizationId: only.organizationId, memberId: only.memberId }
}

async function tryPassword(parts: SignInParts, attempt: SignInAttempt): Promise<Tried> {
  const { name, looked, members, known, counted, now } = await lookUpAccount(
    parts,
    attempt,
    (memberships) => findPasswords(parts.db, memberships),
  )
  const secret = await parts.passwords.hash(attempt.password, name.salt ?? newSalt())
  const isIn = (membership: Membership, index: number) =>
    isRight(known[index], secret) && !counted.isLocked(accountOf(membership))
  const proven = looked.filter(isIn).map((membership) => ({ ...membership, secret }))
  const missed = members.filter((member, index) => !isIn(member, index))
  return { proven, missed, secret, counted, now }
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
export function proveAgain(
  parts: SignInParts,
  principal: MemberPrincipal,
  { password, address }: { readonly password: string; readonly address: string },
): Promise<{ readonly secret: string; readonly salt: Buffer }> {
  const { organizationId, id: memberId, email } = principal
  return tryAgain(parts, principal, address, async () => {
    const [name, [known]] = await Promise.all([
      findSignInName(parts.db, email, organizationId),
      findPasswords(parts.db, [{ organizationId, memberId }]),
    ])
    const salt = name.salt ?? newSalt()
    const secret = await parts.passwords.hash(password, salt)
    return isRight(known, secret) ? { secret, salt } : undefined
  })
}

/**
 * Counts an attempt of a signed-in member to prove who they are, with a password or a passkey.
 * `prove` returns undefined if the proof is wrong. A person at an unattended browser must not be able
 * to try passwords without limit.
 */
export async function tryAgain<Proof>(
  { db, clock, limits, notes }: SignInParts,
  { organizationId, id: memberId, email }: MemberPrincipal,
  address: string,
  prove: (now: Instant) => Promise<Proof | undefined>,
): Promise<Proof> {
  const now = await clock(db)
  const member = { organizationId, memberId, email }
  const account = accountOf(member)
  const { isLocked, begins, endsAt } = await limits.countAgain(account, now)
  const proof = await prove(now)
  if (isLocked || proof === undefined) {
    notes.add('failed', [member], address)
    const lock = { account, scope: 'session', endsAt } as const
    if (begins) await db.query(storeNotes([lockOf(member, lock, address, now)]))
    throw wrongPassword()
  }
  await limits.forgetAgain(account)
  return proof
}

function isRight(known: KnownPassword | undefined, secret: string): boolean {
  return known !== undefined && isSameSecret(secret, known.secret)
}

export function wrongCredentials(): Problem {
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
