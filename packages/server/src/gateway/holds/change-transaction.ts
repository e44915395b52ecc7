import type { MandateAccount } from '../../core/decision/account.ts'
import { budgetEvents } from '../../core/decision/budget-events.ts'
import { drawUnasked } from '../../core/decision/figures.ts'
import { needsVendorHistory } from '../../core/mandates/policy.ts'
import type { Micros } from '../../core/money.ts'
import type { Instant } from '../../core/time/instant.ts'
import type { Transaction } from '../../core/transaction.ts'
import { lockLinesOf, readVendorHistories } from '../../storage/decisions/read-accounts.ts'
import {
  type StoredVendorHistory,
  storeFigures,
  storeVendorHistories,
} from '../../storage/decisions/store-decisions.ts'
import type { Clock } from '../../storage/engine/clock.ts'
import type { Tx } from '../../storage/engine/database.ts'
import {
  lockTransactions,
  type TransactionChange,
  updateTransactions,
} from '../../storage/transactions.ts'
import { readSubscription, tellEvents } from '../../storage/webhooks/subscriptions.ts'
import { toAccount, toEventRows, toFigures, toOutcomeRows } from '../account-rows.ts'
import type { PolicyCache } from '../policy-cache.ts'
import { type Recounting, recount } from './recount.ts'

/**
 * What becomes of a transaction, of each mandate that it drew on, and of each counter that counts
 * it.
 */
export interface Change extends Recounting {
  readonly transaction: Partial<TransactionChange>
  mandate(account: MandateAccount): MandateAccount
  /** The amount paid to the vendor, once it is certain. */
  readonly paid?: Micros
}

export interface Place {
  readonly tx: Tx
  readonly policyCache: PolicyCache
  readonly clock: Clock
  readonly organizationId: string
  readonly id: string
}

/**
 * Locks the mandates first and then the transaction, in the same order as decisions do, and asks
 * for the plan only then, with the database's time after the locks. If two callers settle or void
 * at once, the second sees what the first did.
 */
export async function changeTransaction(
  place: Place,
  plan: (transaction: Transaction, now: Instant) => Change | undefined,
): Promise<Transaction | undefined> {
  const { tx, policyCache, clock, organizationId, id } = place
  const [mandates, [transaction], subscription, now] = await Promise.all([
    lockLinesOf(tx, organizationId, [id]),
    lockTransactions(tx, organizationId, [id]),
    readSubscription(tx, organizationId),
    clock.read(tx),
  ])
  const change = transaction && plan(transaction, now)
  if (!change) return undefined

  const policyOf = await policyCache.load(tx, organizationId, mandates)
  const before = mandates.map((mandate) => toAccount(mandate, policyOf))
  const accounts = before.map((account) => accountAfter(account, change, now))
  const recounted = await recount(place, transaction, change, accounts, now)
  const changed = { ...transaction, ...change.transaction, countedIn: recounted }
  tx.send(updateTransactions(organizationId, [changed]))
  tx.send(storeFigures(organizationId, accounts.map(toFigures)))
  if (change.paid !== undefined && accounts.some(({ policy }) => needsVendorHistory(policy))) {
    await learn(tx, organizationId, [{ transaction, amount: change.paid }], now)
  }
  const crossings = before.flatMap((account, index) =>
    budgetEvents(account, accounts[index] ?? account, now),
  )
  // A budget can be used up here only by money that nobody was asked about, or by money of a hold
  // that had expired.
  const events = [
    ...toOutcomeRows([{ before: transaction, after: changed }], subscription, now),
    ...toEventRows(id, crossings, now),
  ]
  for (const statement of tellEvents(organizationId, now, events, subscription)) {
    tx.sendLast(statement)
  }
  return changed
}

function accountAfter(account: MandateAccount, change: Change, now: Instant): MandateAccount {
  const after = change.mandate(account)
  if (!change.unasked) return after
  return drawUnasked(after, change.unasked.amount, change.unasked.isHold, now)
}

/** What was paid to a vendor in the end. */
export interface Payment {
  readonly transaction: Transaction
  readonly amount: Micros
}

/**
 * A vendor is known from its first settled spend on, with the price that was paid last. Of several
 * payments to one, the last of them counts.
 */
export async function learn(
  tx: Tx,
  organizationId: string,
  payments: readonly Payment[],
  now: Instant,
): Promise<void> {
  if (payments.length === 0) return
  const agentIds = payments.map(({ transaction }) => transaction.agentId)
  const vendors = payments.map(({ transaction }) => transaction.vendor)
  const rows = await readVendorHistories(tx, organizationId, agentIds, vendors)
  const known = new Map(rows.map((row) => [pairOf(row), row.firstAt]))
  const learned = new Map<string, StoredVendorHistory>()
  for (const { transaction, amount: lastAmount } of payments) {
    const { agentId, vendor, createdAt } = transaction
    const pair = pairOf(transaction)
    const firstAt = known.get(pair) ?? learned.get(pair)?.firstAt ?? createdAt
    learned.set(pair, { agentId, vendor, firstAt, lastAmount })
  }
  tx.send(storeVendorHistories(organizationId, now, [...learned.values()]))
}

function pairOf({
  agentId,
  vendor,
}: {
  readonly agentId: string
  readonly vendor: string
}): string {
  return `${agentId} ${vendor}`
}
