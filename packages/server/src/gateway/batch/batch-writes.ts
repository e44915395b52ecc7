import type { Counter } from '../../core/counters/counter.ts'
import type { Account, MandateAccount, VendorHistory } from '../../core/decision/account.ts'
import type { Decision } from '../../core/decision/decide.ts'
import { requestedData } from '../../core/events/approval-event.ts'
import type { EventKind } from '../../core/events/event.ts'
import type { IdempotencyKey, SpacedKey } from '../../core/idempotency.ts'
import { isIncrement, type Spend } from '../../core/spend.ts'
import type { NewRequest } from '../../storage/approvals/requests.ts'
import { keepClockGap } from '../../storage/clock-gaps.ts'
import {
  isPastItsTime,
  type NewDecisionKey,
  removeKeys,
  setTold,
  storeDecisionKeys,
} from '../../storage/decisions/decision-keys.ts'
import type { SpenderRow } from '../../storage/decisions/read-accounts.ts'
import {
  type DecisionRow,
  flagDecisions,
  markIncrements,
  storeDecisions,
} from '../../storage/decisions/store-decisions.ts'
import {
  countEvaluations,
  type StoredVendorHistory,
  storeCounters,
  storeVendorHistories,
} from '../../storage/decisions/store-usage.ts'
import type { Statement } from '../../storage/engine/database.ts'
import { joinRows, type RowStatement } from '../../storage/engine/row-statement.ts'
import { toApprovalEvent } from '../../storage/webhooks/approval-events.ts'
import {
  type EventRow,
  storeEvents,
  storeTransactionEvents,
} from '../../storage/webhooks/events.ts'
import { queueEvents } from '../../storage/webhooks/queue-events.ts'
import { queueWanted, untoldUnless } from '../../storage/webhooks/subscriptions.ts'
import { toEventRows, toFigures, toStoredCounter, toUsageRows } from '../account-rows.ts'
import type { QueuedSubmission } from '../deadlines/deadline.ts'
import { type ApprovalUrl, type Asks, collectAsks } from './asks.ts'
import type { BatchReads } from './batch-reads.ts'
import { pairOf } from './history-reads.ts'

/** The state of the reads as it changes while a batch is judged, and the writes of the batch. */
export interface BatchWrites {
  /** The account that judges the spend: the reads, plus all decisions of the batch so far. */
  account(spend: Spend): Account
  /**
   * The approval requests of the batch. Created only on demand, because hardly any batch has one.
   */
  asks(): Asks
  add(decision: Decision, row: DecisionRow, submission: QueuedSubmission): void
  /** Marks the approval stored under this key as answered to a retry. */
  noteTold(key: SpacedKey): void
  /** How many decisions use an evaluation of the plan: all except recorded money (`isUnasked`). */
  evaluations(): number
  /** The statements in the order in which they must be sent. Empty if there is nothing to store. */
  statements(): Statement[]
}

export function collectWrites(reads: BatchReads, urlOf: ApprovalUrl): BatchWrites {
  const rows: DecisionRow[] = []
  const unasked: string[] = []
  const increments: string[] = []
  const told: SpacedKey[] = []
  const keys: NewDecisionKey[] = []
  const budgetEvents: EventRow[] = []
  const ofPaths: (Statement | RowStatement)[] = []
  const mandates = new Map<string, MandateAccount>()
  const counters = new Map<string, Counter>()
  const counter = (key: string) => counters.get(key) ?? reads.counter(key)
  let asks: Asks | undefined
  const vendors = new Map<string, { readonly spend: Spend; readonly history: VendorHistory }>()

  return {
    // No getter: V8 would make a hidden class for each batch, and that class would keep everything that
    // the batch has allocated in memory until the next full collection.
    evaluations: () => rows.length - unasked.length,

    account(spend) {
      const vendor = vendors.get(pairOf(spend))?.history ?? reads.vendor(spend)
      const line = reads.line(spend.agentId)
      const current = line.map((own) => mandates.get(own.policy.mandateId) ?? own)
      return accountOf(reads, spend, current, counter, vendor)
    },

    asks: () => (asks ??= collectAsks({ ...reads, urlOf })),
    noteTold: (key) => void told.push(key),
    add(decision, row, { idempotency, alongside, isUnasked, deadline }) {
      // This comes first, because an error in the path must leave nothing of this spend behind.
      if (alongside) ofPaths.push(...alongside(row))
      rows.push(row)
      asks?.keep(decision)
      if (idempotency) keys.push(toNewKey(idempotency, row.id, deadline !== undefined))
      if (isUnasked) unasked.push(row.id)
      if (decision.decision === 'approved') take(decision)
    },

    statements() {
      const { organizationId, now } = reads
      if (rows.length === 0) return told.length === 0 ? [] : [setTold(organizationId, told)]
      const figures = [...mandates.values()].map(toFigures)
      const past = [...reads.keys.values()].filter((row) => isPastItsTime(row, now))
      const histories = [...vendors.values()].map(toStoredVendor)
      const statements = [
        storeDecisions(organizationId, now, rows, figures),
        ...joinRows(organizationId, ofPaths),
        ...(asks?.statements() ?? []),
        ...ifAny(unasked, (ids) => flagDecisions(organizationId, ids, 'ungoverned')),
        ...ifAny(increments, (ids) => markIncrements(organizationId, ids)),
        ...ifAny(past, (all) => removeKeys(organizationId, all)),
        ...ifAny(keys, (all) => storeDecisionKeys(organizationId, now, all)),
        ...ifAny(told, (all) => setTold(organizationId, all)),
        ...ifAny([...counters], (all) => storeCounters(organizationId, all.map(toStoredCounter))),
        ...ifAny(histories, (all) => storeVendorHistories(organizationId, now, all)),
        ...keepClockGap(organizationId, now, rows),
      ]
      // These come last, because every process that serves the organization updates these two rows.
      const evaluations = rows.length - unasked.length
      if (evaluations > 0) statements.push(countEvaluations(organizationId, now, evaluations))
      const asked = asks ? requestedEvents(reads, asks.opened()) : []
      return [...statements, ...eventStatements(reads, rows, [...budgetEvents, ...asked], unasked)]
    },
  }

  /** Applies the decision to the state that the next spend of the batch sees. */
  function take(decision: Decision): void {
    const { spend } = decision
    if (isIncrement(spend)) increments.push(spend.transactionId)
    for (const [key, counter] of decision.counters) counters.set(key, counter)
    for (const account of decision.mandates) mandates.set(account.policy.mandateId, account)
    if (decision.vendor) vendors.set(pairOf(spend), { spend, history: decision.vendor })
    budgetEvents.push(...toEventRows(spend.transactionId, decision.budgetEvents, decision.at))
  }
}

