import { PurserError } from '../client/errors.ts'

/** Why a request is not accepted as a webhook of the gateway. */
export type WebhookErrorCode =
  /** The secret is missing or is not a webhook secret. */
  | 'secret_invalid'
  /** The caller passed a parsed body, or a framework has already read the body. */
  | 'body_not_raw'
  /** A signature header is missing. */
  | 'header_missing'
  /** A signature header has an impossible value. */
  | 'header_invalid'
  /** No secret made any of the signatures. */
  | 'signature_mismatch'
  /** The signature is older or newer than five minutes. */
  | 'timestamp_out_of_range'
  /** The signature is right, but the body is not an event. */
  | 'body_invalid'

export class WebhookVerificationError extends PurserError {
  override readonly name = 'WebhookVerificationError'
  override readonly code: WebhookErrorCode

  constructor(code: WebhookErrorCode, detail: string) {
    super(detail, { code })
    this.code = code
  }
}
