import type { Static } from 'typebox'
import { type FieldError, invalidFields } from '../../../base/errors.ts'
import { isMoney, toMicros, whyNoMoney } from '../../../core/money.ts'
import type { Instant } from '../../../core/time/instant.ts'
import { toCountry } from '../mapping/country.ts'
import type { AuthorizeBody } from './generic-schemas.ts'
import type { CardMerchant, CardRequest } from './issuer.ts'

type Asked = Static<typeof AuthorizeBody>

const TYPES: Readonly<Record<Asked['type'], CardRequest['type']>> = {
  initial: 'authorization',
  incremental: 'authorization',
  verification: 'verification',
  single_message: 'single_message',
  refund: 'credit',
  balance_inquiry: 'credit',
}

/** How far an issuer's clock may be ahead of ours. */
const AHEAD_MAX_MS = 5 * 60_000

/**
 * The time of the event by the issuer's clock. A time further ahead is a mistake: no later event would
 * count. So the time of receipt is used instead, and nothing is refused for it.
 */
export function timeOf(occurredAt: string, receivedAt: Instant): Instant {
  const at = Date.parse(occurredAt)
  return at > receivedAt + AHEAD_MAX_MS ? receivedAt : at
}

/**
 * Converts a request of an adapted issuer. Throws a problem for mistakes that the schema cannot
 * express.
 */
export function toCardRequest(asked: Asked, receivedAt: Instant): CardRequest {
  const mistakes = mistakesIn(asked)
  if (mistakes.length > 0) throw invalidFields(mistakes)
  return {
    kind: 'request',
    requestId: asked.requestId,
    authorizationId: asked.authorizationId,
    index: null,
    isLive: null,
    type: TYPES[asked.type],
    card: { externalId: asked.card.externalId, last4: null, state: null },
    ...toAmounts(asked),
    currency: asked.currency,
    merchant: toMerchant(asked.merchant),
    initiator: asked.initiator ?? 'unknown',
    partialSupported: asked.partialApprovalSupported ?? false,
    at: timeOf(asked.occurredAt, receivedAt),
    echo: null,
  }
}

const NOTHING: FieldError = {
  path: '/amount',
  code: 'range',
  message: 'is 0, but must be above 0; to check the card, send the type verification',
}

function mistakesIn({ type, amount, merchantAmount }: Asked): FieldError[] {
  if (holds(type) && amount === undefined) return [required('amount', type)]
  if (holds(type) && amount === 0) return [NOTHING]
  if (type === 'verification' && amount) return [notAllowed('amount', type)]
  return [
    ...whyNoAmount('amount', amount, !holds(type)),
    ...whyNoAmount('merchantAmount', merchantAmount, true),
  ]
}

/** A request that holds nothing has no amount. */
function toAmounts({ type, amount, totalAmount, merchantAmount, merchantCurrency }: Asked) {
  return {
    amount: holds(type) ? toMicros(amount ?? 0) : 0n,
    total: holds(type) && totalAmount !== undefined ? toMicros(totalAmount) : null,
    merchantAmount: merchantAmount === undefined ? null : toMicros(merchantAmount),
    merchantCurrency: merchantCurrency ?? null,
  }
}

function holds(type: Asked['type']): boolean {
  return TYPES[type] === 'authorization' || TYPES[type] === 'single_message'
}

export function toMerchant(merchant: Asked['merchant']): CardMerchant {
  const { network, id, name, url, mcc, country } = merchant
  return {
    network: network?.toLowerCase() ?? null,
    id: id ?? null,
    name,
    url: url ?? null,
    mcc: mcc ?? null,
    country: toCountry(country ?? null),
  }
}

/** The schema of a number cannot count decimals, nor say when zero is allowed. */
export function whyNoAmount(
  name: string,
  amount: number | undefined,
  mayBeZero: boolean,
): FieldError[] {
  if (amount === undefined || isMoney(amount) || (mayBeZero && amount === 0)) return []
  return [{ path: `/${name}`, code: 'range', message: whyNoMoney(amount) }]
}

/** `without` is a field that would do instead. */
export function required(name: string, type: string, without?: string): FieldError {
  const otherwise = without === undefined ? '' : ` and no ${without}`
  const message = `is required with the type ${type}${otherwise}`
  return { path: `/${name}`, code: 'required', message }
}

export function notAllowed(name: string, type: string): FieldError {
  return { path: `/${name}`, code: 'not_allowed', message: `is not allowed with the type ${type}` }
}
