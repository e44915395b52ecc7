import type { Static } from 'typebox'
import { toUnits } from '../../core/money.ts'
import type { Assurance, Spend } from '../../core/spend.ts'
import type { Instant } from '../../core/time.ts'
import type { X402Payment } from '../../core/x402-payment.ts'
import { Problem } from '../../errors.ts'
import { type Outcome, toDetails } from '../../gateway/attempt.ts'
import { toPublicId } from '../../http/schemas.ts'
import { getOrganization } from '../../storage/organizations.ts'
import {
  findPayment,
  markHandedOut,
  storePayment,
  sumOpenPayments,
} from '../../storage/x402-payments.ts'
import {
  NO_SETTLEMENT,
  toPayeeShape,
  toPriceShape,
  toRejectedAnswer,
  toSignedAnswer,
} from './answer.ts'
import { createAuthorization, type SignedPayment } from './authorization.ts'
import type { PayRequest } from './pay-request.ts'
import { readPaymentRequired } from './payment-required.ts'
import { isVendorsOwn } from './probe.ts'
import type { PayAnswer } from './schemas.ts'
import { bookEnd, NEVER_SIGNED, type SettlementParts } from './settlement.ts'
import { type SignerParts, signPayment } from './signer.ts'
import { findTerms, type Terms, toSpend } from './terms.ts'

export interface PayParts extends SettlementParts, SignerParts {
  readonly log: { warn(fields: object, message: string): void }
}

/** What an agent is answered, and whether it was answered before. */
export interface Paid {
  readonly answer: Static<typeof PayAnswer>
  readonly isReplay: boolean
}

const PAYEE_MISMATCH = 'payee_mismatch'
/** How long after signing the chain is asked for the first time. */
const FIRST_CHECK_MS = 1_000
/** Beyond the time for the call itself, for everything around it. */
const CALL_MARGIN_MS = 15_000

/** The agent met a 402 and is given the header that pays it, or told why not. */
export async function paySigned(parts: PayParts, request: PayRequest): Promise<Paid> {
  const earlier = await recall(parts, request)
  if (earlier) return answerSigned(parts, request, earlier)
  const terms = await findTerms(parts, request, readPaymentRequired(request.paymentRequired ?? ''))
  const assurance = await assuranceOf(parts, request, terms)
  return answerSigned(parts, request, await decide(parts, request, terms, assurance))
}

/** What would be decided now; nothing is held, signed or recorded. */
export async function quote(parts: PayParts, request: PayRequest): Promise<Paid> {
  const terms = await findTerms(parts, request, readPaymentRequired(request.paymentRequired ?? ''))
  const assurance = await assuranceOf(parts, request, terms)
  const spend = toSpend(request, terms, assurance)
  const decision = await parts.gateway.preview(spend, undefined)
  const { asset, atomic, payTo } = terms.offer
  const answer = {
    status: 'quoted',
    decision: decision.decision,
    remainingBudget: toUnits(decision.remainingBudget),
    transactionId: null,
    evaluationDetails: JSON.parse(toDetails(decision, request.receivedAt)),
    mandateId: decision.mandateId === null ? null : toPublicId('mnd', decision.mandateId),
    agentId: spend.agentId,
    amount: toUnits(spend.amount),
    vendor: spend.vendor,
    category: spend.category,
    price: toPriceShape(asset, atomic),
    payee: toPayeeShape(payTo, spend.payee?.assurance ?? assurance),
    payment: null,
    resource: null,
    resourceError: null,
    settlement: NO_SETTLEMENT,
    hold: null,
  } as const
  return { answer, isReplay: false }
}

export async function recall(
  { gateway }: PayParts,
  { organizationId, idempotency }: PayRequest,
): Promise<Outcome | undefined> {
  return idempotency ? gateway.recall(organizationId, idempotency) : undefined
}

/**
 * Judges, and stores the authorization in the same transaction as the decision that allows it. Only
 * then may anything be signed: whatever dies afterwards, the same authorization is signed again, and
 * the token takes its nonce once.
 */
export async function decide(
  parts: PayParts,
  request: PayRequest,
  terms: Terms,
  assurance: Assurance,
): Promise<Outcome> {
  const fromBlock = await requireFunds(parts, request, terms)
  const spend = toSpend(request, terms, assurance)
  const now = parts.now()
  const payment = toPayment(request, terms, spend, { now, fromBlock })
  const callingUntil = request.mode === 'fetch' ? callEnd(request, now) : null
  return parts.gateway.decide({
    spend,
    reason: request.reason,
    metadata: request.metadata,
    idempotency: request.idempotency,
    alongside: storePayment(payment, { checkAt: now + FIRST_CHECK_MS, callingUntil }),
    receivedAt: request.receivedAt,
  })
}

