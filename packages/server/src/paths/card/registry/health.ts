import type { Micros } from '../../../core/money.ts'
import type { Instant } from '../../../core/time/instant.ts'

/** An observation about a connection. */
export type Observation =
  | {
      /** The issuer asked, and the gateway answered. */
      readonly what: 'request'
      readonly tookMs: number
      readonly isApproved: boolean
      /** Whether the answer was the one for a missed deadline. */
      readonly isLate: boolean
    }
  | { readonly what: 'event' }
  /** The issuer decided by itself, because no answer of the gateway reached it in time. */
  | { readonly what: 'unheard' }
  | { readonly what: 'signature_failure' }
  /** Money moved that no request covers. */
  | { readonly what: 'ungoverned' }
  | { readonly what: 'unknown_card'; readonly card: UnknownCard }

/** An unregistered card in an issuer's request or capture. */
export interface UnknownCard {
  readonly externalId: string
  readonly last4: string | null
  readonly merchantName: string | null
  readonly amount: Micros | null
  readonly currency: string | null
}

export interface SeenUnknownCard extends UnknownCard {
  readonly count: number
  readonly lastAt: Instant
}

/** Sums over a day. */
export interface HealthSums {
  readonly signatureFailures: number
  readonly timeouts: number
  readonly ungoverned: number
  readonly unknownCards: number
  /**
   * The number of answers within each step of LATENCY_STEPS_MS; the last entry counts all slower ones.
   */
  readonly latencies: readonly number[]
}

export const LATENCY_STEPS_MS = [
  1, 2, 3, 5, 8, 12, 20, 30, 50, 80, 120, 200, 300, 500, 800, 1_200, 2_000, 3_000, 5_000,
] as const

export const NO_SUMS: HealthSums = {
  signatureFailures: 0,
  timeouts: 0,
  ungoverned: 0,
  unknownCards: 0,
  latencies: Array(LATENCY_STEPS_MS.length + 1).fill(0),
}

export function latencyPlace(tookMs: number): number {
  const place = LATENCY_STEPS_MS.findIndex((step) => tookMs <= step)
  return place === -1 ? LATENCY_STEPS_MS.length : place
}

/**
 * The step within which 95 of 100 answers stayed; null if there were none. Slower ones count as the
 * last step.
 */
export function p95Of(latencies: readonly number[]): number | null {
  const total = latencies.reduce((sum, count) => sum + count, 0)
  if (total === 0) return null
  let counted = 0
  const place = latencies.findIndex((count) => {
    counted += count
    return counted >= total * 0.95
  })
  return LATENCY_STEPS_MS[place] ?? LATENCY_STEPS_MS.at(-1) ?? null
}

const HOUR_MS = 60 * 60 * 1_000
/** Events about authorizations arrive within seconds, those about captures within a day. */
const SILENT_AFTER_MS = 24 * HOUR_MS
/** If no event has ever arrived, the issuer's webhooks were most likely never set up. */
const NEVER_HEARD_AFTER_MS = 10 * 60 * 1_000

export type HealthWarning = 'events_silent'

interface Heard {
  readonly lastEventAt: Instant | null
  readonly unheardSince: Instant | null
}

/** The warnings that a person should look into. */
export function warningsOf({ lastEventAt, unheardSince }: Heard, now: Instant): HealthWarning[] {
  if (unheardSince === null) return []
  const patienceMs = lastEventAt === null ? NEVER_HEARD_AFTER_MS : SILENT_AFTER_MS
  return now - unheardSince >= patienceMs ? ['events_silent'] : []
}
