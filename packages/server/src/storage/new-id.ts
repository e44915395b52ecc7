import { randomFillSync } from 'node:crypto'
import { uuidV7 } from '../core/id.ts'
import type { Instant } from '../core/time/instant.ts'

const DIGITS_PER_ID = 20
/**
 * Random digits are drawn for many ids at once, because a call into the system costs more than an
 * id.
 */
const pool = Buffer.alloc((DIGITS_PER_ID / 2) * 256)
let digits = ''
let used = 0

/** The twelve bits after the time. They begin in the lower half, so that there is room to count. */
const COUNT_MAX = 0xfff
const FIRST_COUNT_MAX = 0x7ff
/** The estimate of the database's clock is mended now and then, and may go back as far as this. */
const MENDED_MS_MAX = 1_000
let lastAt: Instant = Number.NEGATIVE_INFINITY
let lastCount = 0

/**
 * A fresh version 7 UUID. Its order is the order of creation: to the millisecond between processes,
 * and within this one always. The time is the clock's estimate, so that the ids of all processes
 * agree.
 */
export function newId(at: Instant): string {
  if (used === digits.length) {
    digits = randomFillSync(pool).toString('hex')
    used = 0
  }
  const random = digits.slice(used, used + DIGITS_PER_ID)
  used += DIGITS_PER_ID
  if (at > lastAt || at < lastAt - MENDED_MS_MAX) {
    lastAt = at
    lastCount = firstCountOf(random)
  } else if (lastCount < COUNT_MAX) lastCount += 1
  else {
    // A millisecond is full, so the next one is used before its time.
    lastAt += 1
    lastCount = firstCountOf(random)
  }
  return uuidV7(lastAt, lastCount.toString(16).padStart(4, '0') + random.slice(4))
}

function firstCountOf(random: string): number {
  return Number.parseInt(random.slice(0, 4), 16) & FIRST_COUNT_MAX
}
