import { randomUUID } from 'node:crypto'
import { COUNT_MAX, uuidV7 } from '../core/id.ts'
import type { Instant } from '../core/time/instant.ts'

/** Each millisecond begins in the lower half, so that there is room to count. */
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
  const random = randomUUID()
  if (at > lastAt || at < lastAt - MENDED_MS_MAX) {
    lastAt = at
    lastCount = firstCountOf(random)
  } else if (lastCount < COUNT_MAX) lastCount += 1
  else {
    // A millisecond is full, so the next one is used before its time.
    lastAt += 1
    lastCount = firstCountOf(random)
  }
  return uuidV7(lastAt, lastCount, random)
}

/** By the beginning of the random UUID, of which the id takes the end. */
function firstCountOf(random: string): number {
  return Number.parseInt(random.slice(0, 3), 16) & FIRST_COUNT_MAX
}
