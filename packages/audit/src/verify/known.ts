import type { Sha256, VerifySignature } from '../steps.ts'
import type { VerifierKey } from '../verifier-key.ts'
import type { KeptHeads } from './kept-heads.ts'
import type { Receipts } from './receipts.ts'

/** The caller's cryptography. */
export interface Cryptography {
  readonly sha256: Sha256
  readonly verifySignature: VerifySignature
}

/** The verifier compares the export with this. None of it comes from the export. */
export interface Known extends Cryptography {
  readonly keys: readonly VerifierKey[]
  readonly heads: KeptHeads
  readonly receipts: Receipts
}
