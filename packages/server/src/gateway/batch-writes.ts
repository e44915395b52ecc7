import type { Counter } from '../core/counters/counter.ts'
import type { Account, MandateAccount, VendorHistory } from '../core/decision/account.ts'
import type { Decision } from '../core/decision/decide.ts'
import { usageMonth } from '../core/plan.ts'
import type { Spend } from '../core/spend.ts'
import {
  isPastItsTime,
  type NewDecisionKey,
  removeKeys,
  storeDecisionKeys,
} from '../storage/decisions/decision-keys.ts'
import {
  countEvaluations,
  type DecisionRow,
  type StoredVendorHistory,
  storeCounters,
  storeDecisions,
  storeVendorHistories,
} from '../storage/decisions/store-decisions.ts'
import type { Statement } from '../storage/engine/database.ts'
import { type EventRow, storeEvents, storeTransactionEvents } from '../storage/webhooks/events.ts'
import { toEventRows, toFigures, toStoredCounter } from './account-rows.ts'
import { type BatchReads, pairOf } from './batch-reads.ts'

/** The reads as they stand while a batch is judged, and what has to be written of it. */
export interface BatchWrites {
  /** What the spend is judged by: the reads, with everything the batch has decided so far. */
  account(spend: Spend): Account
  record(
    decision: Decision,
    row: DecisionRow,
    key: NewDecisionKey | undefined,
    alongside: readonly Statement[],
  ): void
  /** How many were recorded: each is one evaluation of the plan. */
  readonly count: number
  /** In the order in which they must be sent. Empty when nothing was recorded. */
  statements(): Statement[]
}

export function collectWrites(reads: BatchReads): BatchWrites {
  const rows: DecisionRow[] = []
  const keys: NewDecisionKey[] = []
  const budgetEvents: EventRow[] = []
  const ofPaths: Statement[] = []
  const mandates = new Map<string, MandateAccount>()
  const counters = new Map<string, Counter>()
  const vendors = new Map<string, { readonly spend: Spend; readonly history: VendorHistory }>()

  const current = (account: MandateAccount): MandateAccount =>
    mandates.get(account.policy.mandateId) ?? account

  return {
    get count() {
      return rows.length
    },

    account(spend) {
      const spender = reads.spender(spend.agentId)
      if (!spender) throw new Error('An unknown agent has no account.')
      return {
        organization: spender,
        agent: { id: spend.agentId, status: spender.status, tags: spender.tags },
        mandates: reads.line(spend.agentId).map(current),
        usage: {
          counter: (key) => counters.get(key) ?? reads.counter(key),
          vendor: vendors.get(pairOf(spend))?.history ?? reads.vendor(spend),
        },
      }
    },

    record(decision, row, key, alongside) {
      rows.push(row)
      if (key) keys.push(key)
      ofPaths.push(...alongside)
      if (decision.decision === 'rejected') return
      for (const [counterKey, counter] of decision.counters) counters.set(counterKey, counter)
      for (const account of decision.mandates) mandates.set(account.policy.mandateId, account)
      if (decision.vendor) {
        vendors.set(pairOf(decision.spend), { spend: decision.spend, history: decision.vendor })
      }
      budgetEvents.push(...toEventRows(decision.spend.transactionId, decision.budgetEvents))
    },

    statements() {
      if (rows.length === 0) return []
      const { organizationId, now } = reads
      const figures = [...mandates.values()].map(toFigures)
      const { month } = usageMonth(now)
      const statements = [storeDecisions(organizationId, now, rows, figures), ...ofPaths]
      const expired = [...reads.keys.values()].filter((row) => isPastItsTime(row, now))
      if (expired.length > 0) statements.push(removeKeys(organizationId, expired))
      if (keys.length > 0) statements.push(storeDecisionKeys(organizationId, now, keys))
      if (counters.size > 0) {
        statements.push(storeCounters(organizationId, [...counters].map(toStoredCounter)))
      }
      if (vendors.size > 0) {
        statements.push(
          storeVendorHistories(organizationId, [...vendors.values()].map(toStoredVendor)),
        )
      }
      // Last, because every process that serves the organization updates these two rows.
      statements.push(countEvaluations(organizationId, month, rows.length))
      statements.push(storeTransactionEvents(organizationId, now, rows, reads.hasWebhook))
      if (budgetEvents.length > 0) {
        statements.push(storeEvents(organizationId, now, budgetEvents, reads.hasWebhook))
      }
      return statements
    },
  }
}

function toStoredVendor({
  spend,
  history,
}: {
  spend: Spend
  history: VendorHistory
}): StoredVendorHistory {
  return { agentId: spend.agentId, vendor: spend.vendor, ...history }
}
