import type { PurserError } from './errors.ts'

const FIRST_WAIT_MS = 500
const WAIT_MS_MAX = 8_000
/** The longest time of a timer, about 25 days. A longer one would end at once. */
export const TIMER_MS_MAX = 2 ** 31 - 1

/**
 * Whether the same request can succeed later. A decision is never among the errors, and what only a
 * person or the next month can change is not repeated.
 */
export function mayPass({ status, code, retryAfterSeconds }: PurserError): boolean {
  if (status === null) return code === 'network_error' || code === 'attempt_timeout'
  if (status === 429) return code !== 'plan_limit_exceeded'
  if (code === 'upstream_redirect') return false
  // Without `Retry-After`, the answer to this key stays the same.
  if (code === 'signer_unavailable') return retryAfterSeconds !== null
  return status === 408 || status >= 500 || code === 'idempotency_in_flight'
}

/**
 * Returns how long to wait before a retry; infinity if no retry helps. Waits grow and are random, so
 * that clients which failed together do not return together.
 */
export function waitBefore(retry: number, error: PurserError): number {
  if (!mayPass(error)) return Number.POSITIVE_INFINITY
  const grown = Math.min(FIRST_WAIT_MS * 2 ** (retry - 1), WAIT_MS_MAX)
  const jittered = grown * (0.5 + Math.random() / 2)
  return Math.max(jittered, (error.retryAfterSeconds ?? 0) * 1000)
}

/** Parses `Retry-After`: seconds, or a date as proxies send it. */
export function readRetryAfter(header: string | null): number | null {
  if (header === null) return null
  if (/^\d+$/.test(header.trim())) return Number(header)
  const at = Date.parse(header)
  return Number.isNaN(at) ? null : Math.max(0, (at - Date.now()) / 1000)
}

/** Ends early, without an error, when the signal is aborted. */
export function pause(ms: number, signal: AbortSignal | undefined): Promise<void> {
  return new Promise((resolve) => {
    const end = () => {
      clearTimeout(timer)
      signal?.removeEventListener('abort', end)
      resolve()
    }
    const timer = setTimeout(end, Math.min(ms, TIMER_MS_MAX))
    signal?.addEventListener('abort', end)
    if (signal?.aborted) end()
  })
}
