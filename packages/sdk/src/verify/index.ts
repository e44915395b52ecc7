export {
  checkEntry,
  type EntryCheck,
  type EntryEvidence,
  type EntryLike,
  type StepOutcome,
} from './check-entry.ts'
export type { DecisionLike, DetailsLike } from './decision-leaf.ts'
export { ProofError, type ProofErrorCode } from './error.ts'
export {
  type ProofLike,
  type ProvenInclusion,
  type ReceiptLike,
  type TrustedKeys,
  verifyInclusion,
} from './verify-inclusion.ts'
export { type ProvenReceipt, verifyReceipt } from './verify-receipt.ts'
