import { hash } from 'node:crypto'
import { isIPv6 } from 'node:net'
import { Problem } from '../base/errors.ts'
import type { LockScope } from '../core/people/sign-in-note.ts'
import type { Instant } from '../core/time/instant.ts'
import type { Database } from '../storage/engine/database.ts'
import {
  type Attempts,
  countAttempts,
  forgetAccount,
  forgetAttempts,
  takeBackAttempts,
} from '../storage/people/sign-in-attempts.ts'
import type { Membership } from '../storage/people/sign-in-names.ts'

const WINDOW_MS = 15 * 60_000
/** More attempts than a person who mistypes needs, and too few to guess a password. */
export const ATTEMPTS_PER_ACCOUNT_AND_ADDRESS = 10
/**
 * Attempts from all addresses together. A single address cannot use them up, and so cannot lock a
 * member out.
 */
export const ATTEMPTS_PER_ACCOUNT = 100
/** Many people can share one IP address. */
export const ATTEMPTS_PER_ADDRESS = 100
/** How long the gateway remembers that a wrong password was tried on an account. */
const TRIED_MS = 30 * 86_400_000
/** How many addresses over their limit are kept in memory. The database has the rest. */
const REMEMBERED_MAX = 10_000

/** The subjects that an attempt counts against. */
export interface Attempt {
  /** Names from `accountOf` and `nobodyOf`. An email address can have several accounts. */
  readonly accounts: readonly string[]
  readonly address: string
}

/** A lock that begins with this attempt. */
export interface BegunLock {
  readonly account: string
  readonly scope: LockScope
  readonly endsAt: Instant
}

/** The result of counting an attempt. */
export interface CountedAttempt {
  /** A locked account must get the same response as a wrong password. */
  isLocked(account: string): boolean
  /** The subjects that this attempt was counted against for the account. */
  subjectsOf(account: string): readonly string[]
  readonly locks: readonly BegunLock[]
}

/**
 * Limits the attempts to sign in and to use links. The database counts for all processes together. An
 * address over its limit is also kept in memory, so that a flood causes no further writes. Accounts
 * are not: a new password ends a lock, and every process must see that.
 */
export interface SignInLimits {
  /**
   * Counts the attempt. Refuses an address with too many attempts; that reveals nothing about
   * accounts.
   */
  count(attempt: Attempt, now: Instant): Promise<CountedAttempt>
  /**
   * The attempt succeeded. `takenBack` lists subjects whose count this attempt should not have raised.
   */
  forget(attempt: Attempt, takenBack?: readonly string[]): Promise<void>
  /**
   * Returns the accounts on which this password was tried before. A person's password for one
   * organization should not count as an attempt on another organization each time; only the first time
   * counts. Otherwise an organization's owner could guess passwords elsewhere without limit, by
   * setting each guess as the password of a member in their own organization.
   */
  findTriedBefore(
    accounts: readonly string[],
    secret: string,
    now: Instant,
  ): Promise<readonly string[]>
  /**
   * Counts an attempt of a signed-in member. It has its own count: strangers must not be able to keep
   * a member from actions that need the password, such as stopping all spending.
   */
  countAgain(account: string, now: Instant): Promise<CountedAgain>
  forgetAgain(account: string): Promise<void>
  /** Removes all counts of the account, because it has a new password. */
  unlock(account: string): Promise<void>
}

interface CountedAgain {
  readonly isLocked: boolean
  /** Whether the lock begins with this attempt. */
  readonly begins: boolean
  readonly endsAt: Instant
}

/**
 * A password belongs to a membership, and so do the counts. An organization's owner can add any email
 * address as a member; signing in there must not reset the counts elsewhere.
 */
export function accountOf({ organizationId, memberId }: Membership): string {
  return hash('sha256', `account ${organizationId} ${memberId}`)
}

/**
 * Passkeys cannot be guessed, so they have a separate count: strangers who try passwords must not
 * lock out a member who has a passkey.
 */
export function passkeyAccountOf(membership: Membership): string {
  return `${accountOf(membership)} passkey`
}

/** The subject for an email address without an account. */
export function nobodyOf(email: string): string {
  return hash('sha256', `nobody ${email}`)
}

