import type { FastifyReply, FastifyRequest } from 'fastify'
import { Problem } from '../../base/errors.ts'
import { requestsPerMinuteOf } from '../../core/plan.ts'

const WINDOW_MS = 60_000
const KEYS_MAX = 10_000

/** Counts a request of its key, states the rest in headers, and refuses one beyond the limit. */
export type RateLimit = (request: FastifyRequest, reply: FastifyReply) => void

interface Window {
  readonly endsAt: number
  count: number
}

/**
 * Limits requests per minute and key, by the organization's plan. It counts in the process, which
 * is enough to keep one caller from crowding out the others. Billing does not use it: the plan's
 * evaluations are counted exactly, with the decisions. Plans without a limit get no headers,
 * because there is no number to show. `ofSelfHosted` is the operator's limit for the self-hosted
 * plan, which has none of its own.
 */
export function createRateLimit(now: () => number, ofSelfHosted: number | null): RateLimit {
  const windows = new Map<string, Window>()

  function currentWindow(keyId: string, at: number): Window {
    const window = windows.get(keyId)
    if (window && at < window.endsAt) return window
    if (windows.size >= KEYS_MAX) windows.clear()
    const fresh = { endsAt: at + WINDOW_MS, count: 0 }
    windows.set(keyId, fresh)
    return fresh
  }

  return ({ principal, plan }, reply) => {
    const limit = requestsPerMinuteOf(plan, ofSelfHosted)
    if (limit === null) return
    const at = now()
    const window = currentWindow(principal.id, at)
    window.count += 1
    const resetSeconds = Math.ceil((window.endsAt - at) / 1_000)
    reply.header('ratelimit-limit', String(limit))
    reply.header('ratelimit-remaining', String(Math.max(0, limit - window.count)))
    reply.header('ratelimit-reset', String(resetSeconds))
    if (window.count <= limit) return
    throw new Problem(
      'rate_limited',
      `The plan ${plan} allows ${limit} requests a minute per key. Wait ${resetSeconds} s.`,
      { retryAfterSeconds: resetSeconds, extra: { limited: 'requests_per_minute', plan, limit } },
    )
  }
}
