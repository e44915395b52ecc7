import { type Counter, fromRow } from '../../core/counters/counter.ts'
import type { MandateAccount } from '../../core/decision/account.ts'
import { needsVendorHistory } from '../../core/mandates/policy.ts'
import { type Transaction, transactionStatusAt } from '../../core/transaction.ts'
import {
  type LockedMandate,
  lockLinesOf,
  readCounters,
} from '../../storage/decisions/read-accounts.ts'
import { storeCounters, storeFigures } from '../../storage/decisions/store-decisions.ts'
import { lockTransactions, updateTransactions } from '../../storage/transactions.ts'
import { toAccount, toFigures, toStoredCounter } from '../account-rows.ts'
import { type Change, learn, type Place } from './change-transaction.ts'
import { giveBack } from './holds.ts'
import { findHolders } from './recount.ts'

/**
 * Gives back those of these holds whose time is over by the database's clock, in two round trips or
 * three, however many they are. The locks are those of decisions, in the same order, and what each
 * hold gives back is reckoned as if it came alone.
 */
export async function expireHolds(place: Omit<Place, 'id'>, ids: readonly string[]): Promise<void> {
  const { tx, policyCache, clock, organizationId } = place
  const [mandates, transactions, now] = await Promise.all([
    lockLinesOf(tx, organizationId, ids),
    lockTransactions(tx, organizationId, ids),
    clock.read(tx),
  ])
  const overdue = transactions.filter(
    (transaction) =>
      transaction.status === 'held' && transactionStatusAt(transaction, now) === 'expired',
  )
  if (overdue.length === 0) return
  const policyOf = await policyCache.load(tx, organizationId, mandates)
  const accounts = new Map(mandates.map((mandate) => [mandate.id, toAccount(mandate, policyOf)]))
  const lineOf = createLines(mandates, accounts)
  const holdersOf = await findHolders(place, accounts.values())
  const holders = new Map(overdue.map((each) => [each.id, holdersOf(each, lineOf(each))]))
  const counters = await readAll(place, holders.values())
  const changed: Transaction[] = []
  for (const transaction of overdue) {
    const change = giveBack(transaction, 'expired', now)
    const line = lineOf(transaction)
    for (const account of line) accounts.set(account.policy.mandateId, change.mandate(account))
    recount(counters, holders.get(transaction.id), change)
    changed.push({ ...transaction, ...change.transaction })
    const paid = line.some(({ policy }) => needsVendorHistory(policy)) ? change.paid : undefined
    if (paid !== undefined) await learn(tx, organizationId, transaction, paid, now)
  }
  tx.send(updateTransactions(organizationId, changed))
  tx.send(storeFigures(organizationId, [...accounts.values()].map(toFigures)))
  if (counters.size === 0) return
  tx.send(storeCounters(organizationId, [...counters].map(toStoredCounter)))
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
