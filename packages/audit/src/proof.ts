import { joinNodes } from './frontier.ts'
import type { Hash } from './hash.ts'
import { type LeafRange, type NodeAddress, subtreesOf } from './node-address.ts'
import type { Sha256 } from './steps.ts'

/**
 * The plan of a proof: one hash per range, which is the root over the leaves of the range. At most
 * one of the ranges is not a complete subtree (the right edge of the tree), so a proof needs at
 * most twice as many nodes as the tree has levels.
 */
export type ProofPlan = readonly LeafRange[]

/**
 * Plans a proof that the leaf is in the tree of this size (RFC 6962, 2.1.1). Returns undefined if
 * it cannot be.
 */
export function planInclusion(index: number, size: number): ProofPlan | undefined {
  if (!isCount(index) || !isCount(size) || index >= size) return undefined
  return [...siblingsOf(index, { begin: 0, end: size })].reverse()
}

/**
 * Plans a proof that the tree of the second size begins with the leaves of the first (RFC 6962,
 * 2.1.2). Returns undefined if it cannot, or if one of the sizes is not a valid count.
 */
export function planConsistency(first: number, second: number): ProofPlan | undefined {
  if (!isCount(first) || !isCount(second) || first > second) return undefined
  // Every tree extends the empty one and itself, so there is nothing to prove.
  if (first === 0 || first === second) return []
  const ranges: LeafRange[] = []
  let range: LeafRange = { begin: 0, end: second }
  while (range.end !== first) {
    const { left, right } = split(range)
    ranges.push(first <= left.end ? right : left)
    range = first <= left.end ? left : right
  }
  // The verifier knows the root of the first tree, so it is left out if it is a node itself.
  if (range.begin > 0) ranges.push(range)
  return ranges.reverse()
}

/** The nodes that a plan needs. Storage reads them in one statement. */
export function nodesOfPlan(plan: ProofPlan): NodeAddress[] {
  return plan.flatMap(subtreesOf)
}

/** Returns undefined if a node is missing. */
export function makeProof(
  plan: ProofPlan,
  read: (address: NodeAddress) => Hash | undefined,
  sha256: Sha256,
): Hash[] | undefined {
  const hashes: Hash[] = []
  for (const range of plan) {
    const nodes = subtreesOf(range).map(read)
    if (!nodes.every((node) => node !== undefined)) return undefined
    hashes.push(joinNodes(nodes, sha256))
  }
  return hashes
}

/** Yields the other half at each level, from the root down to the leaf. */
function* siblingsOf(index: number, whole: LeafRange): Generator<LeafRange> {
  let range = whole
  while (range.end - range.begin > 1) {
    const { left, right } = split(range)
    yield index < left.end ? right : left
    range = index < left.end ? left : right
  }
}

/** The left half has the largest power of two that is smaller than the whole. */
function split({ begin, end }: LeafRange): { left: LeafRange; right: LeafRange } {
  let half = 1
  while (half * 2 < end - begin) half *= 2
  return { left: { begin, end: begin + half }, right: { begin: begin + half, end } }
}

export function isCount(value: unknown): value is number {
  return Number.isSafeInteger(value) && typeof value === 'number' && value >= 0
}
