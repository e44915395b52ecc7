import type { IdempotencyKey } from '../../src/core/idempotency.ts'

/** A key as a path passes it to the gateway. Two requests with the same `request` are the same. */
export function anIdempotencyKey(space: string, key: string, request = 'request'): IdempotencyKey {
  const fingerprint = Buffer.from(request)
  return { space, key, fingerprint, matches: (stored) => stored.equals(fingerprint) }
}
