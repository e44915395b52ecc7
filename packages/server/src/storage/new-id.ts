import { randomUUID } from 'node:crypto'
import { COUNT_MAX, uuidV7 } from '../core/id.ts'
import type { Instant } from '../core/time/instant.ts'

/**
 * The counter of each millisecond starts in the lower half of its range, to leave room for
 * counting.
 */
const FIRST_COUNT_MAX = 0x7ff
/** The estimate of the database's clock is corrected now and then, and may go back by this much. */
const MENDED_MS_MAX = 1_000
let lastAt: Instant = Number.NEGATIVE_INFINITY
let lastCount = 0

/**
 * Creates a version 7 UUID. Ids sort by creation: to the millisecond across processes, and exactly
 * within one process. The time is an estimate of the database's clock, so that the ids of all
 * processes agree (ADR 5).
 */
export function newId(at: Instant): string {
  const random = randomUUID()
  if (at > lastAt || at < lastAt - MENDED_MS_MAX) {
    lastAt = at
    lastCount = firstCountOf(random)
  } else if (lastCount < COUNT_MAX) lastCount += 1
  else {
    // The counter of this millisecond is used up, so borrow the next millisecond.
    lastAt += 1
    lastCount = firstCountOf(random)
  }
  return uuidV7(lastAt, lastCount, random)
}

/** Uses the first digits of the random UUID; the id itself uses its end. */
function firstCountOf(random: string): number {
  return Number.parseInt(random.slice(0, 3), 16) & FIRST_COUNT_MAX
}
