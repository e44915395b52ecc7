/**
 * A block has one bit for each of 65,536 indexes: a log of ten million leaves takes about a
 * megabyte.
 */
const BLOCK_BITS = 16
const BLOCK_BYTES = 2 ** BLOCK_BITS / 8

/** Remembers which leaves have come. Blocks are created on demand, whatever size the export claims. */
export interface SeenIndexes {
  /** Returns false if the index was already added. */
  add(index: number): boolean
}

export function createSeenIndexes(): SeenIndexes {
  const blocks = new Map<number, Uint8Array>()
  return {
    add(index) {
      const place = Math.floor(index / 2 ** BLOCK_BITS)
      const block = blocks.get(place) ?? new Uint8Array(BLOCK_BYTES)
      blocks.set(place, block)
      const bit = index % 2 ** BLOCK_BITS
      const mask = 1 << (bit & 7)
      const byte = block[bit >> 3] ?? 0
      block[bit >> 3] = byte | mask
      return (byte & mask) === 0
    },
  }
}
