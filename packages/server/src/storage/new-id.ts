import { randomFillSync } from 'node:crypto'
import { uuidV7 } from '../core/id.ts'
import type { Instant } from '../core/time/instant.ts'

const RANDOM_BYTES_PER_ID = 10
/**
 * Random bytes are drawn for many ids at once, because a call into the system costs more than an
 * id.
 */
const pool = Buffer.alloc(RANDOM_BYTES_PER_ID * 256)
let used = pool.length

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
  if (used === pool.length) {
    randomFillSync(pool)
    used = 0
  }
  const random = pool.subarray(used, used + RANDOM_BYTES_PER_ID)
  used += RANDOM_BYTES_PER_ID
  const first = random.readUInt16BE(0) & FIRST_COUNT_MAX
  if (at > lastAt || at < lastAt - MENDED_MS_MAX) {
    lastAt = at
    lastCount = first
  } else if (lastCount < COUNT_MAX) lastCount += 1
  else {
    // A millisecond is full, so the next one is used before its time.
    lastAt += 1
    lastCount = first
  }
  random.writeUInt16BE(lastCount, 0)
  return uuidV7(lastAt, random)
}
