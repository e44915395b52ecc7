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
/** What is remembered of subjects that are over their limit; the database knows the rest. */
const REMEMBERED_MAX = 10_000

/** Whom an attempt counts against. */
export interface Attempt {
  readonly email: string | undefined
  /** Undefined for somebody who has signed in already. */
  readonly address: string | undefined
}

/**
 * How often passwords and links may be tried. The database counts, for all processes together. What is
 * over its limit is remembered here as well, so that a flood costs no further writes.
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
  /** Until when each subject is over its limit. */
  const over = new Map<string, Instant>()

  function overUntil(subject: string | undefined, now: Instant): Instant | undefined {
    if (subject === undefined) return undefined
    const endsAt = over.get(subject)
    if (endsAt === undefined || endsAt > now) return endsAt
    over.delete(subject)
    return undefined
  }

  function refuseAddress(address: string | undefined, now: Instant): void {
    const endsAt = overUntil(address, now)
    if (endsAt !== undefined) throw tooManyOfAddress(endsAt, now)
  }

  function remember({ subject, endsAt }: Attempts): void {
    if (over.size >= REMEMBERED_MAX) over.delete(over.keys().next().value ?? '')
    over.set(subject, endsAt)
  }

  return {
    async count(attempt, now) {
      const { account, address } = subjectsOf(attempt)
      refuseAddress(address, now)
      const known = [account, address].flatMap((subject) => subject ?? [])
      const subjects = known.filter((subject) => overUntil(subject, now) === undefined).sort()
      const counted = await countAttempts(db, subjects, now, now + WINDOW_MS)
      const mostOf = ({ subject }: Attempts): number =>
        subject === account ? ATTEMPTS_PER_ACCOUNT : ATTEMPTS_PER_ADDRESS
      counted.filter((attempts) => attempts.count > mostOf(attempts)).forEach(remember)
      refuseAddress(address, now)
      return { isLocked: overUntil(account, now) !== undefined }
    },
    async forget(attempt) {
      const { account, address } = subjectsOf(attempt)
      if (account !== undefined) {
        over.delete(account)
        await forgetAttempts(db, account)
      }
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
