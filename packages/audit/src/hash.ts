import { type Bytes, fromHex } from './bytes.ts'
import type { Sha256 } from './steps.ts'

/** A SHA-256 hash: 32 bytes. */
export type Hash = Uint8Array

export const HASH_BYTES = 32

/** Leaf counts are numbers that JavaScript holds exactly. A proof has at most one hash more. */
const LEVELS_MAX = 54

const HEX = /^[0-9a-f]{64}$/
/**
 * The first byte differs from that of a leaf, so that an inner node cannot pass for a leaf (RFC
 * 6962, 2.1).
 */
const NODE = 0x01

/** The root of a tree without leaves: the hash of zero bytes. */
export const EMPTY_ROOT: Hash = fromHex(
  'e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855',
)

/** The bytes that are hashed for an inner node. */
export function nodeBytes(left: Hash, right: Hash): Bytes {
  return writeNode(new Uint8Array(1 + HASH_BYTES * 2), left, right)
}

/** Reused for each node, because allocating would cost a third of the hash. */
const scratch = new Uint8Array(1 + HASH_BYTES * 2)

export function hashNode(left: Hash, right: Hash, sha256: Sha256): Hash {
  return sha256(writeNode(scratch, left, right))
}

function writeNode(node: Bytes, left: Hash, right: Hash): Bytes {
  node[0] = NODE
  node.set(left, 1)
  node.set(right, 1 + HASH_BYTES)
  return node
}

/** Splits bytes into hashes. */
export function splitHashes(bytes: Uint8Array): Hash[] {
  const count = bytes.length / HASH_BYTES
  return Array.from({ length: count }, (_, at) =>
    bytes.subarray(at * HASH_BYTES, (at + 1) * HASH_BYTES),
  )
}

/** Returns undefined unless the text is 64 lower-case hexadecimal digits. */
export function parseHash(text: unknown): Hash | undefined {
  return typeof text === 'string' && HEX.test(text) ? fromHex(text) : undefined
}

/**
 * Returns undefined unless each entry is a hash, or if there are more entries than a tree can have
 * levels.
 */
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
