import type { Instant } from '../core/time/instant.ts'

/** Each wait varies at random by up to this share, so that receivers are not hit in waves. */
const JITTER = 0.2

/**
 * When a failed attempt is repeated; null if it was the last.
 *
 * A receiver may ask for more time, but not for less, and for at most twice the plan: it can
 * neither make us hammer it nor keep a delivery open for ever.
 */
export function nextAttemptAt(
  delaysMs: readonly number[],
  failuresBefore: number,
  now: Instant,
  random: number,
  retryAfterMs: number | undefined,
): Instant | null {
  const base = delaysMs[failuresBefore]
  if (base === undefined) return null
  const drawn = base * (1 + JITTER * (2 * random - 1))
  const asked = retryAfterMs === undefined ? 0 : Math.min(retryAfterMs, 2 * base)
  return now + Math.round(Math.max(drawn, asked))
}

/**
 * The wait that a `Retry-After` asks for, in seconds or as a date; undefined if it asks for none.
 */
export function readRetryAfter(header: string | undefined, now: Instant): number | undefined {
  if (header === undefined) return undefined
  if (/^\d{1,9}$/.test(header)) return Number(header) * 1_000
  const at = Date.parse(header)
  return Number.isNaN(at) ? undefined : Math.max(0, at - now)
}
