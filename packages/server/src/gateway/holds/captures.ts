import assert from 'node:assert/strict'
import { Problem } from '../../base/errors.ts'
import { reach, targetOf } from '../../core/decision/target.ts'
import { type Micros, toUnits } from '../../core/money.ts'
import type { Instant } from '../../core/time/instant.ts'
import {
  type Transaction,
  type TransactionFlag,
  transactionStatusAt,
} from '../../core/transaction.ts'
import { changeTransaction, type OnePlace, type Plan } from './change-transactions.ts'
import { flagged, requireStatus } from './holds.ts'

/* Money that has moved: captures, in one part or several, and refunds. */

export interface Capture {
  readonly amount: Micros
  /** Whether this is the last capture. Then the rest of the hold is released. */
  readonly isFinal: boolean
}

/**
 * All statuses in which money of an approved spend can still move, whatever happened to the hold.
 */
const CAPTURABLE = ['held', 'settled', 'partially_refunded', 'refunded', 'voided', 'expired']

/**
 * Captures a hold partly, fully or beyond its amount. The money has moved, so nothing is refused.
 * Money beyond the hold, or money that arrives after the hold has ended, is booked in the current
 * period, even beyond the budget. It counts in limits and gets a flag.
 */
export function captureHold(place: OnePlace, capture: Capture) {
  return changeTransaction(place, planCapture(capture))
}

export function planCapture({ amount, isFinal }: Capture): Plan {
  assert(amount > 0n, 'a capture is above 0; an unused hold is voided')
  return (transaction, now) => {
    requireStatus(transaction, CAPTURABLE, now, 'capture')
    const { heldAmount, settledAmount } = transaction
    const isBeyond = amount > heldAmount
    const target = {
      ...targetOf(transaction),
      held: isFinal || isBeyond ? 0n : heldAmount - amount,
      captured: settledAmount + amount,
      flags: flagged(transaction, isBeyond ? flagFor(transaction) : undefined),
    }
    return reach(transaction, target, now)
  }
}

/** A hold that was voided or has expired no longer counts in any budget or limit. */
function flagFor({ status, settledAmount }: Transaction): TransactionFlag {
  const isGone = settledAmount === 0n && (status === 'voided' || status === 'expired')
  return isGone ? 'late_capture' : 'over_capture'
}

/** Returns budget for refunded money. Limits still count the spend, because it was made. */
export function refund(place: OnePlace, amount: Micros | undefined) {
  return changeTransaction(place, planRefund(amount))
}

export function planRefund(amount: Micros | undefined): Plan {
  return (transaction, now) => {
    requireNoIssuer(transaction, now)
    requireStatus(transaction, ['settled', 'partially_refunded'], now, 'refund')
    const { settledAmount, refundedAmount } = transaction
    const left = settledAmount - refundedAmount
    const given = amount ?? left
    if (given > left) {
      throw new Problem(
        'amount_above_settled',
        `At most ${toUnits(left)} can be refunded: ${toUnits(settledAmount)} were settled, and ${toUnits(refundedAmount)} are already refunded.`,
        { extra: { refundable: toUnits(left) } },
      )
    }
    const target = { ...targetOf(transaction), refunded: refundedAmount + given }
    return reach(transaction, target, now)
  }
}

/**
 * The card issuer reports refunds, and its events are authoritative. A manual refund would be
 * counted twice, or be undone by the issuer's next event.
 */
function requireNoIssuer(transaction: Transaction, now: Instant): void {
  if (transaction.path !== 'card') return
  throw new Problem(
    'transaction_state',
    "You cannot refund a card payment here: its issuer reports refunds, and the budget follows. Ask the merchant for the refund, or dispute the charge with the issuer. The issuer's event books the refund; a generic issuer sends it to POST /gateway/card/events with the type refund.",
    { extra: { transactionStatus: transactionStatusAt(transaction, now), allowed: [] } },
  )
}
