import type { BucketLayout } from '../../core/counters/buckets.ts'
import {
  addTo,
  type Counter,
  correctIn,
  EMPTY_COUNTER,
  fromRow,
} from '../../core/counters/counter.ts'
import type { MandateAccount } from '../../core/decision/account.ts'
import { type Entry, entriesOf, partsOf, recounts } from '../../core/decision/parts.ts'
import { sumOnlyKeyOf } from '../../core/decision/past.ts'
import { countedBy } from '../../core/mandates/policy.ts'
import { knowsThePast, pastKey } from '../../core/rules/counter-key.ts'
import type { Counted } from '../../core/rules/verdict.ts'
import type { Instant } from '../../core/time/instant.ts'
import { isSpendOfItsOwn, spendOf, type Transaction } from '../../core/transaction.ts'
import { type PastCount, type PastCursor, readPastCounts } from '../../storage/decisions/past.ts'
import { readCounters } from '../../storage/decisions/read-accounts.ts'
import { storeCounters } from '../../storage/decisions/store-usage.ts'
import type { Tx } from '../../storage/engine/database.ts'
import { toStoredCounter } from '../account-rows.ts'

/** A transaction before and after a change, and the accounts that it drew on. */
export interface Recounted {
  readonly before: Transaction
  readonly after: Transaction
  readonly line: readonly MandateAccount[]
}

interface Place {
  readonly tx: Tx
  readonly organizationId: string
}

/**
 * Corrects the counters. Returns a function that says in which counters each transaction now
 * counts: those of its decision, or a new set.
 *
 * A transaction is removed from the counters that its row names, and from all counters that know
 * the past: those count it although they were created later. The rules determine the latter, so
 * that no transaction has to be rewritten when a limit is added.
 */
export async function recount(
  { tx, organizationId }: Place,
  all: readonly Recounted[],
  now: Instant,
): Promise<(transaction: Transaction) => readonly string[] | null> {
  const counts = await readAhead({ tx, organizationId }, all)
  const recountings = all.flatMap((change) => recountingOf(organizationId, change, counts, now))
  const keys = new Set(
    recountings.flatMap(({ holders, layouts }) => [...holders, ...layouts.keys()]),
  )
  const rows = keys.size === 0 ? [] : await readCounters(tx, organizationId, [...keys])
  const counters = new Map(rows.map(({ key, buckets }) => [key, fromRow(buckets)]))
  for (const recounting of recountings) apply(counters, recounting, now)
  if (counters.size > 0) {
    tx.send(storeCounters(organizationId, [...counters].map(toStoredCounter)))
  }
  const anew = new Map(
    recountings
      .filter(({ isAnew }) => isAnew)
      .map(({ id, layouts }) => [id, [...layouts.keys()]] as const),
  )
  return ({ id, countedIn }) => anew.get(id) ?? countedIn
}

/** The corrections to the counters of one transaction. */
interface Recounting {
  readonly id: string
  readonly removed: readonly Entry[]
  readonly added: readonly Entry[]
  /** The counters that currently count it. */
  readonly holders: ReadonlySet<string>
  /** The counters to which `added` goes. */
  readonly layouts: ReadonlyMap<string, BucketLayout>
  readonly isAnew: boolean
}

const NO_KEYS: ReadonlySet<string> = new Set()

function recountingOf(
  organizationId: string,
  { before, after, line }: Recounted,
  counts: readonly PastCount[],
  now: Instant,
): Recounting[] {
  const [was, is] = [countedOf(before), countedOf(after)]
  // Some counters are named by the amount, so a changed amount belongs to different counters.
  const isMoved = before.amount !== after.amount
  const differences = isMoved ? [...recounts(was, []), ...recounts([], is)] : recounts(was, is)
  if (differences.length === 0) return []
  const isAnew = is.length > 0 && (was.length === 0 || isMoved)
  const current = currentCounters(organizationId, before, line, counts)
  const holders = was.length === 0 ? NO_KEYS : holdersOf(before, current)
  const counted = isMoved ? currentCounters(organizationId, after, line, counts) : current
  const added = differences.filter(isAddition)
  const layouts = added.length === 0 ? NO_LAYOUTS : layoutsFor(counted, isAnew ? null : holders)
  const removed = differences.filter((entry) => !isAddition(entry))
  return [{ id: after.id, removed, added, holders, layouts: within(layouts, added, now), isAnew }]
}

