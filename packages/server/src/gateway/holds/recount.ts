import type { BucketLayout } from '../../core/counters/buckets.ts'
import { addTo, type Counter, EMPTY_COUNTER, fromRow } from '../../core/counters/counter.ts'
import type { MandateAccount } from '../../core/decision/account.ts'
import { sumOnlyKeyOf } from '../../core/decision/past.ts'
import { countedBy } from '../../core/mandates/policy.ts'
import type { Micros } from '../../core/money.ts'
import { knowsThePast, pastKey } from '../../core/rules/counter-key.ts'
import type { Counted } from '../../core/rules/verdict.ts'
import type { Instant } from '../../core/time/instant.ts'
import { spendOf, type Transaction } from '../../core/transaction.ts'
import { type PastCount, type PastCursor, readPastCounts } from '../../storage/decisions/past.ts'
import { readCounters } from '../../storage/decisions/read-accounts.ts'
import { storeCounters } from '../../storage/decisions/store-decisions.ts'
import type { Tx } from '../../storage/engine/database.ts'
import { toStoredCounter } from '../account-rows.ts'

/** What becomes of the counters that count a transaction. */
export interface Recounting {
  counter?(counter: Counter): Counter
  /** Money beyond what was held. It is booked at this instant. */
  readonly unasked?: Unasked
  /**
   * Set for a spend that was made after all, although its hold had been given back: what it counts
   * with, at the instant of its approval.
   */
  readonly countedAgain?: { readonly amount: Micros; readonly at: Instant }
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

interface Place {
  readonly tx: Tx
  readonly organizationId: string
}

/**
 * Corrects the counters, and returns the keys of those that the transaction was counted in by its
 * decision, or anew.
 *
 * It is taken out of the counters that it says it was counted in, and of all that know the past: those
 * count it although they came later. Rules say which these are, so that no transaction has to be
 * rewritten when a limit is added.
 */
export async function recount(
  { tx, organizationId }: Place,
  transaction: Transaction,
  change: Recounting,
  accounts: readonly MandateAccount[],
  now: Instant,
): Promise<readonly string[] | null> {
  const { counter: correct } = change
  const added = additionOf(change, now)
  if (!correct && !added) return transaction.countedIn
  const counts = await readAhead({ tx, organizationId }, accounts)
  const current = currentCounters(organizationId, transaction, accounts, counts)
  const corrected = correct ? holdersOf(transaction, current) : NO_KEYS
  // Rules that count the same thing share a counter, and a spend must be counted in it once.
  const layouts = added ? layoutsFor(added, transaction, current, now) : NO_LAYOUTS
  const keys = [...new Set([...corrected, ...layouts.keys()])]
  if (keys.length === 0) return keysAfter(transaction, added, layouts)

  const rows = await readCounters(tx, organizationId, keys)
  const counters = new Map(rows.map(({ key, buckets }) => [key, fromRow(buckets)]))
  for (const [key, counter] of counters) {
    if (correct && corrected.has(key)) counters.set(key, correct(counter))
  }
  if (added) countAddition(counters, layouts, added)
  if (counters.size > 0) {
    tx.send(storeCounters(organizationId, [...counters].map(toStoredCounter)))
  }
  return keysAfter(transaction, added, layouts)
}

const NO_KEYS: ReadonlySet<string> = new Set()
const NO_LAYOUTS: ReadonlyMap<string, BucketLayout> = new Map()

/** What a change adds to counters, and the instant at which it counts. */
interface Addition extends Unasked {
  readonly at: Instant
}

function additionOf({ unasked, countedAgain }: Recounting, now: Instant): Addition | undefined {
  if (unasked) return { ...unasked, at: now }
  return countedAgain && { ...countedAgain, isHold: false, count: 1 }
}

/** A counter that the rules name for the transaction as they are now. */
interface Current extends Counted {
  /**
   * Its past is still being counted, and the transaction has not been reached: it will be counted as
   * it is then.
   */
  readonly isAhead: boolean
}

/** What is still being counted of the pasts of these mandates. It asks only if there is something. */
function readAhead(
  { tx, organizationId }: Place,
  accounts: Iterable<MandateAccount>,
): Promise<readonly PastCount[]> | [] {
  const late = [...accounts].filter(({ policy }) => policy.marks.length > 0)
  const ids = late.map(({ policy }) => policy.mandateId)
  return ids.length === 0 ? [] : readPastCounts(tx, organizationId, ids)
}

function currentCounters(
  organizationId: string,
  transaction: Transaction,
  accounts: readonly MandateAccount[],
  counts: readonly PastCount[],
): Current[] {
  const spend = spendOf(transaction, organizationId)
  const ahead = counts
    .filter((count) => isReachedLater(count, transaction))
    .map(({ mandateId, version }) => `${pastKey(mandateId, { since: version })}/`)
  return accounts.flatMap(({ policy }) => {
    const ofBudget = sumOnlyKeyOf(policy)
    return countedBy(policy, spend).map(({ key, layout }) => ({
      key,
      layout,
      isAhead:
        key !== ofBudget &&
        ahead.some((prefix) => key.startsWith(prefix)) &&
        !transaction.countedIn?.includes(key),
    }))
  })
}

/** Says of each of many transactions which counters hold it, with the accounts that it drew on. */
export async function findHolders(
  place: Place,
  accounts: Iterable<MandateAccount>,
): Promise<(transaction: Transaction, line: readonly MandateAccount[]) => ReadonlySet<string>> {
  const counts = await readAhead(place, accounts)
  return (transaction, line) =>
    holdersOf(transaction, currentCounters(place.organizationId, transaction, line, counts))
}

/** No step comes to a transaction from before all windows, so what is added to it counts at once. */
function isReachedLater(count: PastCount, transaction: Transaction): boolean {
  return transaction.id > count.fromId && isBefore(count, transaction)
}

/** In the order of agents and ids, in which transactions are counted. */
function isBefore(cursor: PastCursor, { agentId, id }: Transaction): boolean {
  if (cursor.agentId !== agentId) return cursor.agentId < agentId
  return cursor.transactionId < id
}

/** The counters that hold the transaction. */
function holdersOf({ countedIn }: Transaction, current: readonly Current[]): ReadonlySet<string> {
  const later = current.filter(({ key, isAhead }) => knowsThePast(key) && !isAhead)
  return new Set([...(countedIn ?? []), ...later.map(({ key }) => key)])
}

/**
 * The counters of all rules as they are now, unless their window has left the instant behind. More of
 * a spend is not counted where the spend itself will be, and more of a hold only where the hold is,
 * because it is taken out of exactly those when it is given back.
 */
function layoutsFor(
  { isHold, count, at }: Addition,
  transaction: Transaction,
  current: readonly Current[],
  now: Instant,
): ReadonlyMap<string, BucketLayout> {
  const holders = isHold ? holdersOf(transaction, current) : undefined
  const counted = current
    .filter(({ layout }) => layout.bucketAt(at) >= layout.sinceAt(now))
    .filter(({ isAhead }) => count === 1 || !isAhead)
    .filter(({ key }) => holders?.has(key) ?? true)
  return new Map(counted.map(({ key, layout }) => [key, layout]))
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
