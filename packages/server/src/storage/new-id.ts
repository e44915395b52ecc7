import { randomFillSync } from 'node:crypto'
import { uuidV7 } from '../core/id.ts'

const RANDOM_BYTES_PER_ID = 10
/**
 * Random bytes are drawn for many ids at once, because a call into the system costs more than an
 * id.
 */
const pool = Buffer.alloc(RANDOM_BYTES_PER_ID * 256)
let used = pool.length

/** A fresh version 7 UUID: its order is the order of creation, to the millisecond. */
export function newId(): string {
  if (used === pool.length) {
    randomFillSync(pool)
    used = 0
  }
  used += RANDOM_BYTES_PER_ID
  return uuidV7(Date.now(), pool.subarray(used - RANDOM_BYTES_PER_ID, used))
}