/** Until when the process that calls a vendor is left alone with it. */
export function callEnd({ call }: PayRequest, now: Instant): Instant {
  return now + call.timeoutMs + CALL_MARGIN_MS
}

/**
 * Signs a payment that was decided on, and notes that before anybody is given the signature. Where none
 * has left the house nothing can be cashed, so when it fails the hold is given back at once.
 */
export async function signDecided(
  parts: PayParts,
  { organizationId }: PayRequest,
  { id }: Outcome,
): Promise<{ payment: X402Payment; signed: SignedPayment }> {
  const payment = await findPayment(parts.db, organizationId, id)
  if (!payment) throw new Error('An approved x402 payment was not stored.')
  try {
    const signed = await signPayment(parts, payment)
    if (await markHandedOut(parts.db, payment, parts.now())) return { payment, signed }
  } catch (error) {
    await bookEnd(parts, payment, NEVER_SIGNED)
    throw error
  }
  throw new Problem(
    'signer_unavailable',
    'The payment could not be signed, and its hold was given back. Try again with a new Idempotency-Key.',
  )
}

async function answerSigned(parts: PayParts, request: PayRequest, outcome: Outcome): Promise<Paid> {
  const { isReplay } = outcome
  if (outcome.decision === 'rejected') return { answer: toRejectedAnswer(outcome), isReplay }
  const { payment, signed } = await signDecided(parts, request, outcome)
  return { answer: toSignedAnswer(outcome, payment, signed), isReplay }
}

/**
 * Who vouches for the payee where the directory does not. Where the mandate restricts vendors, the agent's word is not enough: the
 * vendor itself is asked, if the organization allows that.
 */
async function assuranceOf(parts: PayParts, request: PayRequest, terms: Terms): Promise<Assurance> {
  const isPinned = (terms.directory?.x402Payees.length ?? 0) > 0
  if (isPinned) return 'agent_claimed'
  const { x402Fetch } = await getOrganization(parts.db, request.organizationId)
  if (!x402Fetch) return 'agent_claimed'
  const isDoubted = await wouldBeDoubted(parts, toSpend(request, terms, 'agent_claimed'))
  if (!isDoubted) return 'agent_claimed'
  return (await isVendorsOwn(parts.outbound, request, terms)) ? 'gateway_observed' : 'agent_claimed'
}

/** Whether it would be rejected for its payee. */
async function wouldBeDoubted({ gateway }: PayParts, spend: Spend): Promise<boolean> {
  const { details, code } = await gateway.preview(spend, undefined)
  return code === PAYEE_MISMATCH || details.rules.some((rule) => rule.code === PAYEE_MISMATCH)
}

/**
 * Whether the wallet can pay, with what other payments may still take from it. Also the height of the
 * chain before anything is signed. Null where no chain can be asked.
 */
async function requireFunds(
  { db, chains }: PayParts,
  { organizationId }: PayRequest,
  { wallet, offer }: Terms,
): Promise<bigint | null> {
  const { network, address: asset, symbol } = offer.asset
  const chain = chains.chain(network)
  if (!chain) return null
  const [balance, height, promised] = await Promise.all([
    chain.balanceOf(asset, wallet.address),
    chain.height(),
    sumOpenPayments(db, organizationId, { walletId: wallet.id, network, asset }),
  ]).catch((cause: unknown) => {
    if (cause instanceof Problem) throw cause
    throw new Problem(
      'chain_unavailable',
      `The chain ${network} cannot be asked what the wallet holds, so nothing was signed. Try again shortly.`,
      { cause, retryAfterSeconds: 5 },
    )
  })
  if (balance - promised >= offer.atomic) return height
  throw new Problem(
    'wallet_insufficient_funds',
    `The wallet ${wallet.address} has ${balance} of the smallest units of ${symbol} on ${network}, of which ${promised} are promised; ${offer.atomic} are needed. Send tokens to it.`,
  )
}

function toPayment(
  request: PayRequest,
  { wallet, offer, required }: Terms,
  spend: Spend,
  { now, fromBlock }: { readonly now: Instant; readonly fromBlock: bigint | null },
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
    assurance: spend.payee?.assurance ?? 'agent_claimed',
    authorization: createAuthorization(offer, wallet.address, now),
    offer: offer.original,
    resource: required.version === 2 ? (required.resource ?? null) : null,
    fromBlock,
    handedOutAt: null,
    state: 'held',
    proof: null,
    chainTransaction: null,
    checks: 0,
    createdAt: now,
  }
}
