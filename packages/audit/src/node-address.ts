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
 * Where a node is stored. A subtree is complete with its last leaf, so its hash is kept in the row of
 * that leaf: the row of leaf 7 has the hashes of the leaf, of 6–7, of 4–7 and of 0–7, in this order.
 * So a row is written once and never changed, every node there will ever be has one place, and a
 * proof takes as many rows by primary key as it has hashes.
 */
export function placeOf({ level, index }: NodeAddress): { position: number; level: number } {
  return { position: (index + 1) * 2 ** level - 1, level }
}

/** How many subtrees of more than one leaf are complete once there are so many leaves. */
export function nodesBefore(leaves: number): number {
  return leaves - onesOf(leaves)
}

/**
 * Where the subtrees of each leaf begin, among all that are completed by so many leaves from this index
 * on. The last entry is behind all of them.
 */
export function nodeBegins(first: number, leaves: number): number[] {
  const begins = [0]
  let begin = 0
  for (let index = first; index < first + leaves; index++) {
    // A leaf completes one subtree for each 1 at the end of its binary index.
    for (let rest = index; rest % 2 === 1; rest = (rest - 1) / 2) begin++
    begins.push(begin)
  }
  return begins
}

/** The 1s of the binary number: each is a complete subtree that waits for its right sibling. */
export function onesOf(size: number): number {
  let ones = 0
  for (let rest = size; rest > 0; rest = Math.floor(rest / 2)) ones += rest % 2
  return ones
}

/** The complete subtrees that the leaves of a range consist of, from the left. */
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

/** The largest subtree that begins here and does not go beyond the end. */
function levelAt(at: number, end: number): number {
  let level = 0
  while (at % 2 ** (level + 1) === 0 && at + 2 ** (level + 1) <= end) level++
  return level
}