const NO_LAYOUTS: ReadonlyMap<string, BucketLayout> = new Map()

function countedOf(transaction: Transaction): readonly Entry[] {
  return entriesOf(partsOf(transaction), isSpendOfItsOwn(transaction))
}

/** All other entries correct a bucket that already holds the transaction, perhaps only its count. */
function isAddition({ amount }: Entry): boolean {
  return amount > 0n
}

/** A counter that today's rules name for the transaction. */
interface Current extends Counted {
  /**
   * The counter's past is still being counted, and the count has not reached this transaction yet:
   * it will count the transaction in its state at that time.
   */
  readonly isAhead: boolean
}

/** Returns the unfinished counts of these mandates' pasts. Queries only if there may be some. */
function readAhead(
  { tx, organizationId }: Place,
  all: readonly Recounted[],
): Promise<readonly PastCount[]> | [] {
  const late = all.flatMap(({ line }) => line.filter(({ policy }) => policy.marks.length > 0))
  const ids = [...new Set(late.map(({ policy }) => policy.mandateId))]
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

/** No step reaches a transaction that is older than all windows, so its additions count at once. */
function isReachedLater(count: PastCount, transaction: Transaction): boolean {
  return transaction.id > count.fromId && isBefore(count, transaction)
}

/** Compares by agent and id, the order in which transactions are counted. */
function isBefore(cursor: PastCursor, { agentId, id }: Transaction): boolean {
  if (cursor.agentId !== agentId) return cursor.agentId < agentId
  return cursor.transactionId < id
}

/** Returns the counters that currently count the transaction. */
function holdersOf({ countedIn }: Transaction, current: readonly Current[]): ReadonlySet<string> {
  const later = current.filter(({ key, isAhead }) => knowsThePast(key) && !isAhead)
  return new Set([...(countedIn ?? []), ...later.map(({ key }) => key)])
}

/**
 * Selects counters of today's rules. A transaction that no counter holds is added to all of them.
 * An addition to a counted transaction goes only to its current counters, because a release removes
 * it from exactly those. A counter that has not reached the transaction yet will count all of it.
 */
function layoutsFor(
  current: readonly Current[],
  holders: ReadonlySet<string> | null,
): ReadonlyMap<string, BucketLayout> {
  const counted = holders
    ? current.filter(({ key, isAhead }) => holders.has(key) && !isAhead)
    : current
  // Rules that count the same thing share a counter, and a spend must be counted in it once.
  return new Map(counted.map(({ key, layout }) => [key, layout]))
}

/** Leaves out counters whose windows no longer contain any of these instants. */
function within(
  layouts: ReadonlyMap<string, BucketLayout>,
  added: readonly Entry[],
  now: Instant,
): ReadonlyMap<string, BucketLayout> {
  return new Map(
    [...layouts].filter(([, layout]) => added.some(({ at }) => isInside(layout, at, now))),
  )
}

function isInside(layout: BucketLayout, at: Instant, now: Instant): boolean {
  return layout.bucketAt(at) >= layout.sinceAt(now)
}

function apply(
  counters: Map<string, Counter>,
  { removed, added, holders, layouts }: Recounting,
  now: Instant,
): void {
  for (const key of removed.length === 0 ? [] : holders) {
    const counter = counters.get(key)
    if (counter) counters.set(key, removed.reduce(takeOut, counter))
  }
  for (const [key, layout] of layouts) {
    const inside = added.filter(({ at }) => isInside(layout, at, now))
    const counter = counters.get(key) ?? EMPTY_COUNTER
    const after = inside.reduce(
      (sum, { at, amount, count }) => addTo(sum, layout, at, amount, count),
      counter,
    )
    counters.set(key, after)
  }
}

function takeOut(counter: Counter, { at, amount, count }: Entry): Counter {
  return correctIn(counter, at, { amount, count })
}
