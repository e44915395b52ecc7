import { type ExportLine, isCount, parseHash, parseHashes } from '@purser/server/verify'
import { fieldsOf, parseJson } from './json-fields.ts'

/**
 * The lines that say what an answer of `GET /audit-log/proof` says; undefined for any other text. The
 * public keys that are in it count for nothing: they come from whoever is to be checked.
 */
export function readProofAnswer(text: string): readonly ExportLine[] | undefined {
  const { log, checkpoint, inclusion, consistency } = fieldsOf(parseJson(text))
  if (typeof log !== 'string' || typeof checkpoint !== 'string') return undefined
  const leaves = inclusion === null ? [] : [toLeaf(inclusion)]
  const proofs = consistency === null ? [] : [toProof(consistency)]
  const proven = [...leaves, ...proofs]
  if (!proven.every((line) => line !== undefined)) return undefined
  return [
    { type: 'header', version: 1, log, content: 'proofs', from: 0, frontier: [] },
    { type: 'checkpoint', note: checkpoint },
    ...proven,
  ]
}

function toLeaf(value: unknown): ExportLine | undefined {
  const { index, leaf, hashes } = fieldsOf(value)
  const [hash, proof] = [parseHash(leaf), parseHashes(hashes)]
  if (!isCount(index) || !hash || !proof) return undefined
  return { type: 'leaf', index, hash, proof }
}

function toProof(value: unknown): ExportLine | undefined {
  const { from, root: text, hashes: texts } = fieldsOf(value)
  const [root, hashes] = [parseHash(text), parseHashes(texts)]
  if (!isCount(from) || !root || !hashes) return undefined
  return { type: 'proof', size: from, root, hashes }
}
