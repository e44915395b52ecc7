import type { Hex } from 'viem'
import { Problem } from '../../../errors.ts'
import type { Decided } from '../../../gateway/submission.ts'
import { asHex } from '../chain/hex.ts'
import { bookEnd, NEVER_SIGNED, type SettlementParts } from '../chain/settlement.ts'
import type { X402Payment } from '../payment.ts'
import { X402_PROBLEMS } from '../problems.ts'
import { findPayment, findSignature, storeSignature } from '../storage/payments.ts'
import { type SignedPayment, toSignedPayment } from './authorization.ts'
import { type SignerParts, signPayment } from './signer.ts'

export interface SigningParts extends SettlementParts, SignerParts {}

/**
 * Signs an approved payment, once: the signature is stored before anybody gets it, and a repeat
 * gets the same one. If no signature has left the gateway, nothing can be cashed, so the hold is
 * given back at once when signing fails.
 */
export async function signDecided(
  parts: SigningParts,
  organizationId: string,
  { id }: Decided,
): Promise<{ payment: X402Payment; signed: SignedPayment }> {
  const payment = await findPayment(parts.db, organizationId, id)
  if (!payment) throw new Error('An approved x402 payment was not stored.')
  if (payment.proof === 'unsigned') throw neverSigned()
  const sealed = (await findSignature(parts.db, payment)) ?? (await signAndStore(parts, payment))
  if (!sealed) throw neverSigned()
  const signature = parts.sealer.open(organizationId, purposeOf(payment), sealed)
  return { payment, signed: toSignedPayment(payment, asHex(signature)) }
}

/** Undefined when the payment was given back meanwhile. */
async function signAndStore(
  parts: SigningParts,
  payment: X402Payment,
): Promise<Buffer | undefined> {
  const { db, sealer, now } = parts
  const signature = await signOrRelease(parts, payment)
  const sealed = sealer.seal(payment.organizationId, purposeOf(payment), signature)
  return storeSignature(db, payment, sealed, now())
}

/** Another request may have signed it meanwhile. Then it is not given back. */
async function signOrRelease(parts: SigningParts, payment: X402Payment): Promise<Hex> {
  try {
    return await signPayment(parts, payment)
  } catch (cause) {
    const { state } = await bookEnd(parts, payment, NEVER_SIGNED)
    if (state === 'released') throw neverSigned(cause)
    throw new Problem(
      X402_PROBLEMS.signer_unavailable,
      'The payment was signed by another request with the same Idempotency-Key. Repeat this one shortly.',
      { cause, retryAfterSeconds: 1 },
    )
  }
}

/** No signature left the gateway, so there is nothing to repeat. */
export function neverSigned(cause?: unknown): Problem {
  return new Problem(
    X402_PROBLEMS.signer_unavailable,
    'The payment could not be signed, and its hold was given back: nothing was paid. Try again with a new Idempotency-Key.',
    { cause },
  )
}

function purposeOf({ id }: X402Payment): string {
  return `x402-signature:${id}`
}
