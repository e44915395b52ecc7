import type { Account, MandateAccount, VendorHistory } from '../core/account.ts'
import type { Counter } from '../core/counter.ts'
import type { Decision } from '../core/decide.ts'
import { usageMonth } from '../core/plan.ts'
import type { Spend } from '../core/spend.ts'
import type { Statement } from '../storage/database.ts'
import {
  isPastItsTime,
  type NewDecisionKey,
  removeKeys,
  storeDecisionKeys,
} from '../storage/decision-keys.ts'
import {
  countEvaluations,
  type DecisionRow,
  type StoredVendor,
  storeCounters,
  storeDecisions,
  storeVendors,
} from '../storage/decisions.ts'
import { type EventRow, storeEvents, storeTransactionEvents } from '../storage/events.ts'
import { toEventRows, toFigures, toStoredCounter } from './account-rows.ts'
import { type Ledger, pairOf } from './ledger.ts'

/** The ledger as it stands while a batch is judged, and what has to be written of it. */
export interface Books {
  /** What the spend is judged by: the ledger, with everything the batch has decided so far. */
  account(spend: Spend): Account
  record(
    decision: Decision,
    row: DecisionRow,
    key: NewDecisionKey | undefined,
    alongside: Statement | undefined,
  ): void
  /** How many were recorded: each is one evaluation of the plan. */
  readonly count: number
  /** In the order in which they must be sent. Empty when nothing was recorded. */
  statements(): Statement[]
}

export function openBooks(ledger: Ledger): Books {
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
      const spender = ledger.spender(spend.agentId)
      if (!spender) throw new Error('An unknown agent has no account.')
      return {
        organization: spender,
        agent: { id: spend.agentId, status: spender.status, tags: spender.tags },
        mandates: ledger.line(spend.agentId).map(current),
        usage: {
          counter: (key) => counters.get(key) ?? ledger.counter(key),
          vendor: vendors.get(pairOf(spend))?.history ?? ledger.vendor(spend),
        },
      }
    },

    record(decision, row, key, alongside) {
      rows.push(row)
      if (key) keys.push(key)
      if (decision.decision === 'rejected') return
      if (alongside) ofPaths.push(alongside)
      for (const [counterKey, counter] of decision.counters) counters.set(counterKey, counter)
      for (const account of decision.mandates) mandates.set(account.policy.mandateId, account)
      if (decision.vendor) {
        vendors.set(pairOf(decision.spend), { spend: decision.spend, history: decision.vendor })
      }
      budgetEvents.push(...toEventRows(decision.spend.transactionId, decision.budgetEvents))
    },

    statements() {
      if (rows.length === 0) return []
      const { organizationId, now } = ledger
      const figures = [...mandates.values()].map(toFigures)
      const { month } = usageMonth(now)
      const statements = [storeDecisions(organizationId, now, rows, figures), ...ofPaths]
      const expired = [...ledger.keys.values()].filter((row) => isPastItsTime(row, now))
      if (expired.length > 0)
        statements.push(
          removeKeys(
            organizationId,
            expired.map(({ key }) => key),
          ),
        )
      if (keys.length > 0) statements.push(storeDecisionKeys(organizationId, now, keys))
      if (counters.size > 0) {
        statements.push(storeCounters(organizationId, [...counters].map(toStoredCounter)))
      }
      if (vendors.size > 0) {
        statements.push(storeVendors(organizationId, [...vendors.values()].map(toStoredVendor)))
      }
      // Last, because every process that serves the organization updates these two rows.
      statements.push(countEvaluations(organizationId, month, rows.length))
      statements.push(storeTransactionEvents(organizationId, now, rows, ledger.hasWebhook))
      if (budgetEvents.length > 0) {
        statements.push(storeEvents(organizationId, now, budgetEvents, ledger.hasWebhook))
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
}): StoredVendor {
  return { agentId: spend.agentId, vendor: spend.vendor, ...history }
}
