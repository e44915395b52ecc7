import assert from 'node:assert/strict'
import { type Counter, correctIn, removeFrom } from '../../core/counters/counter.ts'
import type { MandateAccount } from '../../core/decision/account.ts'
import { captureHeld, redraw, release } from '../../core/decision/figures.ts'
import {
  captureParts,
  laterPartsOf,
  type Move,
  partsOf,
  releaseParts,
} from '../../core/decision/parts.ts'
import { type Micros, toUnits } from '../../core/money.ts'
import type { Instant } from '../../core/time/instant.ts'
import {
  endsByItself,
  type Transaction,
  type TransactionFlag,
  transactionStatusAt,
} from '../../core/transaction.ts'
import { Problem } from '../../errors.ts'
import { type Change, changeTransaction, type Place } from './change-transaction.ts'

export interface Settlement {
  /** Undefined: all that was held. */
  readonly amount: Micros | undefined
  /**
   * Whether the caller is trusted to book money that moved after the hold had expired. An agent's
   * own key is not trusted: it could spend beyond its budget by letting holds expire.
   */
  readonly afterExpiry: boolean
  readonly by: Ender
}

/** Who ends a hold. Only its path ends a hold that waits for proof, whatever a caller says. */
export type Ender = 'caller' | 'path'

/** Ends a hold with the amount that was really charged; the rest of the hold is given back. */
export function settleHold(place: Place, { amount, afterExpiry, by }: Settlement) {
  return changeTransaction(place, (transaction, now) => {
    requireEnder(transaction, by)
    const { createdAt: at, status, settledAmount } = transaction
    const isLate = afterExpiry && (status === 'expired' || status === 'held')
    if (!isLate) requireSettleable(transaction, afterExpiry, now)
    const held = status === 'expired' ? transaction.amount : transaction.heldAmount
    const actual = amount ?? held
    if (actual > held) {
      throw new Problem(
        'amount_above_hold',
        `The hold is for ${toUnits(held)}; what was charged beyond it has to be evaluated as a spend of its own.`,
        { extra: { heldAmount: toUnits(held) } },
      )
    }
    if (status !== 'expired') return settleOpen(transaction, actual, now)
    // The budget was given back when the hold expired, but the money has moved. So it is booked as
    // spent again, whether or not the budget still has room for it. The expiry also took it out of
    // the limits, and so they count it again.
    const booked = { amount: actual, at }
    return {
      transaction: {
        ...settledWith(settledAmount + actual, now),
        flags: flagged(transaction, 'late_capture'),
      },
      mandate: (account) => redraw(account, booked),
      countedAgain: booked,
      paid: actual,
    }
  })
}

/** Books what was charged of an open hold, and gives the rest of it back. */
export function settleOpen(hold: Transaction, actual: Micros, now: Instant): Change {
  const captured = captureParts(partsOf(hold), actual)
  const { parts, moves } = releaseParts(captured.parts)
  const paid = hold.settledAmount + actual
  return {
    transaction: { ...settledWith(paid, now), laterParts: laterPartsOf(parts) },
    paid,
    mandate: (account) => releaseMoves(captured.moves.reduce(captureHeld, account), moves),
    counter: (counter) => uncount(counter, moves),
  }
}

function settledWith(settledAmount: Micros, settledAt: Instant) {
  return { status: 'settled', heldAmount: 0n, settledAmount, settledAt } as const
}

/** Gives a hold back because no money moved: the caller says so, or the path has proof. */
export function voidHold(place: Place, by: Ender) {
  return changeTransaction(place, (transaction, now) => {
    requireEnder(transaction, by)
    requireStatus(transaction, ['held'], now, 'void')
    return giveBack(transaction, 'voided', now)
  })
}

/**
 * Holds more than was asked for, because a provider says that it has set more aside. Nobody is
 * asked about it: it is booked, even beyond the budget, and flagged.
 */
export function raiseHold(place: Place, amount: Micros) {
  assert(amount > 0n, 'a hold is raised by more than nothing')
  return changeTransaction(place, (transaction, now) => {
    requireStatus(transaction, ['held'], now, 'raise')
    const parts = [...partsOf(transaction), { at: now, held: amount, settled: 0n }]
    return {
      transaction: {
        heldAmount: transaction.heldAmount + amount,
        laterParts: laterPartsOf(parts),
        flags: flagged(transaction, 'raised'),
      },
      mandate: (account) => account,
      unasked: { amount, isHold: true, count: 0 },
    }
  })
}

/**
 * Gives back what is left of the hold. If a part was captured, the spend was made, so it is
 * settled.
 */
export function giveBack(
  transaction: Transaction,
  status: 'voided' | 'expired',
  now: Instant,
): Change {
  const { settledAmount, createdAt } = transaction
  const { parts, moves } = releaseParts(partsOf(transaction))
  const isCaptured = settledAmount > 0n
  const change = { heldAmount: 0n, laterParts: laterPartsOf(parts) }
  return {
    transaction: isCaptured
      ? { ...change, status: 'settled', settledAt: now }
      : { ...change, status },
    mandate: (account) => releaseMoves(account, moves),
    counter: (counter) => {
      const released = uncount(counter, moves)
      return isCaptured ? released : removeFrom(released, createdAt, 0n)
    },
    ...(isCaptured && { paid: settledAmount }),
  }
}

/** Gives held money back to the figures that it entered. */
export function releaseMoves(account: MandateAccount, moves: readonly Move[]): MandateAccount {
  return moves.reduce(
    (after, { amount, at }) => release(after, { amount, at, wasHeld: true }),
    account,
  )
}

/** Takes amounts out of the buckets that they were counted in; it is still one spend. */
export function uncount(counter: Counter, moves: readonly Move[]): Counter {
  return moves.reduce((after, { amount, at }) => correctIn(after, at, amount, 0n), counter)
}

export function flagged(
  { flags }: Transaction,
  flag: TransactionFlag | undefined,
): readonly TransactionFlag[] {
  return flag === undefined || flags.includes(flag) ? flags : [...flags, flag]
}

function requireEnder(transaction: Transaction, by: Ender): void {
  if (by === 'path' || transaction.status !== 'held' || endsByItself(transaction)) return
  throw new Problem(
    'transaction_state',
    `Nobody can end this hold by hand: the gateway does, as soon as it is certain what became of the money on the path ${transaction.path}.`,
    { extra: { transactionStatus: 'held', allowed: [] } },
  )
}

/** What an agent says is taken only in time. Its organization can book what was charged later. */
function requireSettleable(transaction: Transaction, afterExpiry: boolean, now: Instant): void {
  const allowed = afterExpiry ? ['held', 'expired'] : ['held']
  if (afterExpiry || transactionStatusAt(transaction, now) !== 'expired') {
    requireStatus(transaction, allowed, now, 'settle')
    return
  }
  throw new Problem(
    'transaction_state',
    'The hold has expired, so this key cannot settle it any more. If money has moved, settle it with a key that is not bound to agents.',
    { extra: { transactionStatus: 'expired', allowed } },
  )
}

export function requireStatus(
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
