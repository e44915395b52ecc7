export { type Bytes, decodeBase64, equalBytes, fromHex, toBase64, toHex } from './bytes.ts'
export { canonicalTextOf, isSameJson, toCanonicalJson } from './canonical-json.ts'
export { type Checkpoint, checkpointSteps, openCheckpoint, signCheckpoint } from './checkpoint.ts'
export {
  type ExportLine,
  type HeaderLine,
  type LeafLine,
  type ProofLine,
  parseExportLine,
  writeExportLine,
} from './export-line.ts'
export { createFrontier, type Frontier, joinNodes } from './frontier.ts'
export {
  EMPTY_ROOT,
  HASH_BYTES,
  type Hash,
  parseHash,
  parseHashes,
  splitHashes,
} from './hash.ts'
export {
  commitmentBytes,
  commitTo,
  hashOfLeaf,
  type Leaf,
  type LeafSubject,
  leafBytes,
  makeLeaf,
  parseLeaf,
  SALT_BYTES,
} from './leaf.ts'
export { type NodeAddress, nodeBegins, placeOf, subtreesOf } from './node-address.ts'
export {
  makeProof,
  nodesOfPlan,
  type ProofPlan,
  planConsistency,
  planInclusion,
} from './proof.ts'
export {
  countersign,
  type NoteMistake,
  type NoteSigner,
  noteSteps,
  type OpenNote,
  openNote,
} from './signed-note.ts'
export {
  type HashSteps,
  runSteps,
  runStepsAsync,
  type Sha256,
  type SignatureCheck,
  type SignatureSteps,
  type Steps,
  type VerifySignature,
} from './steps.ts'
export {
  makeVerifierKey,
  parseVerifierKey,
  toVerifierKeyText,
  type VerifierKey,
  verifierKeySteps,
} from './verifier-key.ts'
export {
  type ConsistencyClaim,
  consistencySteps,
  type InclusionClaim,
  inclusionSteps,
  verifyConsistency,
  verifyInclusion,
} from './verify-proof.ts'
