/**
 * A complete subtree: at level 0 a leaf, at level 3 eight leaves. `index` counts the subtrees of the
 * level from the left.
 */
export interface NodeAddress {
  readonly level: number
  readonly index: number
}

/** Leaves from `begin` up to but not including `end`. */
export interface LeafRange {
  readonly begin: number
  readonly end: number
}

/**
 * The place where a node is stored. A subtree is complete with its last leaf, so its hash is stored in
 * the row of that leaf: the row of leaf 7 has the hashes of the leaf, of 6–7, of 4–7 and of 0–7, in
 * this order. So each row is written once and never changed, every future node has one place, and a
 * proof reads as many rows by primary key as it has hashes (ADR 45).
 */
export function placeOf({ level, index }: NodeAddress): { position: number; level: number } {
  return { position: (index + 1) * 2 ** level - 1, level }
}

/** The number of complete subtrees with more than one leaf, in a tree of this many leaves. */
export function nodesBefore(leaves: number): number {
  return leaves - onesOf(leaves)
}

/**
 * The offsets of each leaf's subtrees among all subtrees that these leaves complete, from index `first`
 * on. The last entry is the end.
 */
export function nodeBegins(first: number, leaves: number): number[] {
  const begins = [0]
  let begin = 0
  for (let index = first; index < first + leaves; index++) {
    // A leaf completes one subtree for each trailing 1 of its binary index.
    for (let rest = index; rest % 2 === 1; rest = (rest - 1) / 2) begin++
    begins.push(begin)
  }
  return begins
}

/**
 * The number of 1s in the binary number: each is a complete subtree that waits for its right sibling.
 */
export function onesOf(size: number): number {
  let ones = 0
  for (let rest = size; rest > 0; rest = Math.floor(rest / 2)) ones += rest % 2
  return ones
}

/** The complete subtrees that make up a range of leaves, from the left. */
export function subtreesOf({ begin, end }: LeafRange): NodeAddress[] {
  const addresses: NodeAddress[] = []
  let at = begin
  while (at < end) {
    const level = levelAt(at, end)
    addresses.push({ level, index: at / 2 ** level })
    at += 2 ** level
  }
  return addresses
}

/** The level of the largest subtree that begins at `at` and does not exceed the end. */
function levelAt(at: number, end: number): number {
  let level = 0
  while (at % 2 ** (level + 1) === 0 && at + 2 ** (level + 1) <= end) level++
  return level
}
