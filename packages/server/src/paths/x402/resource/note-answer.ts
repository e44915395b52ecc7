import { Problem } from '../../../base/errors.ts'
import type { OutboundAnswer, OutboundResult } from '../../../outbound/outbound-client.ts'
import { repeatedTransaction } from '../../../storage/engine/repeated-transaction.ts'
import { addAnomalies, judgeReceipt, tellAnomalies } from '../chain/anomalies.ts'
import type { SettlementParts } from '../chain/settlement.ts'
import { compareTerms } from '../offers/changed-terms.ts'
import { readPaymentAnswer } from '../offers/payment-required.ts'
import type { Anomaly, X402Payment } from '../payment.ts'
import { storeAnomalies, storeReceipt } from '../storage/anomalies.ts'
import { lockPayments } from '../storage/payments.ts'
import { readReceipt } from './receipt.ts'

type NotingParts = Pick<SettlementParts, 'db' | 'clock' | 'log'>

const ASKED_AGAIN: Omit<Anomaly, 'at'> = {
  kind: 'asked_again',
  detail: 'The vendor answered 402 to the request that carried the payment.',
}

/**
 * Stores two facts from the answer to a payment: the transfer that the vendor claims, and any
 * repeated request for payment. A receipt costs one statement, and most answers cost nothing else.
 */
export async function noteAnswer(
  parts: NotingParts,
  payment: X402Payment,
  result: OutboundResult,
): Promise<X402Payment> {
  if (result.kind === 'failure') return payment
  const receipt = readReceipt(result.headers)
  const state = receipt?.claimsSuccess
    ? await storeReceipt(parts.db, payment, receipt.transaction)
    : 'held'
  const found = result.status === 402 ? [ASKED_AGAIN, ...changesIn(payment, result)] : []
  // The reconciler may have ended the payment before the vendor answered. Then nothing else
  // compares the receipt.
  const isToCompare = state !== 'held'
  return found.length > 0 || isToCompare ? noteAnomalies(parts, payment, found) : payment
}

/** Finds no changed terms in a 402 that cannot be read. */
function changesIn(payment: X402Payment, answer: OutboundAnswer): Omit<Anomaly, 'at'>[] {
  try {
    return compareTerms(payment, readPaymentAnswer(answer))
  } catch (error) {
    if (error instanceof Problem) return []
    throw error
  }
}

async function noteAnomalies(
  { db, clock, log }: NotingParts,
  { organizationId, id }: X402Payment,
  found: readonly Omit<Anomaly, 'at'>[],
): Promise<X402Payment> {
  const { before, after } = await repeatedTransaction(db, organizationId, async (tx) => {
    const [[locked], now] = await Promise.all([lockPayments(tx, organizationId, [id]), clock(tx)])
    if (!locked) throw new Error('A payment is missing.')
    const noted = addAnomalies(locked, [...found, ...judgeReceipt(locked)], now)
    if (noted !== locked) tx.send(storeAnomalies(noted))
    return { before: locked, after: noted }
  })
  tellAnomalies(log, before, after)
  return after
}
