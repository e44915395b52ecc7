import { type Counter, fromRow } from '../../core/counters/counter.ts'
import type { MandateAccount } from '../../core/decision/account.ts'
import { needsVendorHistory } from '../../core/mandates/policy.ts'
import type { Instant } from '../../core/time/instant.ts'
import {
  type Transaction,
  type TransactionFlag,
  transactionStatusAt,
} from '../../core/transaction.ts'
import {
  type LockedMandate,
  lockLinesOf,
  readCounters,
} from '../../storage/decisions/read-accounts.ts'
import { storeCounters, storeFigures } from '../../storage/decisions/store-decisions.ts'
import { lockTransactions, updateTransactions } from '../../storage/transactions.ts'
import { readSubscription, tellEvents } from '../../storage/webhooks/subscriptions.ts'
import { toAccount, toFigures, toOutcomeRows, toStoredCounter } from '../account-rows.ts'
import { type Change, learn, type Payment, type Place } from './change-transaction.ts'
import { flagged, giveBack, settleOpen } from './holds.ts'
import { findHolders } from './recount.ts'

/** Gives back those of these holds whose time is over by the database's clock. */
export async function expireHolds(place: Omit<Place, 'id'>, ids: readonly string[]): Promise<void> {
  await endHolds(place, ids, (transaction, now) =>
    transactionStatusAt(transaction, now) === 'expired'
      ? giveBack(transaction, 'expired', now)
      : undefined,
  )
}

/** What is proven of holds, by their ids: all of the money moved, or none of it. */
export type HoldEnds = ReadonlyMap<string, 'settled' | 'voided'>

export function endWithProof(
  place: Omit<Place, 'id'>,
  ends: HoldEnds,
  flag: TransactionFlag | undefined,
): Promise<readonly Transaction[]> {
  return endHolds(place, [...ends.keys()], (hold, now) => {
    const change =
      ends.get(hold.id) === 'settled'
        ? settleOpen(hold, hold.heldAmount, now)
        : giveBack(hold, 'voided', now)
    return { ...change, transaction: { ...change.transaction, flags: flagged(hold, flag) } }
  })
}

/**
 * Ends holds together, in two round trips or three, however many they are. The locks are those of
 * decisions, in the same order, and what becomes of each hold is reckoned as if it came alone. A plan
 * may give back and capture what was held, and nothing beyond. Returns those that were ended.
 */
async function endHolds(
  place: Omit<Place, 'id'>,
  ids: readonly string[],
  plan: (hold: Transaction, now: Instant) => Change | undefined,
): Promise<readonly Transaction[]> {
  const { tx, policyCache, clock, organizationId } = place
  const [mandates, transactions, subscription, now] = await Promise.all([
    lockLinesOf(tx, organizationId, ids),
    lockTransactions(tx, organizationId, ids),
    readSubscription(tx, organizationId),
    clock.read(tx),
  ])
  const planned = transactions.flatMap((hold) => {
    const change = hold.status === 'held' ? plan(hold, now) : undefined
    return change ? [{ hold, change }] : []
  })
  if (planned.length === 0) return []
  const policyOf = await policyCache.load(tx, organizationId, mandates)
  const accounts = new Map(mandates.map((mandate) => [mandate.id, toAccount(mandate, policyOf)]))
  const lineOf = createLines(mandates, accounts)
  const holdersOf = await findHolders(place, accounts.values())
  const holders = new Map(planned.map(({ hold }) => [hold.id, holdersOf(hold, lineOf(hold))]))
  const counters = await readAll(place, holders.values())
  const payments: Payment[] = []
  const changed = planned.map(({ hold, change }) => {
    const line = lineOf(hold)
    for (const account of line) accounts.set(account.policy.mandateId, change.mandate(account))
    recount(counters, holders.get(hold.id), change)
    const isLearned = line.some(({ policy }) => needsVendorHistory(policy))
    if (isLearned && change.paid !== undefined) {
      payments.push({ transaction: hold, amount: change.paid })
    }
    return { before: hold, after: { ...hold, ...change.transaction } }
  })
  const ended = changed.map(({ after }) => after)
  tx.send(updateTransactions(organizationId, ended))
  tx.send(storeFigures(organizationId, [...accounts.values()].map(toFigures)))
  if (counters.size > 0) {
    tx.send(storeCounters(organizationId, [...counters].map(toStoredCounter)))
  }
  await learn(tx, organizationId, payments, now)
  const events = toOutcomeRows(changed, subscription, now)
  for (const statement of tellEvents(organizationId, now, events, subscription)) {
    tx.sendLast(statement)
  }
  return ended
}

function recount(
  counters: Map<string, Counter>,
  keys: ReadonlySet<string> | undefined,
  { counter: correct }: Change,
): void {
  for (const key of (correct && keys) ?? []) {
    const counter = counters.get(key)
    if (counter && correct) counters.set(key, correct(counter))
  }
}

async function readAll(
  { tx, organizationId }: Pick<Place, 'tx' | 'organizationId'>,
  keys: Iterable<ReadonlySet<string>>,
): Promise<Map<string, Counter>> {
  const all = [...new Set([...keys].flatMap((each) => [...each]))]
  const rows = all.length === 0 ? [] : await readCounters(tx, organizationId, all)
  return new Map(rows.map(({ key, buckets }) => [key, fromRow(buckets)]))
}

/** The accounts that a transaction has drawn on, as they are now: its own and those above. */
function createLines(
  mandates: readonly LockedMandate[],
  accounts: ReadonlyMap<string, MandateAccount>,
): (transaction: Transaction) => readonly MandateAccount[] {
  const lines = new Map(mandates.map(({ id, ancestorIds }) => [id, [id, ...ancestorIds]]))
  return ({ mandateId }) =>
    (lines.get(mandateId ?? '') ?? []).flatMap((id) => accounts.get(id) ?? [])
}
