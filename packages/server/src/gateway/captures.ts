import assert from 'node:assert/strict'
import { type Counter, correctIn } from '../core/counters/counter.ts'
import { captureHeld, release } from '../core/decision/figures.ts'
import { type Micros, toUnits } from '../core/money.ts'
import type { Instant } from '../core/time/instant.ts'
import type { Transaction, TransactionFlag, TransactionStatus } from '../core/transaction.ts'
import { Problem } from '../errors.ts'
import { changeTransaction, type Place } from './change-transaction.ts'
import { flagged, requireStatus } from './holds.ts'

/* Money that has moved: taken, in one part or several, and given back. */

export interface Capture {
  readonly amount: Micros
  /** Whether nothing more will come. Then the rest of the hold is given back. */
  readonly isFinal: boolean
}

/** Every status in which money of an approved spend can still move, whatever became of the hold. */
const CAPTURABLE = ['held', 'settled', 'partially_refunded', 'refunded', 'voided', 'expired']

/**
 * Books a part of a hold as paid, or all of it, or more. The money has moved, so nothing is
 * refused. Money beyond the hold, or money that comes after the hold is gone, is booked in the
 * current period, even beyond the budget. It counts in limits, and is flagged.
 */
export function captureHold(place: Place, now: Instant, { amount, isFinal }: Capture) {
  assert(amount > 0n, 'a capture takes something; what was not used is voided')
  return changeTransaction(place, now, (transaction) => {
    requireStatus(transaction, CAPTURABLE, now, 'capture')
    const { createdAt: at } = transaction
    const held = transaction.heldAmount
    const covered = amount < held ? amount : held
    const rest = isFinal ? held - covered : 0n
    const beyond = amount - covered
    const left = held - covered - rest
    const settledAmount = transaction.settledAmount + amount
    const isGone = wasGivenBack(transaction)
    return {
      transaction: {
        status: statusOf(transaction, left),
        heldAmount: left,
        settledAmount,
        settledAt: left === 0n ? (transaction.settledAt ?? now) : transaction.settledAt,
        flags: flagged(transaction, flagFor(beyond, isGone)),
      },
      mandate: (account) => {
        const captured = captureHeld(account, { amount: covered, at })
        return release(captured, { amount: rest, at, wasHeld: true })
      },
      ...(rest > 0n && { counter: (counter: Counter) => correctIn(counter, at, rest, 0n) }),
      ...(beyond > 0n && {
        unasked: { amount: beyond, isHold: false, count: isGone ? 1 : 0 },
      }),
      // Before the last part it is not known what the whole comes to.
      ...(left === 0n && { paid: settledAmount }),
    }
  })
}

/**
 * Gives budget back for money that came back. Limits still count the spend, because it was made.
 */
export function refund(place: Place, now: Instant, amount: Micros | undefined) {
  return changeTransaction(place, now, (transaction) => {
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
      transaction: {
        status: given === left ? 'refunded' : 'partially_refunded',
        refundedAmount: refundedAmount + given,
      },
      mandate: (account) => release(account, { amount: given, at, wasHeld: false }),
    }
  })
}

/**
 * Whether the hold was voided or has expired, so that no budget and no limit includes its money any
 * more.
 */
function wasGivenBack({ status, settledAmount }: Transaction): boolean {
  return settledAmount === 0n && (status === 'voided' || status === 'expired')
}

function statusOf({ refundedAmount }: Transaction, left: Micros): TransactionStatus {
  if (left > 0n) return 'held'
  return refundedAmount > 0n ? 'partially_refunded' : 'settled'
}

function flagFor(beyond: Micros, isGone: boolean): TransactionFlag | undefined {
  if (beyond === 0n) return undefined
  return isGone ? 'late_capture' : 'over_capture'
}
