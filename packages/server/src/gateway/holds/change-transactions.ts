import { countedStateOf, isSameState } from '../../core/analytics/counted-state.ts'
import type { MandateAccount } from '../../core/decision/account.ts'
import { budgetEvents } from '../../core/decision/budget-events.ts'
import { rebook } from '../../core/decision/figures.ts'
import { partsOf, rebookings } from '../../core/decision/parts.ts'
import type { Policy } from '../../core/mandates/policy.ts'
import type { Instant } from '../../core/time/instant.ts'
import type { Transaction } from '../../core/transaction.ts'
import { storeCountedChanges } from '../../storage/analytics/changes.ts'
import { type LockedMandate, lockLinesOf } from '../../storage/decisions/locked-mandates.ts'
import { readPresent } from '../../storage/decisions/present-lines.ts'
import { storeFigures } from '../../storage/decisions/store-decisions.ts'
import type { Clock } from '../../storage/engine/clock.ts'
import type { Tx } from '../../storage/engine/database.ts'
import { lockTransactions, updateTransactions } from '../../storage/transactions.ts'
import type { EventRow } from '../../storage/webhooks/events.ts'
import { tellEvents } from '../../storage/webhooks/subscriptions.ts'
import { toAccount, toEventRows, toFigures, toOutcomeRows } from '../account-rows.ts'
import type { PolicyCache } from '../policy-cache.ts'
import { learn, type Purchase, vendorsWanted } from './learn-prices.ts'
import { recount } from './recount.ts'

/** A transaction before and after a change. All bookings follow from the two. */
export interface Changed {
  readonly before: Transaction
  readonly after: Transaction
}

/** Receives the transaction as it was under its lock and after the change, and the instant. */
export type OnChanged = (changed: Changed, now: Instant) => void

export interface Place {
  readonly tx: Tx
  readonly policyCache: PolicyCache
  readonly clock: Clock
  readonly organizationId: string
  readonly onChanged?: OnChanged
}

export interface OnePlace extends Place {
  readonly id: string
}

/** Returns the changed transaction; undefined if it stays as it is. */
export type Plan = (transaction: Transaction, now: Instant) => Transaction | undefined

/** Changes one transaction. Returns undefined if it does not exist or does not change. */
export async function changeTransaction(
  place: OnePlace,
  plan: Plan,
): Promise<Transaction | undefined> {
  const [changed] = await changeTransactions(place, [place.id], plan)
  return changed
}

/**
 * Changes transactions together, in two or three round trips, however many there are. Returns the
 * changed ones.
 *
 * It locks the mandates first and then the transactions, in the same order as decisions do. Only
 * then it calls the plan, with the database's time after the locks. If two callers settle or void
 * at once, the second sees the change of the first. Figures and counters follow from the difference
 * between the old and the new bookings of each transaction.
 */
export async function changeTransactions(
  place: Place,
  ids: readonly string[],
  plan: Plan,
  purchasesOf: (changed: readonly Changed[], all: readonly Transaction[]) => readonly Purchase[] = (
    changed,
  ) => changed.map((each) => ({ changed: [each], others: [] })),
): Promise<readonly Transaction[]> {
  const { tx, policyCache, clock, organizationId } = place
  const [mandates, transactions, { subscription, present }, now] = await Promise.all([
    lockLinesOf(tx, organizationId, ids),
    lockTransactions(tx, organizationId, ids),
    readPresent(tx, organizationId, ids),
    clock.read(tx),
  ])
  const planned = transactions.flatMap((before) => {
    const after = plan(before, now)
    return after ? [{ before, after }] : []
  })
  if (planned.length === 0) return []

  const governing = present.filter(({ id }) => !mandates.some((locked) => locked.id === id))
  const policyOf = await policyCache.load(tx, organizationId, [...mandates, ...governing])
  const lines = openLines(mandates, policyOf)
  for (const change of planned) lines.rebook(change, now)
  const countedIn = await recount(
    place,
    planned.map((change) => ({ ...change, line: lines.of(change.before) })),
    now,
  )
  const changed = planned.map(({ before, after }) => ({
    before,
    after: { ...after, countedIn: countedIn(after) },
  }))
  for (const each of changed) place.onChanged?.(each, now)
  const ended = changed.map(({ after }) => after)
  tx.send(updateTransactions(organizationId, ended, now))
  tx.send(storeFigures(organizationId, lines.figures().map(toFigures)))
  const isWanted = vendorsWanted(lines.of, present, policyOf)
  await learn(place, purchasesOf(changed, transactions), isWanted, now)
  noteForSums(place, changed)
  const events = [...toOutcomeRows(changed, subscription, now), ...lines.crossings(now)]
  for (const statement of tellEvents(organizationId, now, events, subscription)) {
    tx.sendLast(statement)
  }
  return ended
}

/** Analytics updates its sums after the commit, in the order of the feed's numbers. */
function noteForSums({ tx, organizationId }: Place, changed: readonly Changed[]): void {
  const counted = changed
    .map(({ before, after }) => ({
      transactionId: after.id,
      before: countedStateOf(before),
      after: countedStateOf(after),
    }))
    .filter(({ before, after }) => !isSameState(before, after))
  if (counted.length > 0) tx.sendLast(storeCountedChanges(organizationId, counted))
}

/** The accounts that the transactions draw on, and their changed figures. */
interface Lines {
  /** The current accounts of a transaction: its own mandate's and the parents'. */
  of(transaction: Transaction): readonly MandateAccount[]
  rebook(change: Changed, now: Instant): void
  figures(): readonly MandateAccount[]
  /**
   * The events of budgets that were used up. Here only two kinds of money do that: money that moved
   * without a decision, and money of a hold that had already been released.
   */
  crossings(now: Instant): EventRow[]
}

function openLines(
  mandates: readonly LockedMandate[],
  policyOf: (mandate: LockedMandate) => Policy,
): Lines {
  const before = new Map(mandates.map((mandate) => [mandate.id, toAccount(mandate, policyOf)]))
  const accounts = new Map(before)
  const members = new Map(mandates.map(({ id, ancestorIds }) => [id, [id, ...ancestorIds]]))
  const changedBy = new Map<string, string>()
  const of = ({ mandateId }: Transaction): readonly MandateAccount[] =>
    (members.get(mandateId ?? '') ?? []).flatMap((id) => accounts.get(id) ?? [])

  return {
    of,
    rebook(change, now) {
      const all = rebookings(partsOf(change.before), partsOf(change.after))
      for (const account of of(change.before)) {
        const { mandateId } = account.policy
        accounts.set(
          mandateId,
          all.reduce((booked, rebooking) => rebook(booked, rebooking, now), account),
        )
        if (all.some(({ spent }) => spent > 0n)) changedBy.set(mandateId, change.after.id)
      }
    },
    figures: () => [...accounts.values()],
    crossings: (now) =>
      [...changedBy].flatMap(([mandateId, transactionId]) => {
        const [from, to] = [before.get(mandateId), accounts.get(mandateId)]
        return from && to ? toEventRows(transactionId, budgetEvents(from, to, now), now) : []
      }),
  }
}
