import { hash } from 'node:crypto'
import { isIPv6 } from 'node:net'
import type { Instant } from '../core/time/instant.ts'
import { Problem } from '../errors.ts'
import type { Database } from '../storage/engine/database.ts'
import {
  type Attempts,
  countAttempts,
  forgetAttempts,
  takeBackAttempt,
} from '../storage/people/sign-in-attempts.ts'

const WINDOW_MS = 15 * 60_000
/** Far more than a person needs who mistypes, and far too few to guess a password. */
export const ATTEMPTS_PER_ACCOUNT = 10
/** Many people can share an address. */
export const ATTEMPTS_PER_ADDRESS = 100
/** How many addresses are remembered that are over their limit; the database knows the rest. */
const REMEMBERED_MAX = 10_000

/** Whom an attempt counts against. */
export interface Attempt {
  readonly email: string | undefined
  /** Undefined for somebody who has signed in already. */
  readonly address: string | undefined
}

/**
 * How often passwords and links may be tried. The database counts, for all processes together. An address
 * that is over its limit is remembered here as well, so that a flood costs no further writes. Accounts are
 * not: another password ends a lock, and every process must go by that.
 */
export interface SignInLimits {
  /**
   * Counts the attempt. Says whether the account is locked, which must be answered just as a wrong
   * password is; an address with too many attempts is refused, because that says nothing of accounts.
   */
  count(attempt: Attempt, now: Instant): Promise<{ readonly isLocked: boolean }>
  /** The attempt has succeeded. */
  forget(attempt: Attempt): Promise<void>
}

export function createSignInLimits(db: Database): SignInLimits {
  /** Until when each address is over its limit. */
  const over = new Map<string, Instant>()

  function refuseKnown(address: string | undefined, now: Instant): void {
    const endsAt = over.get(address ?? '')
    if (endsAt === undefined || address === undefined) return
    if (endsAt > now) throw tooManyOfAddress(endsAt, now)
    over.delete(address)
  }

  function refuse({ subject, endsAt }: Attempts, now: Instant): never {
    if (over.size >= REMEMBERED_MAX) over.delete(over.keys().next().value ?? '')
    over.set(subject, endsAt)
    throw tooManyOfAddress(endsAt, now)
  }

  return {
    async count(attempt, now) {
      const { account, address } = subjectsOf(attempt)
      refuseKnown(address, now)
      const subjects = [account, address].flatMap((subject) => subject ?? []).sort()
      const counted = await countAttempts(db, subjects, now, now + WINDOW_MS)
      const ofAddress = counted.find(({ subject }) => subject === address)
      if (ofAddress && ofAddress.count > ATTEMPTS_PER_ADDRESS) refuse(ofAddress, now)
      const ofAccount = counted.find(({ subject }) => subject === account)
      return { isLocked: ofAccount !== undefined && ofAccount.count > ATTEMPTS_PER_ACCOUNT }
    },
    async forget(attempt) {
      const { account, address } = subjectsOf(attempt)
      if (account !== undefined) await forgetAttempts(db, account)
      if (address !== undefined) await takeBackAttempt(db, address)
    },
  }
}

/** Strangers type whatever they like, so it is kept as a hash, which has one length. */
function subjectsOf({ email, address }: Attempt) {
  return {
    account: email === undefined ? undefined : hash('sha256', `account ${email}`),
    address: address === undefined ? undefined : hash('sha256', `address ${networkOf(address)}`),
  }
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

function tooManyOfAddress(endsAt: Instant, now: Instant): Problem {
  const seconds = Math.max(1, Math.ceil((endsAt - now) / 1_000))
  return new Problem(
    'rate_limited',
    `Signing in was tried too often from this address. Wait ${seconds} s.`,
    { retryAfterSeconds: seconds, extra: { limited: 'sign_in_per_address' } },
  )
}
