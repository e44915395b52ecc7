/** Random numbers that are the same in every demo, so that every demo shows the same past. */
export interface Random {
  /** A number from `low` up to, but not including, `high`. */
  between(low: number, high: number): number
  pick<const Items extends readonly [unknown, ...unknown[]]>(items: Items): Items[number]
}

/** Mulberry32: small, and random enough for purchases. */
export function createRandom(seed: number): Random {
  let state = seed
  function next(): number {
    state = (state + 0x6d2b79f5) | 0
    let mixed = Math.imul(state ^ (state >>> 15), state | 1)
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61)
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32
  }
  return {
    between: (low, high) => low + next() * (high - low),
    pick: (items) => items[Math.floor(next() * items.length)] ?? items[0],
  }
}
