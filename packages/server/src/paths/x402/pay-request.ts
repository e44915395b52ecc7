import type { Static } from 'typebox'
import { type FieldError, invalidFields } from '../../base/errors.ts'
import { BAD_CATEGORY, toCategory } from '../../core/category.ts'
import { type Micros, toMicros } from '../../core/money.ts'
import type { Principal } from '../../core/principal.ts'
import { toVendor } from '../../core/vendor.ts'
import type { Submission } from '../../gateway/submission.ts'
import { fromPublicId } from '../../http/document/schemas.ts'
import { permitOf } from '../spend-fields.ts'
import type { METHODS, PayBody } from './schemas.ts'

/** An agent's request, normalized. */
export interface PayRequest {
  readonly organizationId: string
  /** The API key or the member that sent the request. */
  readonly askedBy: Pick<Principal, 'kind' | 'id'>
  readonly agentId: string
  readonly mode: 'sign' | 'fetch' | 'quote'
  readonly url: string
  readonly vendor: string
  readonly paymentRequired: string | object | undefined
  readonly acceptIndex: number | undefined
  readonly maxAmount: Micros | undefined
  readonly walletId: string | undefined
  /** The category that the agent stated. */
  readonly category: string | null
  readonly reference: string | null
  readonly reason: string | null
  readonly metadata: Readonly<Record<string, string>> | null
  /** The request to the vendor. */
  readonly call: SellerCall
  readonly idempotency: Submission['idempotency']
  /** The approval that the agent presents. */
  readonly permit?: Submission['permit']
  readonly receivedAt: number
}

export interface SellerCall {
  readonly method: (typeof METHODS)[number]
  readonly headers: Readonly<Record<string, string>>
  readonly body: Buffer | undefined
  readonly timeoutMs: number
}

const TIMEOUT_MS = 20_000
const BODY_BYTES_MAX = 1_000_000

/** Checks everything that the schema cannot express, and reports it all at once. */
export function toPayRequest(
  body: Static<typeof PayBody>,
  context: Pick<
    PayRequest,
    'organizationId' | 'agentId' | 'askedBy' | 'idempotency' | 'receivedAt'
  >,
): PayRequest {
  const mode = body.mode ?? (body.paymentRequired === undefined ? 'fetch' : 'sign')
  const vendor = /^https?:\/\//i.test(body.url) ? toVendor(body.url) : undefined
  const category = body.category === undefined ? null : toCategory(body.category)
  const call = toCall(body)
  const errors = [
    ...(vendor === undefined ? [URL_ERROR] : []),
    ...(category === undefined ? [BAD_CATEGORY] : []),
    ...modeErrors(mode, body),
    ...bodyErrors(body.request, call.body),
  ]
  if (vendor === undefined || category === undefined || errors.length > 0) {
    throw invalidFields(errors)
  }
  const { url, paymentRequired, acceptIndex, maxAmount, walletId } = body
  const { reference = null, reason = null, metadata = null } = body
  return {
    ...context,
    mode,
    url,
    vendor,
    paymentRequired,
    acceptIndex,
    maxAmount: maxAmount === undefined ? undefined : toMicros(maxAmount),
    walletId: walletId === undefined ? undefined : fromPublicId('wal', walletId),
    category,
    reference,
    reason,
    metadata,
    call,
    ...permitOf(body),
  }
}

function toCall({ method = 'GET', request, timeoutMs }: Static<typeof PayBody>): SellerCall {
  return {
    method,
    headers: request?.headers ?? {},
    body: toSentBody(request),
    timeoutMs: timeoutMs ?? TIMEOUT_MS,
  }
}

function toSentBody(request: Static<typeof PayBody>['request']): Buffer | undefined {
  if (request?.body === undefined) return undefined
  return Buffer.from(request.body, request.bodyEncoding ?? 'utf8')
}

function bodyErrors(
  request: Static<typeof PayBody>['request'],
  sent: Buffer | undefined,
): FieldError[] {
  // Node's decoder silently drops invalid base64. The vendor would then be paid for a different
  // request.
  const isGarbled = request?.bodyEncoding === 'base64' && sent?.toString('base64') !== request.body
  const isTooLong = sent !== undefined && sent.length > BODY_BYTES_MAX
  return [...(isGarbled ? [BASE64_ERROR] : []), ...(isTooLong ? [BODY_ERROR] : [])]
}

/**
 * Refuses fields that the mode would ignore: the caller expects an effect from them, and with money
 * it is better to clear that up first.
 */
function modeErrors(mode: PayRequest['mode'], body: Static<typeof PayBody>): FieldError[] {
  if (mode !== 'fetch') {
    const unused = (['request', 'timeoutMs'] as const).filter((name) => body[name] !== undefined)
    return [
      ...(body.paymentRequired === undefined ? [REQUIRED_ERROR] : []),
      ...(mode === 'quote' && body.approvalId !== undefined ? [notFor('/approvalId', mode)] : []),
      ...unused.map((name) => notFor(`/${name}`, mode)),
    ]
  }
  const hasNoBody = ['GET', 'HEAD'].includes(body.method ?? 'GET')
  return [
    ...(body.paymentRequired === undefined ? [] : [notFor('/paymentRequired', mode)]),
    ...(body.acceptIndex === undefined ? [] : [notFor('/acceptIndex', mode)]),
    ...(hasNoBody && body.request?.body !== undefined ? [GET_BODY_ERROR] : []),
  ]
}

function notFor(path: string, mode: string): FieldError {
  return { path, code: 'not_allowed', message: `is not allowed in mode ${mode}` }
}

const URL_ERROR: FieldError = {
  path: '/url',
  code: 'format',
  message: 'must be an http(s) URL with a host name, without user name or password',
}
const REQUIRED_ERROR: FieldError = {
  path: '/paymentRequired',
  code: 'required',
  message: 'is required: the 402 answer of the vendor',
}
const BODY_ERROR: FieldError = {
  path: '/request/body',
  code: 'maxLength',
  message: `must be at most ${BODY_BYTES_MAX} bytes`,
}
const BASE64_ERROR: FieldError = {
  path: '/request/body',
  code: 'format',
  message: 'must be base64, with its padding',
}
const GET_BODY_ERROR: FieldError = {
  path: '/request/body',
  code: 'not_allowed',
  message: 'cannot be sent with GET or HEAD; set another method',
}
