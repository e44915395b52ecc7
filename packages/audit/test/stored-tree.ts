import {
  createFrontier,
  type Frontier,
  type Hash,
  type NodeAddress,
  placeOf,
  splitHashes,
} from '../src/index.ts'
import { sha256 } from '../src/node/crypto.ts'

/** A tree as storage will keep it: one row per leaf, with the nodes that the leaf completes. */
export interface StoredTree {
  readonly leafHashes: readonly Hash[]
  readonly frontier: Frontier
  read(address: NodeAddress): Hash | undefined
}

export function storedTree(leaves: readonly Uint8Array[]): StoredTree {
  const frontier = emptyFrontier()
  const leafHashes = leaves.map((leaf) => sha256(Buffer.concat([Buffer.of(0), leaf])))
  const rows = leafHashes.map((leafHash) => [leafHash, ...splitHashes(frontier.append(leafHash))])
  return {
    leafHashes,
    frontier,
    read(address) {
      const { position, level } = placeOf(address)
      return rows[position]?.[level]
    },
  }
}

export function emptyFrontier(): Frontier {
  const frontier = createFrontier(sha256)
  if (!frontier) throw new Error('An empty tree needs nothing.')
  return frontier
}

/** Leaves that differ. */
export function someLeaves(count: number): Buffer[] {
  return Array.from({ length: count }, (_, index) => Buffer.from(`leaf ${index}`))
}
