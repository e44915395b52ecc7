import { invalidFields, Problem } from '../../base/errors.ts'
import { toIso } from '../../core/time/instant.ts'
import type { Transaction } from '../../core/transaction.ts'
import type { TransactionPlace } from '../../gateway/gateway.ts'
import type { EndByHand } from '../../gateway/holds/by-hand.ts'
import { findTransaction } from '../../storage/transactions.ts'
import { ENDED } from './checkout/advance.ts'
import { type AcpCheckout, hasLeft, isEnded } from './checkout/checkout.ts'
import { externalOf } from './checkout/shown.ts'
import { isPastEnd } from './checkout/steps.ts'
import { recordToken } from './checkout/token-record.ts'
import type { FlowParts } from './flow-parts.ts'
import { lockCheckout, noteExternal, saveCheckout } from './storage/checkouts.ts'
import { readId } from './versions/merchant-text.ts'

/**
 * By this time after a token's end, the books of the merchant and of the token provider show its
 * outcome.
 */
const VOID_AFTER_MS = 24 * 60 * 60_000

/**
 * Lets an operator end checkouts about which merchant and token provider no longer answer (ADR 32).
 * Otherwise such a checkout would stay held for ever, because only they know its outcome.
 */
export function createByHand({
  gateway,
  clock,
  sealer,
}: Pick<FlowParts, 'gateway' | 'clock' | 'sealer'>): EndByHand {
  async function end(
    { id, ...where }: TransactionPlace,
    toEnd: (checkout: AcpCheckout, now: number) => AcpCheckout,
    note?: string,
  ): Promise<Transaction | undefined> {
    const { tx, organizationId } = where
    const [checkout, now] = await Promise.all([lockCheckout(tx, { organizationId, id }), clock(tx)])
    if (!checkout) return undefined
    if (isEnded(checkout)) throw refusal('It has already ended.')
    if (!isPastEnd(checkout, now)) {
      throw refusal(
        'The gateway still asks the merchant and the token provider, and ends the hold once the outcome is certain.',
      )
    }
    const ended = toEnd(checkout, now)
    const as = ended.state === 'settled' ? 'settled' : 'voided'
    await gateway.endAll(where, new Map([[id, as]]), 'ended_by_hand')
    tx.send(saveCheckout({ ...ended, ...ENDED, step: checkout.step + 1 }))
    recordToken({ sealer }, checkout, ended, { tx, now })
    if (note !== undefined) {
      tx.send(noteExternal(organizationId, id, { ...externalOf(ended), note }))
    }
    return findTransaction(tx, organizationId, id)
  }

  return {
    settle: (place, proof) =>
      end(place, (checkout) => {
        const order = { id: requireName(proof), permalinkUrl: null, status: null }
        if (hasLeft(checkout)) return { ...checkout, state: 'settled', failure: null, order }
        throw refusal('Its token was never handed out, so it cannot have been charged.')
      }),
    void: (place, reason) =>
      end(
        place,
        (checkout, now) => {
          const from = checkout.tokenEndsAt + VOID_AFTER_MS
          const failure = { code: 'ended_by_hand', retryable: false }
          if (now >= from) return { ...checkout, state: 'released', failure }
          throw refusal(
            `The merchant may not have reported a late charge yet. You can void the hold from ${toIso(from)} on; if there is an order, settle it with the order's id.`,
          )
        },
        reason,
      ),
  }
}

function requireName(proof: string): string {
  const id = readId(proof)
  if (id !== null) return id
  const message =
    'must be the id of the order at the merchant, or of the charge at the token provider'
  throw invalidFields([{ path: '/proof', code: 'format', message }])
}

function refusal(why: string): Problem {
  return new Problem('transaction_state', `You cannot end this hold by hand. ${why}`, {
    extra: { transactionStatus: 'held', allowed: [] },
  })
}
