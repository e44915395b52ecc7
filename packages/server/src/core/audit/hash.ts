import { hash } from 'node:crypto'

/** A SHA-256 hash: 32 bytes. */
export type Hash = Buffer

export const HASH_BYTES = 32

/** Leaves are counted in numbers that are held exactly. A proof has a hash more at most. */
const LEVELS_MAX = 54

const HEX = /^[0-9a-f]{64}$/
/** Different first bytes, so that nobody can pass an inner node off as a leaf (RFC 6962, 2.1). */
const LEAF = Buffer.of(0x00)
const NODE = 0x01

export function sha256(...parts: readonly Uint8Array[]): Hash {
  return hash('sha256', Buffer.concat(parts), 'buffer')
}

/** The root of a tree without leaves. */
export const EMPTY_ROOT: Hash = sha256()

export function hashLeaf(leaf: Uint8Array): Hash {
  return sha256(LEAF, leaf)
}

/** Used again for each node: joining three buffers would cost more than the hash. */
const node = Buffer.alloc(1 + HASH_BYTES * 2, NODE)

export function hashNode(left: Hash, right: Hash): Hash {
  node.set(left, 1)
  node.set(right, 1 + HASH_BYTES)
  // As a text of bytes it comes out of the library in half the time.
  return Buffer.from(hash('sha256', node, 'binary'), 'binary')
}

/** Hashes that stand one after the other. */
export function splitHashes(bytes: Buffer): Hash[] {
  const count = bytes.length / HASH_BYTES
  return Array.from({ length: count }, (_, at) =>
    bytes.subarray(at * HASH_BYTES, (at + 1) * HASH_BYTES),
  )
}

/** Undefined unless it is exactly the text that `toString('hex')` gives for a hash. */
export function parseHash(text: unknown): Hash | undefined {
  return typeof text === 'string' && HEX.test(text) ? Buffer.from(text, 'hex') : undefined
}

/** Undefined unless each entry is a hash, or where there are more than the tree can have levels. */
export function parseHashes(texts: unknown): Hash[] | undefined {
  if (!Array.isArray(texts) || texts.length > LEVELS_MAX) return undefined
  const hashes: Hash[] = []
  for (const text of texts) {
    const parsed = parseHash(text)
    if (!parsed) return undefined
    hashes.push(parsed)
  }
  return hashes
}
