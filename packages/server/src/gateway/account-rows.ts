import { type Counter, expiresAt, toRow } from '../core/counters/counter.ts'
import type { MandateAccount } from '../core/decision/account.ts'
import type { BudgetEvent } from '../core/decision/budget-events.ts'
import type { Policy } from '../core/mandates/policy.ts'
import type { Instant } from '../core/time/instant.ts'
import type { LockedMandate } from '../storage/decisions/read-accounts.ts'
import type { MandateFigures, StoredCounter } from '../storage/decisions/store-decisions.ts'
import { newId } from '../storage/new-id.ts'
import type { EventRow } from '../storage/webhooks/events.ts'

/* Conversions between what core calculates with and what storage keeps. */

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
  return events.map((event) => ({ id: newId(now), transactionId, sample: null, ...event }))
}

export function toStoredCounter([key, counter]: [string, Counter]): StoredCounter {
  return { key, buckets: toRow(counter), expiresAt: expiresAt(counter) }
}