function ifAny<Row>(
  all: readonly Row[],
  toStatement: (all: readonly Row[]) => Statement,
): Statement[] {
  return all.length === 0 ? [] : [toStatement(all)]
}

function requestedEvents(
  { subscription, now }: BatchReads,
  opened: readonly NewRequest[],
): EventRow[] {
  return opened.map((request) => ({
    ...toApprovalEvent('approval.requested', request, requestedData(request), now),
    ...untoldUnless(subscription, 'approval.requested'),
  }))
}

function eventStatements(
  reads: BatchReads,
  rows: readonly DecisionRow[],
  others: readonly EventRow[],
  unasked: readonly string[],
): Statement[] {
  const { organizationId, now, subscription } = reads
  const ofPlan = toUsageRows(reads, rows.length - unasked.length)
  const further = ofPlan.length === 0 ? others : [...others, ...ofPlan]
  // A stop of spending does not affect rejections, nor money that has already moved.
  const dependsOnStops = rows.some(
    ({ id, decision }) => decision === 'approved' && !unasked.includes(id),
  )
  const stops = dependsOnStops ? reads.stops : null
  const statements = [storeTransactionEvents(organizationId, now, rows, stops)]
  if (further.length > 0) statements.push(storeEvents(organizationId, now, further))
  if (!subscription.hasWebhook) return statements
  if (subscription.kinds === null && !further.some(({ isUntold }) => isUntold)) {
    return [...statements, queueEvents(organizationId, now, [...rows, ...further])]
  }
  const decided = rows.map(({ id, decision }) => ({ id, kind: kindOf(decision) }))
  const queued = queueWanted(organizationId, now, [...decided, ...further], subscription)
  return [...statements, ...queued]
}

function toNewKey(
  { space, key, fingerprint }: IdempotencyKey,
  transactionId: string,
  hasDeadline: boolean,
): NewDecisionKey {
  return { space, key, fingerprint, transactionId, isTold: hasDeadline ? false : null }
}

function kindOf(decision: string): EventKind {
  return decision === 'approved' ? 'transaction.approved' : 'transaction.rejected'
}

function accountOf(
  reads: BatchReads,
  spend: Spend,
  mandates: readonly MandateAccount[],
  counter: BatchReads['counter'],
  vendor: VendorHistory | undefined,
): Account {
  const spender = spenderOf(reads, spend)
  const { agentId: id } = spend
  const { status, tags } = spender
  return {
    organization: spender,
    agent: { id, status, tags, draftMandateId: reads.draft(id) },
    mandates,
    usage: {
      counter,
      isRead: reads.isRead,
      vendor,
      vendorsIncomplete: reads.vendorsIncomplete(id),
    },
  }
}

function spenderOf(reads: BatchReads, { agentId }: Spend): SpenderRow {
  const spender = reads.spender(agentId)
  if (!spender) throw new Error('An unknown agent has no account.')
  return spender
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
