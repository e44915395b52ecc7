import { type Counter, correctIn, fromRow, removeFrom } from '../core/counters/counter.ts'
import type { MandateAccount } from '../core/decision/account.ts'
import { budgetEvents } from '../core/decision/budget-events.ts'
import { redraw, release, settle } from '../core/decision/figures.ts'
import { needsVendorHistory } from '../core/mandates/policy.ts'
import { type Micros, toUnits } from '../core/money.ts'
import type { Instant } from '../core/time/instant.ts'
import { endsByItself, type Transaction, transactionStatusAt } from '../core/transaction.ts'
import { Problem } from '../errors.ts'
import { lockLine, readCounters, readVendorHistories } from '../storage/decisions/read-accounts.ts'
import {
  storeCounters,
  storeFigures,
  storeVendorHistories,
} from '../storage/decisions/store-decisions.ts'
import type { Tx } from '../storage/engine/database.ts'
import { getOrganization } from '../storage/organizations.ts'
import {
  findTransaction,
  lockTransaction,
  type TransactionChange,
  updateTransaction,
} from '../storage/transactions.ts'
import { type EventRow, storeEvents } from '../storage/webhooks/events.ts'
import { toAccount, toEventRows, toFigures, toStoredCounter } from './account-rows.ts'
import type { PolicyCache } from './policy-cache.ts'

/** What a booking does to the transaction, to each mandate it drew on, and to each counter. */
interface Booking {
  readonly change: Partial<TransactionChange>
  mandate(account: MandateAccount): MandateAccount
  counter?(counter: Counter): Counter
  /** What was paid to the vendor, when that became certain. */
  readonly paid?: Micros
}

interface Place {
  readonly tx: Tx
  readonly policyCache: PolicyCache
  readonly organizationId: string
  readonly id: string
}

export interface Settlement {
  /** Undefined: all that was held. */
  readonly amount: Micros | undefined
  /**
   * Whether the caller is trusted to book money that moved after the hold had expired. An agent's own
   * key is not: it could spend beyond its budget by letting holds expire.
   */
  readonly afterExpiry: boolean
  readonly by: Ender
}

/** Who ends a hold. One that waits for proof is ended by its path alone, whatever a caller says. */
export type Ender = 'caller' | 'path'

/** Ends a hold with what was really charged; the rest of the budget is given back. */
export function settleHold(place: Place, now: Instant, { amount, afterExpiry, by }: Settlement) {
  return book(place, now, (transaction) => {
    requireEnder(transaction, by)
    const { amount: approved, createdAt: at, status } = transaction
    const isLate = afterExpiry && (status === 'expired' || status === 'held')
    if (!isLate) requireStatus(transaction, ['held'], now, 'settle')
    const actual = amount ?? approved
    if (actual > approved) {
      throw new Problem(
        'amount_above_hold',
        `The hold is over ${toUnits(approved)}; what was charged beyond it has to be evaluated as a spend of its own.`,
        { extra: { heldAmount: toUnits(approved) } },
      )
    }
    const change = {
      status: 'settled',
      heldAmount: 0n,
      settledAmount: actual,
      settledAt: now,
    } as const
    // The budget was given back when the hold expired, but the money has moved: it is booked as spent
    // again, whether or not the budget still has it. Limits do not count it a second time.
    if (status === 'expired') {
      return { change, mandate: (account) => redraw(account, { amount: actual, at }), paid: actual }
    }
    return {
      change,
      paid: actual,
      mandate: (account) => settle(account, { held: approved, actual, at }),
      counter: (counter) => correctIn(counter, at, approved, actual),
    }
  })
}

/** Gives a hold back, because no money moved: on the word of the caller, or on the path's proof. */
export function voidHold(place: Place, now: Instant, by: Ender) {
  return book(place, now, (transaction) => {
    requireEnder(transaction, by)
    requireStatus(transaction, ['held'], now, 'void')
    return giveBack(transaction, 'voided')
  })
}

/** Gives a hold back whose time is over. Undefined when somebody else was faster. */
export function expireHold(place: Place, now: Instant) {
  return book(place, now, (transaction) => {
    const isOverdue = transactionStatusAt(transaction, now) === 'expired'
    return isOverdue && transaction.status === 'held' ? giveBack(transaction, 'expired') : undefined
  })
}

