import { PLANS, type Plan, usageMonth } from '../plan.ts'
import { type Instant, toIso } from '../time/instant.ts'
import type { UsageKind } from './event.ts'

/** The plan, and the number of its evaluations used this month. */
export interface PlanUse {
  readonly plan: Plan
  readonly used: number
}

export interface UsageEvent {
  readonly kind: UsageKind
  /** The event's data, as it was then. */
  readonly told: object
}

const LINES: readonly (readonly [percent: number, kind: UsageKind])[] = [
  [80, 'usage.warning'],
  [100, 'usage.exhausted'],
]
const NONE: readonly UsageEvent[] = []

/**
 * The thresholds that usage crosses upwards, the lower one first. `before` is the locked count of the
 * month, so each threshold is crossed by exactly one evaluation, whichever gateway counts it.
 */
export function usageEvents(before: PlanUse, after: PlanUse, now: Instant): readonly UsageEvent[] {
  const { plan, used } = after
  const limit = PLANS[plan].evaluationsPerMonth
  if (limit === null) return NONE
  const crossed = LINES.filter(
    ([percent]) => !isBeyond(percent, before) && isBeyond(percent, after),
  )
  if (crossed.length === 0) return NONE
  const percentUsed = Math.min(100, Math.floor((used * 100) / limit))
  const told = { plan, limit, used, percentUsed, resetsAt: toIso(usageMonth(now).resetsAt) }
  return crossed.map(([, kind]) => ({ kind, told }))
}

function isBeyond(percent: number, { plan, used }: PlanUse): boolean {
  const limit = PLANS[plan].evaluationsPerMonth
  return limit !== null && used * 100 >= limit * percent
}
