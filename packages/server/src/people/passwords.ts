import { hash, randomBytes, timingSafeEqual } from 'node:crypto'
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { Problem } from '../base/errors.ts'
import { PACKAGE_FOLDER } from '../base/package-folder.ts'
import {
  type IsCommon,
  type PasswordRefusal,
  refusePassword,
  toPassword,
} from '../core/people/password-policy.ts'
import { createTurns } from '../http/auth/turns.ts'

export interface PasswordCost {
  /** In KiB. */
  readonly memoryCost: number
  /** The number of passes. */
  readonly timeCost: number
  readonly parallelism: number
}

/** argon2id with the parameters that OWASP recommends: 19 MiB, two passes, one lane. */
const COST: PasswordCost = { memoryCost: 19_456, timeCost: 2, parallelism: 1 }
/**
 * A hash takes tens of milliseconds of a core, on a thread pool that also serves files and DNS
 * lookups. So at most two run at once, and a request that waits too long is refused.
 */
const HASHES = { atOnce: 2, waitingMax: 64 }
const SALT_BYTES = 16

/** Hashes passwords, a few at a time, and checks new passwords. */
export interface Passwords {
  /** Returns the hash including salt and parameters. The same password and salt give the same text. */
  hash(password: string, salt: Buffer): Promise<string>
  /**
   * Returns why a password is not allowed. Only new passwords are checked; existing ones stay valid.
   */
  refuse(password: string, email: string): Promise<PasswordRefusal | undefined>
}

/** Only tests pass `cost`: they sign in hundreds of times, and check elsewhere that this is the default. */
export function createPasswords(cost: PasswordCost = COST): Passwords {
  const turns = createTurns({ ...HASHES, tooMany })
  let isCommon: IsCommon | undefined
  return {
    hash: (password, salt) =>
      turns.run(async () => {
        // Loaded at the first sign-in, because most gateways serve only API keys.
        const argon2 = await import('@node-rs/argon2')
        return argon2.hash(toPassword(password), { ...cost, salt })
      }),
    async refuse(password, email) {
      // Read when the first password is chosen, and then kept in memory, because it is small.
      isCommon ??= await loadCommonPasswords()
      return refusePassword(toPassword(password), email, isCommon)
    },
  }
}

export function newSalt(): Buffer {
  return randomBytes(SALT_BYTES)
}

/** Compares two hashes in constant time. */
export function isSameSecret(given: string, stored: string): boolean {
  const [a, b] = [Buffer.from(given), Buffer.from(stored)]
  return a.length === b.length && timingSafeEqual(a, b)
}

function tooMany(): Problem {
  return new Problem('overloaded', 'Too many people are signing in right now. Retry shortly.', {
    retryAfterSeconds: 2,
  })
}

/**
 * The list has this many bytes of each password's SHA-256: enough that another password practically
 * never matches by chance.
 */
export const DIGEST_BYTES = 5

/** Passwords that are likely guesses for a product like this one. */
const OWN: ReadonlySet<string> = new Set(['administrator', 'changeme', 'purser', 'purseradmin'])

/**
 * The 10,000 most common passwords, as sorted hashes: a repository should not be full of such words.
 * lists/README.md names their source.
 */
export async function loadCommonPasswords(): Promise<IsCommon> {
  const list = await readFile(join(PACKAGE_FOLDER, 'lists', 'common-passwords.bin'))
  return (text) => OWN.has(text) || hasDigest(list, digestOf(text))
}

function digestOf(text: string): Buffer {
  return hash('sha256', text, 'buffer').subarray(0, DIGEST_BYTES)
}

function hasDigest(list: Buffer, wanted: Buffer): boolean {
  let [from, to] = [0, list.length / DIGEST_BYTES]
  while (from < to) {
    const middle = Math.floor((from + to) / 2)
    const begin = middle * DIGEST_BYTES
    const order = wanted.compare(list, begin, begin + DIGEST_BYTES)
    if (order === 0) return true
    if (order < 0) to = middle
    else from = middle + 1
  }
  return false
}
