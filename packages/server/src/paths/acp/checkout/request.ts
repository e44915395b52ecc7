import type { Static } from 'typebox'
import { type FieldError, invalidFields } from '../../../base/errors.ts'
import { BAD_CATEGORY, toCategory } from '../../../core/category.ts'
import { type Micros, toMicros } from '../../../core/money.ts'
import type { Principal } from '../../../core/principal.ts'
import { toVendor } from '../../../core/vendor.ts'
import type { Submission } from '../../../gateway/submission.ts'
import type { Spender } from '../../../storage/spending-stops.ts'
import { permitOf } from '../../spend-fields.ts'
import type { CheckoutBody } from '../schemas.ts'
import { isPathStep } from '../versions/merchant-text.ts'

/** An agent's expectations about a session. */
export interface Expected {
  readonly amount: Micros | undefined
  readonly maxAmount: Micros | undefined
  /** The ISO 4217 code, in upper case. */
  readonly currency: string | undefined
}

export interface Asker {
  readonly organizationId: string
  readonly agentId: string
  readonly askedBy: Spender['askedBy'] & Pick<Principal, 'agentIds' | 'scopes'>
  readonly idempotency: NonNullable<Submission['idempotency']>
  readonly receivedAt: number
}

/** An agent's purchase request, normalized. */
export interface CheckoutRequest extends Asker {
  /** The host of the vendor. */
  readonly vendor: string
  readonly sessionId: string
  readonly handlerId: string | undefined
  readonly instrumentId: string | undefined
  readonly expected: Expected
  readonly buyer: object | null
  readonly billingAddress: object | null
  /** The category that the agent stated. */
  readonly category: string | null
  readonly reference: string | null
  readonly reason: string | null
  readonly metadata: Readonly<Record<string, string>> | null
  /** The approval that the agent presents. */
  readonly permit?: Submission['permit']
  readonly isDry: boolean
}

/** Checks everything that the schema cannot express, and reports it all at once. */
export function toCheckoutRequest(
  body: Static<typeof CheckoutBody>,
  asker: Asker,
): CheckoutRequest {
  const vendor = body.vendor === undefined ? undefined : toVendor(body.vendor)
  const { checkoutSessionId: sessionId } = body
  const category = body.category === undefined ? null : toCategory(body.category)
  const errors = [
    ...(body.vendor === undefined ? [wrong('/vendor', 'is required')] : []),
    ...(body.vendor !== undefined && vendor === undefined ? [BAD_VENDOR] : []),
    ...(sessionId === undefined ? [wrong('/checkoutSessionId', 'is required')] : []),
    ...(sessionId !== undefined && isPathStep(sessionId) ? [BAD_SESSION] : []),
    ...(category === undefined ? [BAD_CATEGORY] : []),
    ...misplaced(body),
  ]
  if (vendor === undefined || sessionId === undefined || category === undefined || errors[0]) {
    throw invalidFields(errors)
  }
  return {
    ...asker,
    vendor,
    sessionId,
    handlerId: body.handlerId,
    instrumentId: body.instrumentId,
    expected: toExpected(body.expect),
    category,
    ...toTold(body),
    ...permitOf(body),
    isDry: body.dryRun === true,
  }
}

const BAD_VENDOR: FieldError = {
  path: '/vendor',
  code: 'format',
  message: 'must be the host of a vendor, such as shop.example.com',
}

const BAD_SESSION: FieldError = {
  path: '/checkoutSessionId',
  code: 'format',
  message: 'must be the id of a session, not a path segment such as ..',
}

function toTold(body: Static<typeof CheckoutBody>) {
  const { buyer = null, billingAddress = null } = body
  const { reference = null, reason = null, metadata = null } = body
  return { buyer, billingAddress, reference, reason, metadata }
}

function toExpected(expect: Static<typeof CheckoutBody>['expect'] = {}): Expected {
  const { amount, maxAmount, currency } = expect
  return {
    amount: toAmount(amount),
    maxAmount: toAmount(maxAmount),
    currency: currency?.toUpperCase(),
  }
}

function toAmount(units: number | undefined): Micros | undefined {
  return units === undefined ? undefined : toMicros(units)
}

/** Refuses fields that would be ignored, because the caller expects an effect from them. */
function misplaced(body: Static<typeof CheckoutBody>): FieldError[] {
  const early = (['authenticationResult', 'cancel'] as const)
    .filter((name) => body[name] !== undefined)
    .map((name) => wrong(`/${name}`, 'is allowed only with the transactionId of a checkout'))
  return body.dryRun && body.approvalId !== undefined ? [...early, VAIN_APPROVAL] : early
}

const VAIN_APPROVAL: FieldError = {
  path: '/approvalId',
  code: 'not_allowed',
  message: 'is not allowed in a dry run',
}

function wrong(path: string, message: string): FieldError {
  return { path, code: 'required', message }
}
