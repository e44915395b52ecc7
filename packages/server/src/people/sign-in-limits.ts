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
/** Far more than a person needs who mistypes, and far too few to guess a password. */
export const ATTEMPTS_PER_ACCOUNT_AND_ADDRESS = 10
/** From all addresses together. One alone cannot use them up, and so cannot lock somebody out. */
export const ATTEMPTS_PER_ACCOUNT = 100
/** Many people can share an address. */
export const ATTEMPTS_PER_ADDRESS = 100
/** For how long it is known that a password was tried at an account where it is wrong. */
const TRIED_MS = 30 * 86_400_000
/** How many addresses are remembered that are over their limit; the database knows the rest. */
const REMEMBERED_MAX = 10_000

/** Whom an attempt counts against. */
export interface Attempt {
  /** As `accountOf` and `nobodyOf` name them: an e-mail address can have several. */
  readonly accounts: readonly string[]
  readonly address: string
}

/** An account is locked from this attempt on. */
export interface BegunLock {
  readonly account: string
  readonly scope: LockScope
  readonly endsAt: Instant
}

/** What counting an attempt has found. */
export interface CountedAttempt {
  /** A locked account must be answered just as a wrong password is. */
  isLocked(account: string): boolean
  /** What this attempt was counted against for the account. */
  subjectsOf(account: string): readonly string[]
  readonly locks: readonly BegunLock[]
}

/**
 * How often passwords and links may be tried. The database counts, for all processes together. An address
 * that is over its limit is remembered here as well, so that a flood costs no further writes. Accounts are
 * not: another password ends a lock, and every process must go by that.
 */
export interface SignInLimits {
  /**
   * Counts the attempt. An address with too many attempts is refused, because that says nothing of
   * accounts.
   */
  count(attempt: Attempt, now: Instant): Promise<CountedAttempt>
  /** The attempt has succeeded. `takenBack` are subjects that it counted against for no reason. */
  forget(attempt: Attempt, takenBack?: readonly string[]): Promise<void>
  /**
   * The password of one organization is no attempt on another each time that it is given: those of the
   * accounts at which this one was tried before. The first time it counts. Otherwise whoever owns an
   * organization could try passwords elsewhere without end, by making each one that of a member there.
   */
  findTriedBefore(
    accounts: readonly string[],
    secret: string,
    now: Instant,
  ): Promise<readonly string[]>
  /**
   * The same for somebody who has signed in already. It is counted apart: strangers must not be able to
   * keep a member from what needs the password, such as stopping all spending.
   */
  countAgain(account: string, now: Instant): Promise<CountedAgain>
  forgetAgain(account: string): Promise<void>
  /** The account has another password: whatever was tried before counts no more, from anywhere. */
  unlock(account: string): Promise<void>
}

interface CountedAgain {
  readonly isLocked: boolean
  /** Whether it is locked from this attempt on. */
  readonly begins: boolean
  readonly endsAt: Instant
}

/**
 * A password belongs to a membership, and so does what is counted. Whoever owns an organization can make
 * any e-mail address a member of it: coming in there must not forget what was tried elsewhere.
 */
export function accountOf({ organizationId, memberId }: Membership): string {
  return hash('sha256', `account ${organizationId} ${memberId}`)
}

/** Stands for the accounts of an e-mail address that has none. */
export function nobodyOf(email: string): string {
  return hash('sha256', `nobody ${email}`)
}

export function createSignInLimits(db: Database): SignInLimits {
  /** Until when each address is over its limit. */
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

  /** Counts against all of them, and says of which that was more than so many. */
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
      // What is locked already is not tried, and so uses up nothing of what others may try.
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

/** Attempts are counted one by one, so only one of them is the first that is too many. */
function begunLock(
  account: string,
  scope: LockScope,
  attempts: Attempts | undefined,
  most: number,
): BegunLock[] {
  return attempts?.count === most + 1 ? [{ account, scope, endsAt: attempts.endsAt }] : []
}

/*
 * Strangers type whatever they like, so it is kept as a hash, which has one length. All subjects of an
 * account begin with it.
 */
function networkSubject(address: string): string {
  return hash('sha256', `address ${networkOf(address)}`)
}

function withNetwork(account: string, network: string): string {
  return `${account} ${network}`
}

function againSubject(account: string): string {
  return `${account} again`
}

/** The secret is a hash with costs; here it only has to be told from others. */
function triedSubject(account: string, secret: string): string {
  return `${account} tried ${hash('sha256', secret)}`
}

/** Who has one address of IPv6 has as many as there are in its first half. */
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

/** Whether the address was refused, and nothing else has failed. */
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
