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
let lastAt: Instant | undefined
let lastCount = 0

/**
 * A fresh version 7 UUID. Its order is the order of creation: to the millisecond between processes,
 * and within this one also in the same millisecond, for some two thousand ids. The time is the
 * clock's estimate, so that the ids of all processes agree.
 */
export function newId(at: Instant): string {
  if (used === pool.length) {
    randomFillSync(pool)
    used = 0
  }
  const random = pool.subarray(used, used + RANDOM_BYTES_PER_ID)
  used += RANDOM_BYTES_PER_ID
  const drawn = random.readUInt16BE(0)
  const next = at === lastAt ? lastCount + 1 : drawn & FIRST_COUNT_MAX
  lastAt = at
  lastCount = next <= COUNT_MAX ? next : drawn & COUNT_MAX
  random.writeUInt16BE(lastCount, 0)
  return uuidV7(at, random)
}
