import { invalidFields, Problem } from '../../../base/errors.ts'
import { toIso } from '../../../core/time/instant.ts'
import type { Transaction } from '../../../core/transaction.ts'
import type { TransactionPlace } from '../../../gateway/gateway.ts'
import type { EndByHand } from '../../../gateway/holds/by-hand.ts'
import { findTransaction } from '../../../storage/transactions.ts'
import type { X402Payment } from '../payment.ts'
import { endPayments, lockPayments, type PaymentEnd } from '../storage/payments.ts'
import type { SettlementParts } from './settlement.ts'

/**
 * A chain may halt for hours and then accept an authorization that has expired by our clock. After
 * a day, other sources show whether it did.
 */
const VOID_AFTER_MS = 24 * 60 * 60_000

/**
 * Lets an operator end payments on networks that have no node any more (ADR 32). Otherwise such a
 * payment would stay held for ever, because only its chain can prove the outcome.
 */
export function createByHand(
  parts: Pick<SettlementParts, 'chains' | 'gateway' | 'clock'>,
): EndByHand {
  const { chains, gateway, clock } = parts

  async function end(
    place: TransactionPlace,
    toEnd: (payment: X402Payment, now: number) => PaymentEnd,
  ): Promise<Transaction | undefined> {
    const { id, ...where } = place
    const { tx, organizationId } = where
    const [[payment], now] = await Promise.all([lockPayments(tx, organizationId, [id]), clock(tx)])
    if (!payment) return undefined
    if (payment.state !== 'held') throw refusal('It has already ended.')
    if (chains.chain(payment.network)) {
      throw refusal(
        `The network ${payment.network} has a node, so the gateway ends the hold once the chain shows its outcome.`,
      )
    }
    const ended = { ...payment, ...toEnd(payment, now) }
    const as = ended.state === 'settled' ? 'settled' : 'voided'
    await gateway.endAll(where, new Map([[id, as]]), 'ended_by_hand')
    tx.send(endPayments(organizationId, [ended], now))
    return findTransaction(tx, organizationId, id)
  }

  return {
    settle: (place, proof) =>
      end(place, ({ handedOutAt }) => {
        const chainTransaction = requireHash(proof)
        if (handedOutAt !== null) return { state: 'settled', proof: 'owner', chainTransaction }
        throw refusal(
          'It was never signed, so it cannot have been paid. The gateway releases it by itself.',
        )
      }),
    void: (place, note) =>
      end(place, ({ authorization }, now) => {
        const from = authorization.validBefore * 1_000 + VOID_AFTER_MS
        if (now >= from) return { state: 'released', proof: 'owner', chainTransaction: null, note }
        throw refusal(
          `The payment may still be in progress. You can void it from ${toIso(from)} on; if it was made, settle it with the hash of its transaction.`,
        )
      }),
  }
}

function requireHash(proof: string): string {
  if (/^0x[0-9a-f]{64}$/i.test(proof)) return proof.toLowerCase()
  const message = 'must be the hash of a transaction on the chain: 0x and 64 hexadecimal digits'
  throw invalidFields([{ path: '/proof', code: 'pattern', message }])
}

function refusal(why: string): Problem {
  return new Problem('transaction_state', `You cannot end this hold by hand. ${why}`, {
    extra: { transactionStatus: 'held', allowed: [] },
  })
}
