import type { Hash } from '../hash.ts'

/** A stretch of consecutive leaves that repeat earlier ones. */
export interface RepeatedLeaves {
  readonly from: number
  readonly to: number
  /** The index of the leaf that the first of them repeats. */
  readonly of: number
}

export interface Repeats {
  add(index: number, hash: Hash): void
  /** The number of repeated leaves, and their first stretches. */
  found(): { readonly count: number; readonly stretches: readonly RepeatedLeaves[] }
}

/** Per leaf it keeps the beginning of its hash in two words, and its index. */
const WORDS = 3
const SLOTS_FIRST = 2 ** 10
/** Two such tables are kept, so a repeat is found among at least the last four million leaves. */
const LEAVES_PER_TABLE = 4_000_000
const STRETCHES_MAX = 100

/**
 * Finds leaves that occur again with a different index. Their salts are random, so two leaves with
 * the same hash are one leaf that was sealed twice. It uses about 200 MB at most, however long the
 * audit log is.
 */
export function createRepeats(leavesPerTable = LEAVES_PER_TABLE): Repeats {
  let current = createTable()
  let before = createTable()
  let count = 0
  const stretches: RepeatedLeaves[] = []

  function note(index: number, of: number): void {
    count += 1
    const last = stretches.at(-1)
    if (last && index === last.to + 1 && of === last.of + index - last.from) {
      stretches[stretches.length - 1] = { ...last, to: index }
    } else if (stretches.length < STRETCHES_MAX) stretches.push({ from: index, to: index, of })
  }

  return {
    add(index, hash) {
      const known = before.find(hash) ?? current.find(hash)
      if (known !== undefined) return note(Math.max(index, known), Math.min(index, known))
      current.add(hash, index)
      if (current.count() < leavesPerTable) return
      before = current
      current = createTable()
    },
    found: () => ({ count, stretches }),
  }
}

/**
 * A map from hashes to indexes, outside of the heap. Half of its slots are free, so that lookups
 * are fast.
 */
function createTable() {
  let slots = SLOTS_FIRST
  let words = new Uint32Array(slots * WORDS)
  let count = 0

  /**
   * Returns the place of a hash, or the free place for it. The stored index is one higher, because
   * 0 marks a free slot.
   */
  function placeOf(first: number, second: number): number {
    let slot = first % slots
    for (;;) {
      const at = slot * WORDS
      if (words[at + 2] === 0 || (words[at] === first && words[at + 1] === second)) return at
      slot = (slot + 1) % slots
    }
  }

  function put(first: number, second: number, kept: number): void {
    words.set([first, second, kept], placeOf(first, second))
  }

  function grow(): void {
    const old = words
    slots *= 2
    words = new Uint32Array(slots * WORDS)
    for (let at = 0; at < old.length; at += WORDS) {
      const kept = old[at + 2] ?? 0
      if (kept !== 0) put(old[at] ?? 0, old[at + 1] ?? 0, kept)
    }
  }

  return {
    count: () => count,
    find(hash: Hash): number | undefined {
      const kept = words[placeOf(wordAt(hash, 0), wordAt(hash, 4)) + 2] ?? 0
      return kept === 0 ? undefined : kept - 1
    },
    add(hash: Hash, index: number): void {
      count += 1
      if (count * 2 > slots) grow()
      put(wordAt(hash, 0), wordAt(hash, 4), index + 1)
    },
  }
}

/** Four bytes of the hash as one number. */
function wordAt(hash: Hash, at: number): number {
  const [a = 0, b = 0, c = 0, d = 0] = [hash[at], hash[at + 1], hash[at + 2], hash[at + 3]]
  return ((a << 24) | (b << 16) | (c << 8) | d) >>> 0
}
