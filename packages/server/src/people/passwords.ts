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

/** argon2id as OWASP recommends it: 19 MiB, two passes, one lane. */
const COST = { memoryCost: 19_456, timeCost: 2, parallelism: 1 }
/**
 * A hash takes tens of milliseconds of a core, on a thread that files and name look-ups use as well. So
 * two at once are enough, and what waits longer than a person does is refused.
 */
const HASHES = { atOnce: 2, waitingMax: 64 }
const SALT_BYTES = 16

/** Hashes passwords, a few at a time, and says which may be chosen. */
export interface Passwords {
  /** With salt and costs in it. The same password and salt give the same text. */
  hash(password: string, salt: Buffer): Promise<string>
  /** Why nobody may choose this password. Only new passwords are looked at: those in use stay good. */
  refuse(password: string, email: string): Promise<PasswordRefusal | undefined>
}

export function createPasswords(): Passwords {
  const turns = createTurns({ ...HASHES, tooMany })
  let isCommon: IsCommon | undefined
  return {
    hash: (password, salt) =>
      turns.run(async () => {
        // Loaded when the first person signs in: most gateways serve only keys.
        const argon2 = await import('@node-rs/argon2')
        return argon2.hash(toPassword(password), { ...COST, salt })
      }),
    async refuse(password, email) {
      // Read when the first person chooses one, and kept: it is small.
      isCommon ??= await loadCommonPasswords()
      return refusePassword(toPassword(password), email, isCommon)
    },
  }
}

export function newSalt(): Buffer {
  return randomBytes(SALT_BYTES)
}

/** Compares two hashes in a time that says nothing of them. */
export function isSameSecret(given: string, stored: string): boolean {
  const [a, b] = [Buffer.from(given), Buffer.from(stored)]
  return a.length === b.length && timingSafeEqual(a, b)
}

function tooMany(): Problem {
  return new Problem('overloaded', 'Too many people are signing in right now. Retry shortly.', {
    retryAfterSeconds: 2,
  })
}

/** So much of the SHA-256 of each password is in the list: enough that no other text is taken for one. */
export const DIGEST_BYTES = 5

/** What is guessed first at a gateway like this, and not everywhere. */
const OWN: ReadonlySet<string> = new Set(['administrator', 'changeme', 'purser', 'purseradmin'])

/**
 * The 10,000 most common passwords. The list has them as hashes, in order: they are no words that a
 * repository should be full of. lists/README.md says where they come from.
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
