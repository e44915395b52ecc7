import type { MandateAccount } from '../../core/decision/account.ts'
import { budgetEvents } from '../../core/decision/budget-events.ts'
import { drawUnasked } from '../../core/decision/figures.ts'
import { needsVendorHistory } from '../../core/mandates/policy.ts'
import type { Micros } from '../../core/money.ts'
import type { Instant } from '../../core/time/instant.ts'
import type { Transaction } from '../../core/transaction.ts'
import { lockLinesOf, readVendorHistories } from '../../storage/decisions/read-accounts.ts'
import { storeFigures, storeVendorHistories } from '../../storage/decisions/store-decisions.ts'
import type { Clock } from '../../storage/engine/clock.ts'
import type { Tx } from '../../storage/engine/database.ts'
import { getOrganization } from '../../storage/organizations.ts'
import {
  lockTransactions,
  type TransactionChange,
  updateTransactions,
} from '../../storage/transactions.ts'
import { type EventRow, storeEvents } from '../../storage/webhooks/events.ts'
import { queueEvents } from '../../storage/webhooks/queue.ts'
import { toAccount, toEventRows, toFigures } from '../account-rows.ts'
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
  const [mandates, [transaction], now] = await Promise.all([
    lockLinesOf(tx, organizationId, [id]),
    lockTransactions(tx, organizationId, [id]),
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
    await learn(tx, organizationId, transaction, change.paid, now)
  }
  const crossings = before.flatMap((account, index) =>
    budgetEvents(account, accounts[index] ?? account, now),
  )
  if (crossings.length > 0) await tell(tx, organizationId, now, toEventRows(id, crossings, now))
  return changed
}

function accountAfter(account: MandateAccount, change: Change, now: Instant): MandateAccount {
  const after = change.mandate(account)
  if (!change.unasked) return after
  return drawUnasked(after, change.unasked.amount, change.unasked.isHold, now)
}

/**
 * A budget can be used up here only by money that nobody was asked about, or by money of a hold
 * that had expired.
 */
async function tell(
  tx: Tx,
  organizationId: string,
  now: Instant,
  events: readonly EventRow[],
): Promise<void> {
  const { webhookUrl } = await getOrganization(tx, organizationId)
  tx.sendLast(storeEvents(organizationId, now, events))
  if (webhookUrl !== null) tx.sendLast(queueEvents(organizationId, now, events))
}

/** A vendor is known from its first settled spend on, with the price that was paid last. */
export async function learn(
  tx: Tx,
  organizationId: string,
  { agentId, vendor, createdAt }: Transaction,
  lastAmount: Micros,
  now: Instant,
): Promise<void> {
  const rows = await readVendorHistories(tx, organizationId, [agentId], [vendor])
  const firstAt = rows.find((row) => row.vendor === vendor)?.firstAt ?? createdAt
  tx.send(storeVendorHistories(organizationId, now, [{ agentId, vendor, firstAt, lastAmount }]))
}
