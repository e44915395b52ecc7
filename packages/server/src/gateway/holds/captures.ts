import assert from 'node:assert/strict'
import type { Counter } from '../../core/counters/counter.ts'
import { captureHeld, release } from '../../core/decision/figures.ts'
import {
  captureParts,
  laterPartsOf,
  type Move,
  partsOf,
  refundParts,
  releaseParts,
} from '../../core/decision/parts.ts'
import { type Micros, toUnits } from '../../core/money.ts'
import type { Transaction, TransactionFlag, TransactionStatus } from '../../core/transaction.ts'
import { Problem } from '../../errors.ts'
import { changeTransaction, type Place } from './change-transaction.ts'
import { flagged, releaseMoves, requireStatus, uncount } from './holds.ts'

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
export function captureHold(place: Place, { amount, isFinal }: Capture) {
  assert(amount > 0n, 'a capture takes something; what was not used is voided')
  return changeTransaction(place, (transaction, now) => {
    requireStatus(transaction, CAPTURABLE, now, 'capture')
    const captured = captureParts(partsOf(transaction), amount)
    const covered = sumOf(captured.moves)
    const beyond = amount - covered
    const released = isFinal ? releaseParts(captured.parts) : { parts: captured.parts, moves: [] }
    const left = transaction.heldAmount - covered - sumOf(released.moves)
    const later = beyond > 0n ? [{ at: now, held: 0n, settled: beyond }] : []
    const settledAmount = transaction.settledAmount + amount
    const isGone = wasGivenBack(transaction)
    return {
      transaction: {
        status: statusOf(transaction, left),
        heldAmount: left,
        settledAmount,
        settledAt: left === 0n ? (transaction.settledAt ?? now) : transaction.settledAt,
        laterParts: laterPartsOf([...released.parts, ...later]),
        flags: flagged(transaction, flagFor(beyond, isGone)),
      },
      mandate: (account) =>
        releaseMoves(captured.moves.reduce(captureHeld, account), released.moves),
      ...(released.moves.length > 0 && {
        counter: (counter: Counter) => uncount(counter, released.moves),
      }),
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
export function refund(place: Place, amount: Micros | undefined) {
  return changeTransaction(place, (transaction, now) => {
    requireStatus(transaction, ['settled', 'partially_refunded'], now, 'refund')
    const { settledAmount, refundedAmount } = transaction
    const left = settledAmount - refundedAmount
    const given = amount ?? left
    if (given > left) {
      throw new Problem(
        'amount_above_settled',
        `At most ${toUnits(left)} can be refunded: ${toUnits(settledAmount)} were settled and ${toUnits(refundedAmount)} are refunded already.`,
        { extra: { refundable: toUnits(left) } },
      )
    }
    const { parts, moves } = refundParts(partsOf(transaction), given)
    return {
      transaction: {
        status: given === left ? 'refunded' : 'partially_refunded',
        refundedAmount: refundedAmount + given,
        laterParts: laterPartsOf(parts),
      },
      mandate: (account) =>
        moves.reduce(
          (after, { amount: back, at }) => release(after, { amount: back, at, wasHeld: false }),
          account,
        ),
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

function sumOf(moves: readonly Move[]): Micros {
  return moves.reduce((sum, { amount }) => sum + amount, 0n)
}

function statusOf({ refundedAmount }: Transaction, left: Micros): TransactionStatus {
  if (left > 0n) return 'held'
  return refundedAmount > 0n ? 'partially_refunded' : 'settled'
}

function flagFor(beyond: Micros, isGone: boolean): TransactionFlag | undefined {
  if (beyond === 0n) return undefined
  return isGone ? 'late_capture' : 'over_capture'
}