export function createSignInLimits(db: Database): SignInLimits {
  /** When the limit of each address ends. */
  const over = new Map<string, Instant>()

  function refuseKnown(network: string, now: Instant): void {
    const endsAt = over.get(network)
    if (endsAt === undefined) return
    if (endsAt > now) throw tooManyOfAddress(endsAt, now)
    over.delete(network)
  }

  function refuse({ subject, endsAt }: Attempts, now: Instant): never {
    if (over.size >= REMEMBERED_MAX) over.delete(over.keys().next().value ?? '')
    over.set(subject, endsAt)
    throw tooManyOfAddress(endsAt, now)
  }

  /** Counts one attempt for each subject, and returns a function that finds the counts. */
  async function countAll(
    subjects: readonly string[],
    now: Instant,
    windowMs = WINDOW_MS,
  ): Promise<CountsOf> {
    const ordered = [...subjects].sort()
    const counted = await countAttempts(db, ordered, now, now + windowMs)
    return (subject) => counted.find((row) => row.subject === subject)
  }

  return {
    async count({ accounts, address }, now) {
      const network = networkSubject(address)
      refuseKnown(network, now)
      const near = accounts.map((account) => withNetwork(account, network))
      const nearby = await countAll([...near, network], now)
      const ofAddress = nearby(network)
      if (ofAddress && ofAddress.count > ATTEMPTS_PER_ADDRESS) refuse(ofAddress, now)
      const nearOf = (account: string) => nearby(withNetwork(account, network))
      const isNearLocked = (account: string) =>
        isOver(nearOf(account), ATTEMPTS_PER_ACCOUNT_AND_ADDRESS)
      // An account that is locked for this address is not tried, so the attempt does not use up the
      // limit that all addresses share.
      const tried = accounts.filter((account) => !isNearLocked(account))
      const everywhere = await countAll(tried, now)
      return {
        isLocked: (account) =>
          isNearLocked(account) || isOver(everywhere(account), ATTEMPTS_PER_ACCOUNT),
        subjectsOf: (account) => [
          withNetwork(account, network),
          ...(tried.includes(account) ? [account] : []),
        ],
        locks: accounts.flatMap((account) => [
          ...begunLock(account, 'address', nearOf(account), ATTEMPTS_PER_ACCOUNT_AND_ADDRESS),
          ...begunLock(account, 'everywhere', everywhere(account), ATTEMPTS_PER_ACCOUNT),
        ]),
      }
    },
    async forget({ accounts, address }, takenBack = []) {
      const network = networkSubject(address)
      const near = accounts.map((account) => withNetwork(account, network))
      if (near.length > 0) await forgetAttempts(db, [...accounts, ...near])
      await takeBackAttempts(db, [network, ...takenBack])
    },
    async findTriedBefore(accounts, secret, now) {
      const subjects = accounts.map((account) => triedSubject(account, secret))
      const counts = await countAll(subjects, now, TRIED_MS)
      return accounts.filter((account) => isOver(counts(triedSubject(account, secret)), 1))
    },
    async countAgain(account, now) {
      const subject = againSubject(account)
      const counted = (await countAll([subject], now))(subject)
      const begun = begunLock(account, 'session', counted, ATTEMPTS_PER_ACCOUNT_AND_ADDRESS)
      return {
        isLocked: isOver(counted, ATTEMPTS_PER_ACCOUNT_AND_ADDRESS),
        begins: begun.length > 0,
        endsAt: counted?.endsAt ?? now,
      }
    },
    forgetAgain: (account) => forgetAttempts(db, [againSubject(account)]),
    unlock: (account) => forgetAccount(db, account),
  }
}

type CountsOf = (subject: string) => Attempts | undefined

function isOver(attempts: Attempts | undefined, most: number): boolean {
  return attempts !== undefined && attempts.count > most
}

/** Counting is atomic, so exactly one attempt is the first one over the limit. */
function begunLock(
  account: string,
  scope: LockScope,
  attempts: Attempts | undefined,
  most: number,
): BegunLock[] {
  return attempts?.count === most + 1 ? [{ account, scope, endsAt: attempts.endsAt }] : []
}

/*
 * Strangers can type anything, so subjects are hashes, which have one length. All subjects of an
 * account begin with the account's hash.
 */
export function networkSubject(address: string): string {
  return hash('sha256', `address ${networkOf(address)}`)
}

function withNetwork(account: string, network: string): string {
  return `${account} ${network}`
}

function againSubject(account: string): string {
  return `${account} again`
}

/** The secret is an expensive hash. A cheap hash of it is enough to distinguish passwords. */
function triedSubject(account: string, secret: string): string {
  return `${account} tried ${hash('sha256', secret)}`
}

/**
 * The owner of one IPv6 address usually has its whole /64 network, so that network counts as one
 * address.
 */
export function networkOf(address: string): string {
  const [, mapped] = /^::ffff:(\d+(?:\.\d+){3})$/i.exec(address) ?? []
  if (mapped !== undefined || !isIPv6(address)) return mapped ?? address
  const [begin = '', end] = (address.split('%', 1)[0] ?? '').split('::')
  const groups = begin === '' ? [] : begin.split(':')
  const missing = end === undefined ? 0 : 8 - groups.length - end.split(':').filter(Boolean).length
  const all = [...groups, ...Array.from({ length: missing }, () => '0'), ...(end ?? '').split(':')]
  const half = all.slice(0, 4).map((group) => Number.parseInt(group || '0', 16).toString(16))
  return `${half.join(':')}::/64`
}

/** Whether the error is the refusal of an address over its limit. */
export function isRefusal(error: unknown): boolean {
  return error instanceof Problem && error.code === 'rate_limited'
}

function tooManyOfAddress(endsAt: Instant, now: Instant): Problem {
  const seconds = Math.max(1, Math.ceil((endsAt - now) / 1_000))
  return new Problem(
    'rate_limited',
    `Too many sign-in attempts from this address. Wait ${seconds} s.`,
    { retryAfterSeconds: seconds, extra: { limited: 'sign_in_per_address' } },
  )
}
