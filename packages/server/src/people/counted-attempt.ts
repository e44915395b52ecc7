import type { Account } from '../core/people/sign-in-note.ts'
import type { Instant } from '../core/time/instant.ts'
import type { DatabaseClock } from '../storage/engine/clock.ts'
import type { Database } from '../storage/engine/database.ts'
import { NO_OWNER } from '../storage/people/sessions.ts'
import {
  findSignInName,
  type Membership,
  type SignInName,
} from '../storage/people/sign-in-names.ts'
import { storeNotes } from '../storage/people/sign-in-notes.ts'
import type { Passwords } from './passwords.ts'
import {
  accountOf,
  type CountedAttempt,
  isRefusal,
  nobodyOf,
  type SignInLimits,
} from './sign-in-limits.ts'
import { lockOf, type SignInNotes, STRANGER } from './sign-in-notes.ts'

export interface SignInParts {
  readonly db: Database
  readonly clock: DatabaseClock
  readonly passwords: Passwords
  readonly limits: SignInLimits
  readonly notes: SignInNotes
}

/** The account that a person names. */
interface NamedAccount {
  readonly email: string
  readonly organizationId: string | undefined
  readonly address: string
}

interface LookedUp<Known> {
  readonly name: SignInName
  /** The memberships to compare with. There is always at least one, though perhaps none exists. */
  readonly looked: readonly Membership[]
  /** The memberships that exist, in the same order. */
  readonly members: readonly Account[]
  readonly known: Known
  readonly counted: CountedAttempt
  readonly now: Instant
}

/**
 * Counts an attempt against the memberships of an e-mail address, and reads with `find` the data to
 * compare with. The steps are the same whether or not the address has an account.
 */
export async function lookUpAccount<Known>(
  { db, clock, limits, notes }: SignInParts,
  { email, organizationId, address }: NamedAccount,
  find: (looked: readonly Membership[]) => Promise<Known>,
): Promise<LookedUp<Known>> {
  const [now, name] = await Promise.all([clock(db), findSignInName(db, email, organizationId)])
  // If the address has no account, the queries look up a member that does not exist.
  const isNobody = name.memberships.length === 0
  const looked = isNobody ? [NO_OWNER] : name.memberships
  const accounts = isNobody ? [nobodyOf(email)] : looked.map(accountOf)
  const members = name.memberships.map((membership) => ({ ...membership, email }))
  const [counted, known] = await Promise.all([
    countOrRefuse({ limits, notes }, { accounts, address }, members, now),
    find(looked),
  ])
  return { name, looked, members, known, counted, now }
}

/** Counts the attempt, and notes for these members if the address has made too many. */
export function countOrRefuse(
  { limits, notes }: Pick<SignInParts, 'limits' | 'notes'>,
  attempt: { readonly accounts: readonly string[]; readonly address: string },
  members: readonly Account[],
  now: Instant,
): Promise<CountedAttempt> {
  return limits.count(attempt, now).catch((error: unknown) => {
    if (isRefusal(error)) notes.add('refused', members, attempt.address)
    throw error
  })
}

/** A failed attempt, or the part of a successful one that failed. */
export interface Missed {
  readonly missed: readonly Account[]
  readonly counted: CountedAttempt
  readonly now: Instant
}

/**
 * Counts a failure in memory, and stores the locks that began with it. A lock of an account that does
 * not exist is stored too, so that it takes as long, but it is never reported.
 */
export async function noteFailure(
  parts: SignInParts,
  tried: Missed,
  { address }: { readonly address: string },
): Promise<void> {
  parts.notes.add('failed', tried.missed, address)
  await storeLocks(parts, tried, { address })
}

export async function storeLocks(
  { db }: SignInParts,
  { missed, counted, now }: Missed,
  { address }: { readonly address: string },
): Promise<void> {
  const locks = counted.locks.map((lock) => {
    const account = missed.find((each) => lock.account.startsWith(accountOf(each))) ?? STRANGER
    return lockOf(account, lock, address, now)
  })
  if (locks.length > 0) await db.query(storeNotes(locks))
}
