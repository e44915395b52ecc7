import type { Hex } from 'viem'
import { Problem } from '../../../base/errors.ts'
import type { Instant } from '../../../core/time/instant.ts'
import type { Decided } from '../../../gateway/submission.ts'
import { repeatedTransaction } from '../../../storage/engine/repeated-transaction.ts'
import {
  lockSpenderState,
  type Spender,
  type SpenderState,
} from '../../../storage/spending-stops.ts'
import { asHex } from '../chain/hex.ts'
import { bookEnd, NEVER_SIGNED, type SettlementParts } from '../chain/settlement.ts'
import type { X402Payment } from '../payment.ts'
import { X402_PROBLEMS } from '../problems.ts'
import { findPayment } from '../storage/payments.ts'
import { signaturePurpose } from '../storage/sealed-values.ts'
import {
  findSignature,
  lockPromised,
  lockSignature,
  type SignatureState,
  storeSignature,
} from '../storage/signatures.ts'
import { type SignedPayment, toSignedPayment } from './authorization.ts'
import { type Funds, insufficientFunds, readFunds } from './funds.ts'
import { type SignerParts, signPayment } from './signer.ts'

export interface SigningParts extends SettlementParts, SignerParts {}

export interface Signing {
  readonly payment: X402Payment
  /** Undefined: it was handed out before, and is not again, because the spender was stopped since. */
  readonly signed: SignedPayment | undefined
}

/**
 * Signs an approved payment, once: the signature is stored before anybody gets it, and a repeat
 * gets the same one. If no signature has left the gateway, nothing can be cashed, so the hold is
 * given back at once when signing fails, or when the spender was stopped since the decision.
 */
export async function signDecided(
  parts: SigningParts,
  { organizationId, askedBy }: Pick<Spender, 'organizationId' | 'askedBy'>,
  { id, agentId, mandateId }: Decided,
  known?: Funds,
): Promise<Signing> {
  const payment = await findPayment(parts.db, organizationId, id)
  if (!payment) throw new Error('An approved x402 payment was not stored.')
  if (payment.state !== 'held' && payment.handedOutAt === null) throw neverSigned()
  const spender = { organizationId, askedBy, agentId, mandateId }
  const handed = await handOut(parts, payment, spender, await prepare(parts, payment, known))
  switch (handed.kind) {
    case 'over':
      await bookEnd(parts, payment, NEVER_SIGNED)
      throw neverSigned()
    case 'short':
      await bookEnd(parts, payment, NEVER_SIGNED)
      throw insufficientFunds(payment, payment.authorization.from)
    case 'stopped':
      if (handed.hasLeftBefore) return { payment, signed: undefined }
      await bookEnd(parts, payment, NEVER_SIGNED)
      throw stopped(handed.by)
    case 'handed_out': {
      const signature = parts.sealer.open(organizationId, signaturePurpose(payment), handed.sealed)
      return { payment, signed: toSignedPayment(payment, asHex(signature)) }
    }
  }
}

type HandedOut =
  | { readonly kind: 'handed_out'; readonly sealed: Buffer }
  | { readonly kind: 'stopped'; readonly by: string; readonly hasLeftBefore: boolean }
  /** It was given back, or its time is over. */
  | { readonly kind: 'over' }
  | { readonly kind: 'short' }

/**
 * The instant at which a signature leaves the gateway, the first time or again: the commit of this
 * transaction. Whoever stops the spender waits for it, or was first, and then nothing leaves. If two
 * sign at once, both hand out the signature that was stored first. A payment whose hold was given back
 * is not signed any more, nor one that nobody should cash by now. Payments of one wallet take turns:
 * the first ones are signed, as many as the balance covers.
 */
function handOut(
  { db, clock }: SigningParts,
  payment: X402Payment,
  spender: Spender,
  { sealed, funds }: Prepared,
): Promise<HandedOut> {
  return repeatedTransaction(db, payment.organizationId, async (tx) => {
    const [before, promised, state, now] = await Promise.all([
      lockSignature(tx, payment),
      funds ? lockPromised(tx, payment, funds.readAt) : 0n,
      lockSpenderState(tx, spender),
      clock(tx),
    ])
    if (!before || isOver(payment, before, now)) return { kind: 'over' }
    const by = stopOf(state, spender)
    if (by !== undefined) return { kind: 'stopped', by, hasLeftBefore: before.signature !== null }
    if (before.signature) return { kind: 'handed_out', sealed: before.signature }
    if (funds && funds.balance < promised + payment.authorization.value) return { kind: 'short' }
    await storeSignature(tx, payment, sealed, now)
    return { kind: 'handed_out', sealed }
  })
}

/** Whether there is neither a signature nor the right to make one. */
function isOver(
  { authorization }: X402Payment,
  { signature, isHeld }: SignatureState,
  now: Instant,
): boolean {
  return signature === null && (!isHeld || now >= authorization.validBefore * 1_000)
}

interface Prepared {
  readonly sealed: Buffer
  /** Null also where the payment is signed already: then others count it, and it counts nobody. */
  readonly funds: Funds
}

/** Everything that takes long: no transaction is open while the chain or a custodian is asked. */
async function prepare(
  parts: SigningParts,
  payment: X402Payment,
  known: Funds | undefined,
): Promise<Prepared> {
  const stored = await findSignature(parts.db, payment)
  if (stored) return { sealed: stored, funds: null }
  const funds = known === undefined ? await readFunds(parts, payment) : known
  return { sealed: await makeSignature(parts, payment), funds }
}

async function makeSignature(parts: SigningParts, payment: X402Payment): Promise<Buffer> {
  const signature = await signOrRelease(parts, payment)
  return parts.sealer.seal(payment.organizationId, signaturePurpose(payment), signature)
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
      'Another request with the same Idempotency-Key signed the payment. Retry shortly.',
      { cause, retryAfterSeconds: 1 },
    )
  }
}

/** No signature left the gateway, so there is nothing to repeat. */
export function neverSigned(cause?: unknown): Problem {
  return new Problem(
    X402_PROBLEMS.signer_unavailable,
    'The payment could not be signed, so its hold was released and nothing was paid. Retry with a new Idempotency-Key.',
    { cause },
  )
}

function stopped(by: string): Problem {
  return new Problem(
    X402_PROBLEMS.x402_payment_stopped,
    `${by}. That was after the payment was approved and before it was signed: no signature was handed out, and its hold was released. Nothing was paid.`,
  )
}

/** Who or what stops a payment, as the beginning of a sentence; undefined if nothing does. */
function stopOf(state: SpenderState, { askedBy }: Pick<Spender, 'askedBy'>): string | undefined {
  if (state.isFrozen) return 'The organization has stopped all spending'
  if (state.agentStatus !== 'active') return 'The agent is paused'
  if (state.mandateStatuses.some((status) => status === 'revoked')) return 'The mandate is revoked'
  if (state.isAskerLive) return undefined
  return askedBy.kind === 'member' ? 'The member was removed' : 'The API key is revoked'
}
