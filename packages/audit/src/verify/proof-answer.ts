import type { ExportLine } from '../export-line.ts'
import { parseHash, parseHashes } from '../hash.ts'
import { isCount } from '../proof.ts'
import { type Fields, fieldsOf, parseJson } from './json-fields.ts'

export interface ProofAnswer {
  readonly lines: readonly ExportLine[]
  /** The size that the answer states for its checkpoint. */
  readonly size: number
}

/**
 * Converts an answer of `GET /audit-log/proof` into export lines; undefined for any other text. The
 * public keys in the answer are ignored: they come from the party that is being checked.
 */
export function readProofAnswer(text: string): ProofAnswer | undefined {
  const { log, checkpoint, inclusion, consistency, size, keys, ...others } = fieldsOf(
    parseJson(text),
  )
  if (typeof log !== 'string' || typeof checkpoint !== 'string' || !isCount(size)) return undefined
  if (!Array.isArray(keys) || hasAny(others)) return undefined
  const leaves = inclusion === null ? [] : [toLeaf(inclusion)]
  const proofs = consistency === null ? [] : [toProof(consistency)]
  const proven = [...leaves, ...proofs]
  if (!proven.every((line) => line !== undefined)) return undefined
  const lines = [
    { type: 'header', version: 1, log, content: 'proofs', from: 0, frontier: [] },
    { type: 'checkpoint', note: checkpoint },
    ...proven,
  ] as const
  return { lines, size }
}

function toLeaf(value: unknown): ExportLine | undefined {
  const { index, leaf, hashes, ...others } = fieldsOf(value)
  const [hash, proof] = [parseHash(leaf), parseHashes(hashes)]
  if (!isCount(index) || !hash || !proof || hasAny(others)) return undefined
  return { type: 'leaf', index, hash, proof }
}

function toProof(value: unknown): ExportLine | undefined {
  const { from, root: text, hashes: texts, ...others } = fieldsOf(value)
  const [root, hashes] = [parseHash(text), parseHashes(texts)]
  if (!isCount(from) || !root || !hashes || hasAny(others)) return undefined
  return { type: 'proof', size: from, root, hashes }
}

/** Unverified fields must not be there, because a reader could take them for proven. */
function hasAny(fields: Fields): boolean {
  return Object.keys(fields).length > 0
}
