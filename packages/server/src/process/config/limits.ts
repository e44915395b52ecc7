import type { ReadVariable } from '../../paths/path.ts'
import { SETTINGS } from './settings.ts'
import { readCount } from './variables.ts'

/** The default limits of requests in flight. */
export const IN_FLIGHT_MAX = {
  perOrganization: Number(SETTINGS.PURSER_IN_FLIGHT_PER_ORG.default),
  perKey: Number(SETTINGS.PURSER_IN_FLIGHT_PER_KEY.default),
}

interface Limits {
  readonly inFlight: { readonly perOrganization: number; readonly perKey: number }
  /** Per key, on the plan self_hosted; null is unlimited. */
  readonly requestsPerMinute: number | null
  /** Spends that one database transaction decides at most. */
  readonly batchSizeMax: number
}

/** Reads how many requests a caller may send at once, and per minute on the plan self_hosted. */
export function readLimits(read: ReadVariable, mistakes: string[]): Limits {
  return {
    inFlight: {
      perOrganization:
        readCount('PURSER_IN_FLIGHT_PER_ORG', read, mistakes) ?? IN_FLIGHT_MAX.perOrganization,
      perKey: readCount('PURSER_IN_FLIGHT_PER_KEY', read, mistakes) ?? IN_FLIGHT_MAX.perKey,
    },
    requestsPerMinute: readCount('PURSER_REQUESTS_PER_MINUTE', read, mistakes) ?? null,
    batchSizeMax: readBatchSize(read, mistakes),
  }
}

const BATCH_SIZE_MAX = Number(SETTINGS.PURSER_BATCH_SIZE_MAX.default)

function readBatchSize(read: ReadVariable, mistakes: string[]): number {
  const size = readCount('PURSER_BATCH_SIZE_MAX', read, mistakes) ?? BATCH_SIZE_MAX
  if (size <= BATCH_SIZE_MAX) return size
  mistakes.push(`PURSER_BATCH_SIZE_MAX must be a whole number from 1 to ${BATCH_SIZE_MAX}.`)
  return BATCH_SIZE_MAX
}

/** Reads the delays of webhook retries. By default each is about six times the one before. */
export function readRetryDelays(read: ReadVariable, mistakes: string[]): readonly number[] {
  const fallback = SETTINGS.PURSER_WEBHOOK_RETRY_DELAYS.default
  const text = read('PURSER_WEBHOOK_RETRY_DELAYS') ?? fallback
  const delays = text
    .split(/[\s,]+/)
    .map((delay) => /^(\d{1,6})(ms|s|m|h)$/.exec(delay))
    .map((match) => Number(match?.[1]) * (UNIT_MS[match?.[2] ?? ''] ?? Number.NaN))
  if (delays.length > 20 || delays.some(Number.isNaN)) {
    mistakes.push(`PURSER_WEBHOOK_RETRY_DELAYS must be a list such as ${fallback}.`)
    return []
  }
  return delays
}

const UNIT_MS: Readonly<Record<string, number>> = { ms: 1, s: 1_000, m: 60_000, h: 3_600_000 }
