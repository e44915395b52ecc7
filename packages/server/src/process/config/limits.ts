import type { ReadVariable } from '../../paths/path.ts'
import { readCount } from './variables.ts'

/** How many requests may be in flight unless the environment says otherwise. */
export const IN_FLIGHT_MAX = { perOrganization: 1_024, perKey: 512 }

interface Limits {
  readonly inFlight: { readonly perOrganization: number; readonly perKey: number }
  /** Per key, on the plan self_hosted; null is unlimited. */
  readonly requestsPerMinute: number | null
}

/** What one caller may ask for at once, and in a minute where the plan says nothing. */
export function readLimits(read: ReadVariable, mistakes: string[]): Limits {
  return {
    inFlight: {
      perOrganization:
        readCount('PURSER_IN_FLIGHT_PER_ORG', read, mistakes) ?? IN_FLIGHT_MAX.perOrganization,
      perKey: readCount('PURSER_IN_FLIGHT_PER_KEY', read, mistakes) ?? IN_FLIGHT_MAX.perKey,
    },
    requestsPerMinute: readCount('PURSER_REQUESTS_PER_MINUTE', read, mistakes) ?? null,
  }
}

/** About 5 s, 30 s, 3 min and 18 min: each delay is six times the one before. */
const RETRY_DELAYS_MS = [5_000, 30_000, 180_000, 1_080_000]

/** The waits before a failed delivery is tried again, one for each retry. */
export function readRetryDelays(read: ReadVariable, mistakes: string[]): readonly number[] {
  const text = read('PURSER_WEBHOOK_RETRY_DELAYS')
  if (text === undefined) return RETRY_DELAYS_MS
  const delays = text
    .split(/[\s,]+/)
    .map((delay) => /^(\d{1,6})(ms|s|m|h)$/.exec(delay))
    .map((match) => Number(match?.[1]) * (UNIT_MS[match?.[2] ?? ''] ?? Number.NaN))
  if (delays.length > 20 || delays.some(Number.isNaN)) {
    mistakes.push('PURSER_WEBHOOK_RETRY_DELAYS must be a list such as 5s, 30s, 3m, 18m.')
    return RETRY_DELAYS_MS
  }
  return delays
}

const UNIT_MS: Readonly<Record<string, number>> = { ms: 1, s: 1_000, m: 60_000, h: 3_600_000 }