/** Gives budget back for money that came back. Limits still count the spend: it was made. */
export function refund(place: Place, now: Instant, amount: Micros | undefined) {
  return book(place, now, (transaction) => {
    requireStatus(transaction, ['settled', 'partially_refunded'], now, 'refund')
    const { settledAmount, refundedAmount, createdAt: at } = transaction
    const left = settledAmount - refundedAmount
    const given = amount ?? left
    if (given > left) {
      throw new Problem(
        'amount_above_settled',
        `At most ${toUnits(left)} can be refunded: ${toUnits(settledAmount)} were settled and ${toUnits(refundedAmount)} are refunded already.`,
        { extra: { refundable: toUnits(left) } },
      )
    }
    return {
      change: {
        status: given === left ? 'refunded' : 'partially_refunded',
        refundedAmount: refundedAmount + given,
      },
      mandate: (account) => release(account, { amount: given, at, wasHeld: false }),
    }
  })
}

function giveBack(transaction: Transaction, status: 'voided' | 'expired'): Booking {
  const { heldAmount: amount, createdAt: at } = transaction
  return {
    change: { status, heldAmount: 0n },
    mandate: (account) => release(account, { amount, at, wasHeld: true }),
    counter: (counter) => removeFrom(counter, at, amount),
  }
}

/**
 * Locks the mandates first and the transaction after them, the order that decisions keep as well, and
 * asks what to do only then: of two that settle or void at once, the second sees what the first did.
 */
async function book(
  { tx, policyCache, organizationId, id }: Place,
  now: Instant,
  plan: (transaction: Transaction) => Booking | undefined,
): Promise<Transaction | undefined> {
  const found = await findTransaction(tx, organizationId, id)
  if (!found) return undefined
  const mandates =
    found.mandateId === null ? [] : await lockLine(tx, organizationId, found.mandateId)
  const transaction = (await lockTransaction(tx, organizationId, id)) ?? found
  const booking = plan(transaction)
  if (!booking) return undefined

  const policyOf = await policyCache.load(tx, organizationId, mandates)
  const before = mandates.map((mandate) => toAccount(mandate, policyOf))
  const accounts = before.map((account) => booking.mandate(account))
  const changed = { ...transaction, ...booking.change }
  await updateTransaction(tx, organizationId, id, changed)
  tx.send(storeFigures(organizationId, accounts.map(toFigures)))
  if (booking.counter && transaction.countedIn) {
    await recount(tx, organizationId, transaction.countedIn, booking.counter)
  }
  if (booking.paid !== undefined && accounts.some(({ policy }) => needsVendorHistory(policy))) {
    await learn(tx, organizationId, transaction, booking.paid)
  }
  const crossings = before.flatMap((account, index) =>
    budgetEvents(account, accounts[index] ?? account, now),
  )
  if (crossings.length > 0) await tell(tx, organizationId, now, toEventRows(id, crossings))
  return changed
}

/** Only money that moved after its hold had expired can use a budget up here. */
async function tell(
  tx: Tx,
  organizationId: string,
  now: Instant,
  events: readonly EventRow[],
): Promise<void> {
  const { webhookUrl } = await getOrganization(tx, organizationId)
  tx.sendLast(storeEvents(organizationId, now, events, webhookUrl !== null))
}

async function recount(
  tx: Tx,
  organizationId: string,
  keys: readonly string[],
  change: (counter: Counter) => Counter,
): Promise<void> {
  const rows = await readCounters(tx, organizationId, keys)
  if (rows.length === 0) return
  const counters = rows.map(({ key, buckets }) => toStoredCounter([key, change(fromRow(buckets))]))
  tx.send(storeCounters(organizationId, counters))
}

/** The vendor is known from its first settled spend on, with the price that was last paid. */
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

function requireEnder(transaction: Transaction, by: Ender): void {
  if (by === 'path' || transaction.status !== 'held' || endsByItself(transaction)) return
  throw new Problem(
    'transaction_state',
    `Nobody can end this hold by hand: the gateway does, as soon as it is certain what became of the money on the path ${transaction.path}.`,
    { extra: { transactionStatus: 'held', allowed: [] } },
  )
}

function requireStatus(
  transaction: Transaction,
  allowed: readonly string[],
  now: Instant,
  action: string,
): void {
  const status = transactionStatusAt(transaction, now)
  if (allowed.includes(status)) return
  throw new Problem(
    'transaction_state',
    `You cannot ${action} the transaction: it is ${status}. Only one that is ${allowed.join(' or ')} can be.`,
    { extra: { transactionStatus: status, allowed } },
  )
}
