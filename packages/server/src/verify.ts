export { type Checkpoint, openCheckpoint } from './core/audit/checkpoint.ts'
export {
  type ExportLine,
  type HeaderLine,
  type LeafLine,
  type ProofLine,
  parseExportLine,
} from './core/audit/export-line.ts'
export { createFrontier, type Frontier, statesIn } from './core/audit/frontier.ts'
export { type Hash, parseHash, parseHashes } from './core/audit/hash.ts'
export { commitTo, hashOfLeaf } from './core/audit/leaf.ts'
export { isCount } from './core/audit/proof.ts'
export type { NoteMistake } from './core/audit/signed-note.ts'
export { parseVerifierKey, type VerifierKey } from './core/audit/verifier-key.ts'
export { verifyConsistency, verifyInclusion } from './core/audit/verify-proof.ts'
