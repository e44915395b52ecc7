import type { BucketLayout } from '../core/counters/buckets.ts'
import { addTo, type Counter, EMPTY_COUNTER, fromRow } from '../core/counters/counter.ts'
import type { MandateAccount } from '../core/decision/account.ts'
import { budgetEvents } from '../core/decision/budget-events.ts'
import { drawUnasked } from '../core/decision/figures.ts'
import { countedBy, needsVendorHistory } from '../core/mandates/policy.ts'
import type { Micros } from '../core/money.ts'
import type { Instant } from '../core/time/instant.ts'
import { spendOf, type Transaction } from '../core/transaction.ts'
import {
  lockLinesOf,
  readCounters,
  readVendorHistories,
} from '../storage/decisions/read-accounts.ts'
import {
  storeCounters,
  storeFigures,
  storeVendorHistories,
} from '../storage/decisions/store-decisions.ts'
import type { Clock } from '../storage/engine/clock.ts'
import type { Tx } from '../storage/engine/database.ts'
import { getOrganization } from '../storage/organizations.ts'
import {
  lockTransaction,
  type TransactionChange,
  updateTransactions,
} from '../storage/transactions.ts'
import { type EventRow, storeEvents } from '../storage/webhooks/events.ts'
import { queueEvents } from '../storage/webhooks/queue.ts'
import { toAccount, toEventRows, toFigures, toStoredCounter } from './account-rows.ts'
import type { PolicyCache } from './policy-cache.ts'

/**
 * What becomes of a transaction, of each mandate that it drew on, and of each counter that counts
 * it.
 */
export interface Change {
  readonly transaction: Partial<TransactionChange>
  mandate(account: MandateAccount): MandateAccount
  counter?(counter: Counter): Counter
  /** Money beyond what was held. It is booked at this instant. */
  readonly unasked?: Unasked
  /**
   * Set for a spend that was made after all, although its hold had been given back: what it counts
   * with, at the instant of its approval.
   */
  readonly countedAgain?: { readonly amount: Micros; readonly at: Instant }
  /** The amount paid to the vendor, once it is certain. */
  readonly paid?: Micros
}

interface Unasked {
  readonly amount: Micros
  readonly isHold: boolean
  /**
   * How it is counted at this instant: as a spend (1), or as more of a spend that is already
   * counted (0).
   */
  readonly count: 0 | 1
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
  const [mandates, transaction, now] = await Promise.all([
    lockLinesOf(tx, organizationId, [id]),
    lockTransaction(tx, organizationId, id),
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
    await learn(tx, organizationId, transaction, change.paid)
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

/** Returns the keys of the counters that count the transaction afterwards. */
async function recount(
  { tx, organizationId }: Place,
  transaction: Transaction,
  change: Change,
  accounts: readonly MandateAccount[],
  now: Instant,
): Promise<readonly string[] | null> {
  const { counter: correct } = change
  const added = additionOf(change, now)
  const corrected = (correct && transaction.countedIn) || []
  // Rules that count the same thing share a counter, and a spend must be counted in it once.
  const layouts = added ? layoutsFor(added, transaction, organizationId, accounts, now) : NO_LAYOUTS
  const keys = [...new Set([...corrected, ...layouts.keys()])]
  if (keys.length === 0) return keysAfter(transaction, added, layouts)

  const rows = await readCounters(tx, organizationId, keys)
  const counters = new Map(rows.map(({ key, buckets }) => [key, fromRow(buckets)]))
  for (const [key, counter] of counters) {
    if (correct && corrected.includes(key)) counters.set(key, correct(counter))
  }
  if (added) countAddition(counters, layouts, added)
  if (counters.size > 0) {
    tx.send(storeCounters(organizationId, [...counters].map(toStoredCounter)))
  }
  return keysAfter(transaction, added, layouts)
}

/** What a change adds to counters, and the instant at which it counts. */
interface Addition extends Unasked {
  readonly at: Instant
}

function additionOf({ unasked, countedAgain }: Change, now: Instant): Addition | undefined {
  if (unasked) return { ...unasked, at: now }
  return countedAgain && { ...countedAgain, isHold: false, count: 1 }
}

function keysAfter(
  { countedIn }: Transaction,
  added: Addition | undefined,
  layouts: ReadonlyMap<string, BucketLayout>,
): readonly string[] | null {
  return added?.count === 1 ? [...layouts.keys()] : countedIn
}

function countAddition(
  counters: Map<string, Counter>,
  layouts: ReadonlyMap<string, BucketLayout>,
  { amount, count, at }: Addition,
): void {
  for (const [key, layout] of layouts) {
    counters.set(key, addTo(counters.get(key) ?? EMPTY_COUNTER, layout, at, amount, count))
  }
}

const NO_LAYOUTS: ReadonlyMap<string, BucketLayout> = new Map()

/**
 * The counters of all rules as they are now, unless their window has left the instant behind. More of
 * a hold is counted only where the hold itself is, because it is taken out of exactly those when it
 * is given back.
 */
function layoutsFor(
  { isHold, at }: Addition,
  transaction: Transaction,
  organizationId: string,
  accounts: readonly MandateAccount[],
  now: Instant,
): ReadonlyMap<string, BucketLayout> {
  const spend = spendOf(transaction, organizationId)
  const counted = accounts
    .flatMap(({ policy }) => countedBy(policy, spend))
    .filter(({ layout }) => layout.bucketAt(at) >= layout.sinceAt(now))
  const kept = isHold ? counted.filter(({ key }) => transaction.countedIn?.includes(key)) : counted
  return new Map(kept.map(({ key, layout }) => [key, layout]))
}

/** A vendor is known from its first settled spend on, with the price that was paid last. */
async function learn(
  tx: Tx,
  organizationId: string,
  { agentId, vendor, createdAt }: Transaction,
  lastAmount: Micros,
): Promise<void> {
  const [known] = await readVendorHistories(tx, organizationId, [agentId], [vendor])
  const firstAt = known?.firstAt ?? createdAt
  tx.send(storeVendorHistories(organizationId, [{ agentId, vendor, firstAt, lastAmount }]))
}
