import type { Bytes } from './bytes.ts'
import { EMPTY_ROOT, HASH_BYTES, type Hash, hashNode } from './hash.ts'
import { nodesBefore, onesOf, placeOf, subtreesOf } from './node-address.ts'
import type { Sha256 } from './steps.ts'

/**
 * The right edge of a tree: enough to append leaves and to compute the root. It holds one hash for
 * each 1 in the binary size, so it stays small however large the tree is.
 */
export interface Frontier {
  /** The number of leaves in the tree. */
  size(): number
  /** The roots of the complete subtrees, from the left (the largest) to the right. */
  nodes(): readonly Hash[]
  root(): Hash
  /**
   * Appends the hashes of one or more consecutive leaves. Returns the roots of the subtrees that
   * end with these leaves, without the leaves themselves: leaf by leaf, and for each from the
   * bottom up. They never change again; `node-address.ts` says where they are stored.
   */
  append(leafHashes: Uint8Array): Bytes
}

/**
 * Continues from the state of an earlier frontier. Returns undefined if the nodes do not match the
 * size.
 */
export function createFrontier(
  sha256: Sha256,
  startSize = 0,
  startNodes: readonly Hash[] = [],
): Frontier | undefined {
  if (!Number.isSafeInteger(startSize) || startSize < 0) return undefined
  if (startNodes.length !== onesOf(startSize)) return undefined
  let size = startSize
  const nodes = [...startNodes]
  return {
    size: () => size,
    nodes: () => [...nodes],
    root: () => joinNodes(nodes, sha256),
    append(leafHashes) {
      const grown = size + leafHashes.length / HASH_BYTES
      const completed = new Uint8Array((nodesBefore(grown) - nodesBefore(size)) * HASH_BYTES)
      let written = 0
      for (let at = 0; size < grown; at += HASH_BYTES, size++) {
        let top: Hash = leafHashes.subarray(at, at + HASH_BYTES)
        // Each trailing 1 of the size is a subtree that waits for its right sibling.
        for (let rest = size; rest % 2 === 1; rest = (rest - 1) / 2) {
          top = hashNode(nodes.pop() ?? EMPTY_ROOT, top, sha256)
          completed.set(top, written)
          written += HASH_BYTES
        }
        nodes.push(top)
      }
      return completed
    },
  }
}

interface TreeState {
  readonly size: number
  root(): Hash
}

/** The states of the tree that its frontier still shows: one at the end of each subtree. */
export function statesIn(frontier: Frontier, sha256: Sha256): TreeState[] {
  const nodes = frontier.nodes()
  const states = subtreesOf({ begin: 0, end: frontier.size() }).map((subtree, place) => ({
    size: placeOf(subtree).position + 1,
    root: () => joinNodes(nodes.slice(0, place + 1), sha256),
  }))
  return [{ size: 0, root: () => EMPTY_ROOT }, ...states]
}

/** Returns the root over adjacent subtrees, each larger than the next. */
export function joinNodes(nodes: readonly Hash[], sha256: Sha256): Hash {
  if (nodes.length === 0) return EMPTY_ROOT
  return nodes.reduceRight((right, left) => hashNode(left, right, sha256))
}
