import type { Static } from 'typebox'
import { Problem } from '../../base/errors.ts'
import type { Instant } from '../../core/time/instant.ts'
import type { Decided, Submission } from '../../gateway/submission.ts'
import type { CallSlots } from '../call-slots.ts'
import {
  toPayeeShape,
  toPreviewAnswer,
  toPriceShape,
  toRejectedAnswer,
  toSignedAnswer,
} from './answer.ts'
import type { ChainClocks } from './chain/chain-clocks.ts'
import { toEchoed } from './offers/extensions.ts'
import { readPaymentRequired } from './offers/payment-required.ts'
import { findTerms, type Terms, toSpend, type Witness, type X402Spend } from './offers/terms.ts'
import { findWitness } from './offers/witness.ts'
import type { PayRequest } from './pay-request.ts'
import type { X402Payment } from './payment.ts'
import { X402_PROBLEMS } from './problems.ts'
import type { PayAnswer } from './schemas.ts'
import { storePayment } from './storage/payments.ts'
import { createAuthorization } from './wallet/authorization.ts'
import { type Funds, type Outlook, requireFunds } from './wallet/funds.ts'
import { type SigningParts, signDecided } from './wallet/signing.ts'

export interface PayParts extends SigningParts {
  /** Limits the number of concurrent calls to vendors. */
  readonly slots: CallSlots
  readonly clocks: ChainClocks
}

/** The answer to an agent, and whether it replays an earlier one. */
export interface Paid {
  readonly answer: Static<typeof PayAnswer>
  readonly isReplay: boolean
}

/** The delay from the decision to the first check on the chain. */
const FIRST_CHECK_MS = 1_000

/** Handles an agent that got a 402: returns the header that pays it, or the reason why not. */
export async function paySigned(parts: PayParts, request: PayRequest): Promise<Paid> {
  const earlier = await recall(parts, request)
  if (earlier) return answerSigned(parts, request, { decided: earlier, funds: undefined })
  const terms = await findTerms(parts, request, readPaymentRequired(request.paymentRequired ?? ''))
  const witness = await findWitness(parts, request, terms)
  return answerSigned(parts, request, await decide(parts, request, terms, witness, null))
}

/**
 * Returns the decision that a payment would get now. The gateway holds, signs and records nothing.
 */
export async function quote(parts: PayParts, request: PayRequest): Promise<Paid> {
  const terms = await findTerms(parts, request, readPaymentRequired(request.paymentRequired ?? ''))
  const spend = toSpend(request, terms, await findWitness(parts, request, terms), parts.now())
  const decision = await parts.gateway.preview(spend, undefined)
  const { asset, atomic, payTo } = terms.offer
  const answer = {
    status: 'quoted',
    ...toPreviewAnswer(spend, decision, request.receivedAt),
    price: toPriceShape(asset, atomic),
    payee: toPayeeShape(payTo, spend.payee.assurance),
  } as const
  return { answer, isReplay: false }
}

export async function recall(
  { gateway }: PayParts,
  { organizationId, idempotency }: PayRequest,
): Promise<Decided | undefined> {
  return idempotency ? gateway.recall(organizationId, idempotency) : undefined
}

/**
 * A decision, and the wallet's funds before it. `funds` is undefined if the gateway did not read
 * them.
 */
interface JudgedPayment {
  readonly decided: Decided
  readonly funds: Funds | undefined
}

/**
 * Judges the payment, and stores the authorization in the same transaction as the decision that
 * allows it. Only then may the gateway sign. If a process dies afterwards, any later attempt signs
 * this same authorization, and the token accepts its nonce once.
 *
 * A payment that is forbidden anyway needs no chain: the gateway rejects and records it even while
 * the node is down. It records an approval only after the chain has answered (ADR 31).
 */
export async function decide(
  parts: PayParts,
  request: PayRequest,
  terms: Terms,
  witness: Witness,
  callingUntil: Instant | null,
): Promise<JudgedPayment> {
  const forbidden = await rejectForbidden(parts, request, terms, witness)
  if (forbidden) return { decided: forbidden, funds: undefined }
  const outlook = await requireFunds(parts, request.organizationId, terms)
  const now = parts.now()
  const spend = toSpend(request, terms, witness, now)
  const payment = toPayment(request, terms, spend, { ...outlook, now, callingUntil })
  const decided = await parts.gateway.decide({
    ...toSubmission(request, spend),
    alongside: ({ decision }) =>
      decision === 'approved' ? [storePayment(payment, now + FIRST_CHECK_MS)] : [],
  })
  return { decided, funds: decided.isReplay ? undefined : outlook.funds }
}

/**
 * Previews the payment first, which costs no call to a node, and records the rejection if the
 * preview rejects. The recorded decision is made later than the preview. If that decision would
 * approve, the gateway stores nothing, and must query the chain first. Returns undefined if the
 * payment is not known to be forbidden.
 */
async function rejectForbidden(
  { gateway, now }: PayParts,
  request: PayRequest,
  terms: Terms,
  witness: Witness,
): Promise<Decided | undefined> {
  const spend = toSpend(request, terms, witness, now())
  const { decision } = await gateway.preview(spend, undefined)
  if (decision === 'approved') return undefined
  const unasked = chainUnasked()
  try {
    return await gateway.decide({
      ...toSubmission(request, spend),
      alongside: (judged) => {
        if (judged.decision === 'approved') throw unasked
        return []
      },
    })
  } catch (error) {
    if (error === unasked) return undefined
    throw error
  }
}

/** Aborts the transaction of an approval. No caller sees it: `decide` queries the chain then. */
function chainUnasked(): Problem {
  return new Problem(
    X402_PROBLEMS.chain_unavailable,
    'The funds of the wallet were not checked yet.',
  )
}

function toSubmission(request: PayRequest, spend: X402Spend): Submission {
  const { reason, metadata, idempotency, permit, receivedAt } = request
  const told = { spend, reason, metadata, idempotency, askedBy: request.askedBy.id, receivedAt }
  return permit ? { ...told, permit } : told
}

async function answerSigned(
  parts: PayParts,
  request: PayRequest,
  { decided, funds }: JudgedPayment,
): Promise<Paid> {
  const { isReplay } = decided
  if (decided.decision === 'rejected') return { answer: toRejectedAnswer(decided), isReplay }
  const { payment, signed } = await signDecided(parts, request, decided, funds)
  return { answer: toSignedAnswer(decided, payment, signed, parts.now()), isReplay }
}

function toPayment(
  request: PayRequest,
  { wallet, offer, required }: Terms,
  spend: X402Spend,
  {
    now,
    callingUntil,
    fromBlock,
    reckonFrom,
  }: Outlook & Pick<X402Payment, 'callingUntil'> & { readonly now: Instant },
): X402Payment {
  return {
    organizationId: request.organizationId,
    id: spend.transactionId,
    walletId: wallet.id,
    mode: request.mode === 'fetch' ? 'fetch' : 'sign',
    version: required.version,
    url: request.url,
    network: offer.asset.network,
    asset: offer.asset.address,
    assurance: spend.payee.assurance,
    authorization: createAuthorization(offer, wallet.address, reckonFrom ?? now),
    offer: offer.original,
    resource: required.version === 2 ? (required.resource ?? null) : null,
    extensions: toEchoed(required.extensions, spend.transactionId),
    fromBlock,
    handedOutAt: null,
    callingUntil,
    state: 'held',
    proof: null,
    chainTransaction: null,
    receipt: null,
    anomalies: [],
    checks: 0,
    createdAt: now,
  }
}
