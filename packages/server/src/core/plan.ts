/** The limits of a plan; null is unlimited. */
export interface PlanLimits {
  readonly evaluationsPerMonth: number | null
  readonly requestsPerMinute: number | null
  readonly agents: number | null
}

export const PLANS = {
  free: { evaluationsPerMonth: 1_000, requestsPerMinute: 60, agents: 5 },
  pro: { evaluationsPerMonth: 50_000, requestsPerMinute: 600, agents: 50 },
  scale: { evaluationsPerMonth: 1_000_000, requestsPerMinute: 6_000, agents: 1_000 },
  self_hosted: { evaluationsPerMonth: null, requestsPerMinute: null, agents: null },
} as const satisfies Record<string, PlanLimits>

export type Plan = keyof typeof PLANS

/** The limit per key. A self-hosted installation has none, unless its operator sets one. */
export function requestsPerMinuteOf(plan: Plan, ofSelfHosted: number | null): number | null {
  return plan === 'self_hosted' ? ofSelfHosted : PLANS[plan].requestsPerMinute
}

/**
 * Plan usage is counted by UTC month, so that the count is the same wherever the organization is.
 */
export function usageMonth(at: number): UsageMonth {
  // Each decision asks several times, and nearly always for the same month.
  if (!(at >= last.start && at < last.resetsAt)) last = monthAt(at)
  return last
}

interface UsageMonth {
  readonly month: string
  readonly start: number
  readonly resetsAt: number
}

let last: UsageMonth = monthAt(0)

function monthAt(at: number): UsageMonth {
  const now = new Date(at)
  const start = Date.UTC(now.getUTCFullYear(), now.getUTCMonth(), 1)
  return {
    month: new Date(start).toISOString().slice(0, 10),
    start,
    resetsAt: Date.UTC(now.getUTCFullYear(), now.getUTCMonth() + 1, 1),
  }
}
