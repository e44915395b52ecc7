import assert from 'node:assert/strict'
import { createFaults, type Faults } from './faults.ts'
import { createIdempotency, type Handled, refuse, sent } from './idempotency.ts'
import { isPublished, violationOf } from './published.ts'
import { type StandIn, type StandInRequest, startStandIn } from './stand-in.ts'
import { answerStripe, type StripeCall } from './stripe-tokens.ts'
import { type ChargeToken, createTokenBook, type Token } from './tokens.ts'

/** A payment provider: Stripe's shared payment tokens, and the protocol's own call. */
export interface Psp extends StandIn, Pick<Faults<StripeCall>, 'failNext'> {
  readonly credential: string
  /** The name of the stored payment method. */
  readonly paymentMethod: string
  /** The name of the merchant at Stripe. */
  readonly profileId: string
  readonly tokens: readonly Token[]
  /** Requests of ours that no published schema allows. */
  readonly violations: readonly string[]
  /** Charges a token for a merchant. */
  readonly charge: ChargeToken
  /** Makes a token expire. */
  expire(tokenId: string): void
  /** The next token that Stripe creates needs an action of the payer first. */
  askPayerNext(): void
  payerActed(tokenId: string): void
}

const CREDENTIAL = 'sk_test_psp_1'
const PAYMENT_METHOD = 'pm_card_1'
const PROFILE_ID = 'profile_merchant_1'
const DELEGATE_PAYMENT = /\/agentic_commerce\/delegate_payment$/

export async function startPsp({ merchantId = 'acct_merchant_1' } = {}): Promise<Psp> {
  const book = createTokenBook()
  const violations: string[] = []
  const faults = createFaults<StripeCall>()
  const once = createIdempotency()
  const payer = { asked: 0 }

  function delegate({ headers, body }: StandInRequest): Handled {
    const version = headers['api-version']
    if (typeof version !== 'string' || !isPublished(version)) {
      return refuse(400, 'unsupported_version', { supported_versions: ['2026-04-17'] })
    }
    const wrong = violationOf(version, 'delegate_payment', 'DelegatePaymentRequest', body)
    if (wrong !== undefined) {
      violations.push(wrong)
      return refuse(400, 'invalid_request_body', { message: wrong.slice(0, 200) })
    }
    const { payment_method, allowance, metadata } = body
    if (payment_method.number !== PAYMENT_METHOD) return refuse(400, 'invalid_card')
    const token = book.add({
      id: `vt_${book.tokens.length + 1}`,
      merchantId: allowance.merchant_id,
      sessionId: allowance.checkout_session_id,
      currency: allowance.currency,
      maxMinor: allowance.max_amount,
      expiresAtMs: Date.parse(allowance.expires_at),
      metadata,
    })
    const answer = { id: token.id, created: '2026-11-16T00:00:00Z', metadata }
    const own = violationOf(version, 'delegate_payment', 'DelegatePaymentResponse', answer)
    assert(own === undefined, `the stand-in answers what the schema allows: ${own}`)
    return sent(201, answer)
  }

  async function route(request: StandInRequest): Promise<Handled> {
    const { method, path, headers, body } = request
    if (path.startsWith('/v1/')) {
      return answerStripe(request, { book, faults, once, payer, ...NAMES, merchantId })
    }
    if (headers.authorization !== `Bearer ${CREDENTIAL}`) return refuse(401, 'unauthorized')
    if (method !== 'POST' || !DELEGATE_PAYMENT.test(path)) return refuse(404, 'not_found')
    const key = headers['idempotency-key']
    if (typeof key !== 'string') return refuse(400, 'idempotency_key_required')
    return once(`${path} ${key}`, body, () => faults.run('issue', async () => delegate(request)))
  }

  const server = await startStandIn(route)
  return {
    ...server,
    ...NAMES,
    tokens: book.tokens,
    violations,
    charge: book.charge,
    failNext: faults.failNext,
    expire(tokenId) {
      const token = book.find(tokenId)
      if (token) token.expiresAtMs = 0
    },
    askPayerNext() {
      payer.asked += 1
    },
    payerActed(tokenId) {
      const token = book.find(tokenId)
      if (token) token.needsAction = false
    },
  }
}

const NAMES = { credential: CREDENTIAL, paymentMethod: PAYMENT_METHOD, profileId: PROFILE_ID }
