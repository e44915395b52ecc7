import { Problem } from '../base/errors.ts'

/**
 * An Idempotency-Key and the space in which it is unique: the id of an agent, of a provider's connection,
 * or of the organization itself.
 */
export interface SpacedKey {
  readonly space: string
  readonly key: string
}

/** The key of one request, and the fingerprint that distinguishes it from other requests. */
export interface IdempotencyKey extends SpacedKey {
  readonly fingerprint: Buffer
  /**
   * Whether a stored fingerprint belongs to this request. It may have been stored in an older form.
   */
  matches(stored: Buffer): boolean
}

export function keyInFlight(retryAfterSeconds: number): Problem {
  return new Problem(
    'idempotency_in_flight',
    'The first request with this Idempotency-Key is still running. Retry shortly.',
    { retryAfterSeconds },
  )
}

export function keyReused(): Problem {
  return new Problem(
    'idempotency_key_reused',
    'This Idempotency-Key was already used for another request. Use a new key for a new request.',
  )
}
