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
import type { Hex } from '../x402-libraries.ts'
import { type SignedPayment, toSignedPayment } from './authorization.ts'
import { type Funds, insufficientFunds, readFunds } from './funds.ts'
import { type SignerParts, signPayment } from './signer.ts'

export interface SigningParts extends SettlementParts, SignerParts {}

export interface Signing {
  readonly payment: X402Payment
  /** Undefined if the signature was handed out before, and the spender was stopped since. */
  readonly signed: SignedPayment | undefined
}

/**
 * Signs an approved payment, once: stores the signature before it leaves the gateway, and returns
 * the same one to a retry. While no signature has left the gateway, the payment cannot be cashed.
 * So the hold is released at once if signing fails, or if the spender was stopped since the
 * decision.
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
  /** The hold was released, or the authorization has expired. */
  | { readonly kind: 'over' }
  | { readonly kind: 'short' }

/**
 * Hands out a signature, the first time or again. It leaves the gateway when this transaction
 * commits (ADR 31). A concurrent stop of the spender waits for the commit, or commits first, and
 * then nothing leaves. If two requests sign at once, both hand out the signature that was stored
 * first. A payment with a released hold or an expired authorization is not signed. Payments of one
 * wallet are signed one after the other, as many as the balance covers.
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

/** Returns whether there is no signature, and none may be made. */
function isOver(
  { authorization }: X402Payment,
  { signature, isHeld }: SignatureState,
  now: Instant,
): boolean {
  return signature === null && (!isHeld || now >= authorization.validBefore * 1_000)
}

interface Prepared {
  readonly sealed: Buffer
  /**
   * Also null if the payment is already signed: its amount is then part of the other payments'
   * `promised` sum, and needs no check.
   */
  readonly funds: Funds
}

/** Does the slow work, so that no transaction is open during calls to the chain or a custodian. */
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

/** Releases the hold if signing fails, unless another request has signed the payment meanwhile. */
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

/** No signature left the gateway, so a retry has nothing to return. */
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

/** Returns the beginning of a sentence that says why a payment is stopped, or undefined. */
function stopOf(state: SpenderState, { askedBy }: Pick<Spender, 'askedBy'>): string | undefined {
  if (state.isFrozen) return 'The organization has stopped all spending'
  if (state.agentStatus !== 'active') return 'The agent is paused'
  if (state.mandateStatuses.some((status) => status === 'revoked')) return 'The mandate is revoked'
  if (state.isAskerLive) return undefined
  return askedBy.kind === 'member' ? 'The member was removed' : 'The API key is revoked'
}
