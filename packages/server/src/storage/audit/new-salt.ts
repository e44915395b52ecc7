import { randomFillSync } from 'node:crypto'
import { SALT_BYTES } from '@purser/audit'

const DIGITS = SALT_BYTES * 2
/** Salts are drawn many at a time, because a system call costs more than a salt. */
const pool = Buffer.alloc(SALT_BYTES * 256)
let digits = ''
let used = 0

/** Random bytes for a new leaf, in hexadecimal digits. */
export function newSalt(): string {
  if (used === digits.length) {
    digits = randomFillSync(pool).toString('hex')
    used = 0
  }
  used += DIGITS
  return digits.slice(used - DIGITS, used)
}
