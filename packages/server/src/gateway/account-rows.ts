import { type Counter, expiresAt, toRow } from '../core/counters/counter.ts'
import type { MandateAccount } from '../core/decision/account.ts'
import type { BudgetEvent } from '../core/decision/budget-events.ts'
import { ADJUSTED } from '../core/events/event.ts'
import { outcomeOf } from '../core/events/outcome.ts'
import { usageEvents } from '../core/events/usage-events.ts'
import type { Policy } from '../core/mandates/policy.ts'
import type { Plan } from '../core/plan.ts'
import type { Instant } from '../core/time/instant.ts'
import type { Transaction } from '../core/transaction.ts'
import type { LockedMandate } from '../storage/decisions/locked-mandates.ts'
import type { MandateFigures } from '../storage/decisions/store-decisions.ts'
import type { StoredCounter } from '../storage/decisions/store-usage.ts'
import { newId } from '../storage/new-id.ts'
import type { EventRow } from '../storage/webhooks/events.ts'
import { type Subscription, toPlanRows, untoldUnless } from '../storage/webhooks/subscriptions.ts'

/* Conversions between the values that core calculates with and the rows that storage keeps. */

export function toAccount(
  mandate: LockedMandate,
  policyOf: (mandate: LockedMandate) => Policy,
): MandateAccount {
  return {
    policy: policyOf(mandate),
    agentId: mandate.agentId,
    status: mandate.status,
    budgetTotal: mandate.budgetTotal,
    spent: mandate.budgetSpent,
    held: mandate.budgetHeld,
    overdrawn: mandate.budgetOverdrawn,
    periodStart: mandate.spentPeriodStart,
  }
}

export function toFigures(account: MandateAccount): MandateFigures {
  return {
    id: account.policy.mandateId,
    budgetSpent: account.spent,
    budgetHeld: account.held,
    budgetOverdrawn: account.overdrawn,
    spentPeriodStart: account.periodStart,
  }
}

export function toEventRows(
  transactionId: string,
  events: readonly BudgetEvent[],
  now: Instant,
): EventRow[] {
  return events.map((event) => ({
    id: newId(now),
    transactionId,
    outcome: null,
    sample: null,
    ...event,
  }))
}

/** Returns the events for transactions that have changed. */
export function toOutcomeRows(
  changed: readonly { readonly before: Transaction; readonly after: Transaction }[],
  subscription: Subscription,
  now: Instant,
): EventRow[] {
  return changed.flatMap(({ before, after }): EventRow[] => {
    const outcome = outcomeOf(before, after)
    const { id: transactionId, agentId } = after
    const named = { ...NO_BUDGET, id: newId(now), transactionId, agentId }
    // No webhook receives this event, but the audit log must commit to the row's new figures.
    if (!outcome) return [{ ...named, kind: ADJUSTED, outcome: '{}', isUntold: true }]
    const told = { kind: outcome.kind, outcome: JSON.stringify(outcome.told) }
    return [{ ...named, ...told, ...untoldUnless(subscription, outcome.kind) }]
  })
}

interface PlanReads {
  readonly plan: Plan
  /** Read under the lock of the usage row. */
  readonly used: number
  readonly subscription: Subscription
  readonly now: Instant
}

/** Returns the plan's events for this many further evaluations. */
export function toUsageRows(reads: PlanReads, evaluations: number): readonly EventRow[] {
  const { plan, used, subscription, now } = reads
  const crossed = usageEvents({ plan, used }, { plan, used: used + evaluations }, now)
  return crossed.length === 0 ? NO_EVENTS : toPlanRows(crossed, subscription, now)
}

const NO_EVENTS: readonly EventRow[] = []

const NO_BUDGET = { mandateId: null, budgetTotal: null, budgetSpent: null, sample: null }

export function toStoredCounter([key, counter]: [string, Counter]): StoredCounter {
  return { key, buckets: toRow(counter), expiresAt: expiresAt(counter) }
}
