import type { OutboundClient } from '../../../outbound/outbound-client.ts'
import { type Fields, fieldsOf, readId, readUrl } from '../versions/merchant-text.ts'
import { callIssuer, type IssuerAnswer, toRefusal } from './issuer-call.ts'
import type {
  Allowance,
  Issued,
  Objection,
  TokenIssuer,
  TokenState,
  UsableInstrument,
} from './token-issuer.ts'

const STRIPE_URL = 'https://api.stripe.com'
const TOKENS = '/v1/shared_payment/issued_tokens'

/**
 * Currencies for which Stripe uses a different minor unit than ISO 4217. A session's total uses the
 * ISO unit, so a token would be worth a hundred times as much, or a hundredth.
 */
const OTHER_UNIT: ReadonlySet<string> = new Set(['isk', 'mga', 'ugx'])

/** Creates Stripe's shared payment tokens. `version` is a preview of Stripe's API that has them. */
export function createStripeTokens(outbound: OutboundClient, version: string): TokenIssuer {
  const call = (
    { baseUrl, credential }: UsableInstrument,
    path: string,
    form?: { readonly fields: URLSearchParams; readonly key?: string },
  ): Promise<IssuerAnswer> =>
    callIssuer(outbound, {
      method: form ? 'POST' : 'GET',
      url: `${baseUrl ?? STRIPE_URL}${TOKENS}${path}`,
      headers: {
        authorization: `Bearer ${credential}`,
        'stripe-version': version,
        ...(form && { 'content-type': 'application/x-www-form-urlencoded' }),
        ...(form?.key !== undefined && { 'idempotency-key': form.key }),
      },
      ...(form && { body: form.fields.toString() }),
    })

  const inspect = async (instrument: UsableInstrument, tokenId: string): Promise<TokenState> =>
    toState(await call(instrument, `/${encodeURIComponent(tokenId)}`), tokenId)

  return {
    name: 'stripe',
    objectionTo,
    async issue(instrument, allowance, key) {
      const objection = objectionTo(allowance)
      if (objection) return { kind: 'refused', code: objection.code, retryable: false }
      const fields = toForm(instrument, allowance)
      return toIssued(await call(instrument, '', { fields, key }), allowance)
    },
    inspect,
    async revoke(instrument, tokenId) {
      const path = `/${encodeURIComponent(tokenId)}/revoke`
      // Send no idempotency key: Stripe stores failures under it too, and a retry would get the
      // stored failure.
      const answer = await call(instrument, path, { fields: new URLSearchParams() })
      const state = toState(answer, tokenId)
      // A token that is already over cannot be revoked, and Stripe's refusal does not report the
      // charge.
      return state.kind === 'over' ? state : inspect(instrument, tokenId)
    },
  }
}

function objectionTo({
  profileId,
  currency,
}: Pick<Allowance, 'profileId' | 'currency'>): Objection | undefined {
  if (profileId === null) {
    return {
      code: 'profile_id_missing',
      message:
        'Stripe creates a token only for a merchant whose business profile is set. Ask the merchant for the id of its profile, and add it with PATCH /vendors/:id {"acp": {"profileId": …}}.',
    }
  }
  if (!OTHER_UNIT.has(currency)) return undefined
  return {
    code: 'currency_not_supported',
    message: `The gateway requests no token in ${currency.toUpperCase()} from Stripe, whose minor unit for it differs from the merchant's. Use an instrument of another token provider.`,
  }
}

function toForm({ paymentMethod }: UsableInstrument, allowance: Allowance): URLSearchParams {
  const { profileId, currency, maxMinor, metadata } = allowance
  return new URLSearchParams({
    payment_method: paymentMethod,
    'seller_details[network_business_profile]': profileId ?? '',
    'usage_limits[currency]': currency,
    'usage_limits[max_amount]': String(maxMinor),
    'usage_limits[expires_at]': String(secondsOf(allowance)),
    ...Object.fromEntries(
      Object.entries(metadata).map(([name, value]) => [`shared_metadata[${name}]`, value]),
    ),
  })
}

/** Rounds down, so that the token does not outlive the requested end. */
function secondsOf({ expiresAt }: Allowance): number {
  return Math.floor(expiresAt / 1_000)
}

function toIssued(answer: IssuerAnswer, allowance: Allowance): Issued {
  if (answer.kind === 'unsent') return { ...answer, kind: 'refused' }
  if (answer.kind === 'unknown') return answer
  const { status, body = {} } = answer
  if (status !== 200 && status !== 201) return toRefusal(status, fieldsOf(body['error']))
  const tokenId = readId(body['id'])
  if (tokenId === null)
    return { kind: 'unknown', why: 'The token provider answered without a token.' }
  if (!isWithin(fieldsOf(body['usage_limits']), allowance)) {
    // The gateway does not hand it out, and it ends by itself.
    return { kind: 'unknown', why: 'The token allows more than was requested.' }
  }
  if (body['status'] === 'active') return { kind: 'issued', tokenId, credentialType: 'spt' }
  if (body['status'] === 'requires_action') {
    const { redirect_to_url: redirect } = fieldsOf(body['next_action'])
    return { kind: 'action', tokenId, url: readUrl(fieldsOf(redirect)['url']) }
  }
  return { kind: 'unknown', why: 'The token is in a state in which it cannot be used.' }
}

/**
 * Checks the token against the request, because only the token keeps a merchant from taking more.
 */
function isWithin(limits: Fields, allowance: Allowance): boolean {
  const { max_amount: max, expires_at: end, currency, recurring_interval: again } = limits
  return (
    currency === allowance.currency &&
    typeof max === 'number' &&
    max <= allowance.maxMinor &&
    typeof end === 'number' &&
    end <= secondsOf(allowance) &&
    (again ?? null) === null
  )
}

function toState(answer: IssuerAnswer, tokenId: string): TokenState {
  if (answer.kind === 'unsent')
    return { kind: 'unknown', why: 'The token provider is unreachable.' }
  if (answer.kind === 'unknown') return answer
  const { status, body = {} } = answer
  if (status !== 200 || body['id'] !== tokenId) {
    return { kind: 'unknown', why: `The token provider answered ${status} without a token.` }
  }
  if (body['status'] === 'active' || body['status'] === 'requires_action') return { kind: 'open' }
  if (body['status'] === 'deactivated') return { kind: 'over', capturedMinor: capturedOf(body) }
  return { kind: 'unknown', why: 'The token is in an unknown state.' }
}

/**
 * Returns the charged amount, or null. A consumed token with a charge of 0 contradicts itself and
 * proves nothing.
 */
function capturedOf(token: Fields): number | null {
  const { amount_captured: captured } = fieldsOf(token['usage_details'])
  const { value } = fieldsOf(captured)
  if (typeof value !== 'number' || !Number.isSafeInteger(value) || value < 0) return null
  return value === 0 && token['deactivated_reason'] === 'consumed' ? null : value
}
