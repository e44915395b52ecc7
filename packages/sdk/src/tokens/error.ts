import { PurserError } from '../client/errors.ts'

/** Why a mandate token is not accepted. */
export type MandateTokenErrorCode =
  /** An option is wrong: the program has to be changed. */
  | 'options_invalid'
  /** The text is not a token, or is too long. */
  | 'token_malformed'
  /** The header names a different algorithm or type, or a key of its own. */
  | 'header_refused'
  /** A different issuer made the token. */
  | 'issuer_mismatch'
  /** The token is for a different recipient. */
  | 'audience_mismatch'
  /** The issuer does not publish the key that the token names. */
  | 'key_unknown'
  /** The keys of the issuer cannot be read now: try again later. */
  | 'keys_unavailable'
  | 'signature_mismatch'
  | 'token_expired'
  | 'token_not_yet_valid'
  /** A claim is missing or has the wrong type. */
  | 'claims_invalid'
  /** The token has a constraint that the program does not know. */
  | 'constraint_unknown'
  /** The `signal` of the caller ended the call. */
  | 'aborted'

export class MandateTokenError extends PurserError {
  override readonly name = 'MandateTokenError'
  override readonly code: MandateTokenErrorCode

  constructor(code: MandateTokenErrorCode, detail: string, cause?: unknown) {
    super(detail, { code, cause })
    this.code = code
  }
}
