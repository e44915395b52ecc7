/**
 * A complete subtree: a leaf at level 0, eight leaves at level 3. `index` counts the subtrees of
 * the level from the left.
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
 * Returns where a node is stored. A subtree is complete with its last leaf, so its hash is stored
 * in the row of that leaf: the row of leaf 7 has the hashes of the leaf, of 6–7, of 4–7 and of 0–7,
 * in this order. So a row is written once and never changed, every possible node has exactly one
 * place, and a proof reads as many rows by primary key as it has hashes.
 */
export function placeOf({ level, index }: NodeAddress): { position: number; level: number } {
  return { position: (index + 1) * 2 ** level - 1, level }
}

/** The number of complete subtrees with more than one leaf, once there are this many leaves. */
export function nodesBefore(leaves: number): number {
  return leaves - onesOf(leaves)
}

/**
 * For leaves from index `first` on: where the subtrees that each leaf completes begin, in the list
 * of all completed subtrees. The last entry is the end of the list.
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

/** Counts the 1s of the binary number: each is a complete subtree that waits for its right sibling. */
export function onesOf(size: number): number {
  let ones = 0
  for (let rest = size; rest > 0; rest = Math.floor(rest / 2)) ones += rest % 2
  return ones
}

/** Splits a range of leaves into complete subtrees, from the left. */
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

/** The level of the largest subtree that begins here and does not go beyond the end. */
function levelAt(at: number, end: number): number {
  let level = 0
  while (at % 2 ** (level + 1) === 0 && at + 2 ** (level + 1) <= end) level++
  return level
}
