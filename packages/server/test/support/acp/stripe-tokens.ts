import type { Faults } from './faults.ts'
import { type createIdempotency, type Handled, sent } from './idempotency.ts'
import type { StandInRequest } from './stand-in.ts'
import type { Token, TokenBook } from './tokens.ts'

export type StripeCall = 'issue' | 'inspect' | 'revoke'

export interface StripeParts {
  readonly book: TokenBook
  readonly faults: Faults<StripeCall>
  readonly once: ReturnType<typeof createIdempotency>
  /** How many of the next tokens need an action of the payer first. */
  readonly payer: { asked: number }
  readonly credential: string
  readonly paymentMethod: string
  readonly profileId: string
  readonly merchantId: string
}

const ADDRESS = /^\/v1\/shared_payment\/issued_tokens(?:\/([^/]+)(\/revoke)?)?$/

/** Parameters of the preview; any other is an error, as everywhere in this API. */
const KNOWN =
  /^(payment_method|return_url|use_stripe_sdk|setup_future_usage|expand\[\d*\]|seller_details\[(network_business_profile|external_id)\]|usage_limits\[(currency|max_amount|expires_at)\]|(shared_)?metadata\[[^\]]{1,40}\])$/

/**
 * Shared payment tokens: form-encoded, with a preview version. They can be created, read and
 * revoked.
 */
export async function answerStripe(request: StandInRequest, parts: StripeParts): Promise<Handled> {
  const { method, path, headers, text } = request
  const [matched, id, revokes] = ADDRESS.exec(path) ?? []
  if (headers.authorization !== `Bearer ${parts.credential}`) return fail(401, 'api_key_invalid')
  if (!/^\d{4}-\d\d-\d\d\.preview$/.test(String(headers['stripe-version']))) {
    return fail(400, 'preview_version_required')
  }
  if (matched === undefined) return fail(404, 'resource_missing')
  if (id !== undefined) return answerToken(id, revokes !== undefined, request, parts)
  if (method !== 'POST') return fail(404, 'resource_missing')
  const key = headers['idempotency-key'] ?? `none ${Math.random()}`
  const carryOut = async () => issue(request, parts)
  return parts.once(`stripe ${key}`, text, () => parts.faults.run('issue', carryOut))
}

async function answerToken(
  id: string,
  revokes: boolean,
  { method }: StandInRequest,
  { book, faults }: StripeParts,
): Promise<Handled> {
  const token = book.find(id)
  if (!token || method !== (revokes ? 'POST' : 'GET')) return fail(404, 'resource_missing')
  return revokes
    ? faults.run('revoke', async () => revoke(token))
    : faults.run('inspect', async () => show(token))
}

function issue({ headers, text }: StandInRequest, parts: StripeParts): Handled {
  const isForm = headers['content-type']?.startsWith('application/x-www-form-urlencoded')
  if (!isForm) return fail(400, 'form_encoding_required')
  const form = new URLSearchParams(text)
  const unknown = [...form.keys()].find((name) => !KNOWN.test(name))
  if (unknown !== undefined) return fail(400, 'parameter_unknown', unknown)
  const maxMinor = readInteger(form.get('usage_limits[max_amount]'))
  const seconds = readInteger(form.get('usage_limits[expires_at]'))
  if (!maxMinor || !seconds) return fail(400, 'parameter_invalid_integer')
  if (form.get('payment_method') !== parts.paymentMethod) return fail(400, 'resource_missing')
  const token = parts.book.add({
    id: `spt_${parts.book.tokens.length + 1}`,
    merchantId:
      form.get('seller_details[network_business_profile]') === parts.profileId
        ? parts.merchantId
        : 'nobody',
    // Stripe binds a token to a seller and not to a session.
    sessionId: null,
    currency: form.get('usage_limits[currency]') ?? '',
    maxMinor,
    expiresAtMs: seconds * 1_000,
    metadata: Object.fromEntries([...form].filter(([name]) => /^(shared_)?metadata\[/.test(name))),
  })
  if (parts.payer.asked > 0) {
    parts.payer.asked -= 1
    token.needsAction = true
  }
  return show(token)
}

function readInteger(text: string | null): number | undefined {
  return text !== null && /^\d{1,15}$/.test(text) ? Number(text) : undefined
}

function revoke(token: Token): Handled {
  if (token.capturedMinor > 0) return fail(400, 'shared_payment_token_deactivated')
  token.isRevoked = true
  return show(token)
}

function show(token: Token): Handled {
  const { id, currency, maxMinor, capturedMinor, expiresAtMs, needsAction } = token
  const reason = reasonOf(token)
  const open = needsAction ? 'requires_action' : 'active'
  return sent(200, {
    id,
    object: 'shared_payment.issued_token',
    livemode: false,
    status: reason === null ? open : 'deactivated',
    deactivated_reason: reason,
    usage_limits: { currency, max_amount: maxMinor, expires_at: Math.floor(expiresAtMs / 1_000) },
    usage_details: { amount_captured: { value: capturedMinor, currency } },
    next_action: needsAction
      ? { type: 'redirect_to_url', redirect_to_url: { url: 'https://hooks.stripe.example/3ds' } }
      : null,
  })
}

function reasonOf({ capturedMinor, isRevoked, expiresAtMs }: Token): string | null {
  if (capturedMinor > 0) return 'consumed'
  if (isRevoked) return 'revoked'
  return expiresAtMs <= Date.now() ? 'expired' : null
}

function fail(status: number, code: string, param?: string): Handled {
  const type = status === 401 ? 'authentication_error' : 'invalid_request_error'
  return sent(status, { error: { type, code, message: `It was answered ${code}.`, param } })
}
