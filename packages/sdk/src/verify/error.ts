import { PurserError } from '../client/errors.ts'

/** Why a receipt or a proof is not accepted. */
export type ProofErrorCode =
  /** The decision has no receipt. */
  | 'receipt_missing'
  /** The receipt has no salt, because an agent may not see the whole decision. */
  | 'salt_withheld'
  /** The decision does not name its currency. */
  | 'currency_missing'
  /** The receipt belongs to a different decision, or the decision was changed. */
  | 'decision_mismatch'
  /** The proof contains no inclusion proof, or has an unknown form. */
  | 'proof_invalid'
  /** The proof is about a different leaf or a different audit log. */
  | 'proof_mismatch'
  /** A trusted key is not a key of an audit log. */
  | 'keys_invalid'
  /** No trusted key has signed the checkpoint. */
  | 'key_unknown'
  | 'signature_mismatch'
  /** The leaf is not in the signed audit log. */
  | 'not_included'
  /** The runtime lacks SHA-256 or Ed25519. */
  | 'crypto_unsupported'

export class ProofError extends PurserError {
  override readonly name = 'ProofError'
  override readonly code: ProofErrorCode

  constructor(code: ProofErrorCode, detail: string, cause?: unknown) {
    super(detail, { code, cause })
    this.code = code
  }
}
