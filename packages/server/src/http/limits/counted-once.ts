import type { IncomingMessage } from 'node:http'
import type { RateLimit } from './rate-limit.ts'

/** A rate limit that knows which requests belong to one that was counted before. */
export interface CountedOnce {
  readonly rateLimit: RateLimit
  /** The limit does not count this request. */
  exempt(raw: IncomingMessage): void
}

/** For a request that the gateway sends to itself, on behalf of a request that it has counted. */
export function createCountedOnce(limit: RateLimit): CountedOnce {
  const exempted = new WeakSet<IncomingMessage>()
  return {
    rateLimit(request, reply) {
      if (!exempted.has(request.raw)) limit(request, reply)
    },
    exempt: (raw) => void exempted.add(raw),
  }
}
