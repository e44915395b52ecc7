import type { MandateAccount } from '../core/account.ts'
import { type Counter, expiresAt, toRow } from '../core/counter.ts'
import type { Policy } from '../core/policy.ts'
import type { LockedMandate } from '../storage/account-reads.ts'
import type { MandateFigures, StoredCounter } from '../storage/decisions.ts'

/* Between what core reckons with and what storage keeps. */

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

export function toStoredCounter([key, counter]: [string, Counter]): StoredCounter {
  return { key, buckets: toRow(counter), expiresAt: expiresAt(counter) }
}
