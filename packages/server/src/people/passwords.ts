import { randomBytes, timingSafeEqual } from 'node:crypto'
import { Problem } from '../base/errors.ts'
import {
  type IsCommon,
  type PasswordRefusal,
  refusePassword,
  toPassword,
} from '../core/people/password-policy.ts'
import { createTurns } from '../http/auth/turns.ts'
import { loadCommonPasswords } from './common-passwords.ts'

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
  return new Problem(
    'overloaded',
    'More people sign in than can be handled in time. Repeat this shortly.',
    { retryAfterSeconds: 2 },
  )
}
