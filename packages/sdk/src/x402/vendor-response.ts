import { type Bytes, decodeBase64 } from '../base/bytes.ts'
import type { X402Payment, X402Resource } from '../generated/types/index.ts'
import { attachPayment, X402Error, type X402FetchPayment } from './payment.ts'

/** The call that the gateway answered. */
interface FetchCall {
  readonly url: string
  readonly idempotencyKey: string
  readonly requestId: string | null
}

/** Returns the vendor's response, or throws an error that says whether money moved. */
export function toVendorResponse(answer: X402Payment, call: FetchCall): Response {
  const { payment: _signed, resource, resourceError, ...decided } = answer
  const payment: X402FetchPayment = { ...decided, idempotencyKey: call.idempotencyKey }
  const response = resource && build(resource, call.url)
  const problem = problemOf(answer, response)
  if (response && !problem) return attachPayment(response, payment)
  const moneyMoved = moneyMovedOf(answer)
  const [code, what] = problem ?? ['invalid_response', 'There is no response of the vendor.']
  throw new X402Error(
    `${what} ${AFTER[moneyMoved](answer, call.idempotencyKey)}`,
    {
      code,
      status: 200,
      requestId: call.requestId,
      idempotencyKey: call.idempotencyKey,
      outcomeUnknown: moneyMoved === 'maybe',
    },
    { moneyMoved, payment, response },
  )
}

/** Returns the code and the sentence of an error; undefined for a complete delivery. */
function problemOf(
  { status, resource, resourceError }: X402Payment,
  response: Response | null,
): readonly [code: string, what: string] | undefined {
  const cause =
    resourceError?.message ?? (resource ? `It answered ${resource.status}.` : 'It sent no answer.')
  switch (status) {
    case 'no_payment_required':
    case 'paid':
    case 'delivered_unsettled':
      if (resourceError) return ['delivery_not_kept', resourceError.message]
      if (resource?.truncated) {
        return [
          'delivery_truncated',
          'The response of the vendor broke off, or has more than 5 MiB.',
        ]
      }
      return response ? undefined : ['invalid_response', 'The vendor sent no valid status.']
    case 'paid_not_delivered':
      return [status, `The vendor was paid and did not deliver. ${cause}`]
    case 'settlement_unknown':
      return [status, `The payment was sent to the vendor, which did not deliver. ${cause}`]
    case 'not_paid':
      return [status, 'The payment expired unused.']
    default:
      return ['invalid_response', `The gateway answered with the status \`${status}\`.`]
  }
}

type MoneyMoved = X402Error['moneyMoved']

function moneyMovedOf({ status, settlement }: X402Payment): MoneyMoved {
  if (status === 'no_payment_required' || settlement?.state === 'none') return 'no'
  return settlement?.state === 'settled' ? 'yes' : 'maybe'
}

const AFTER: Record<MoneyMoved, (answer: X402Payment, key: string) => string> = {
  yes: ({ transactionId }) =>
    `The money moved (${transactionId}). Do not buy again before you have asked the vendor.`,
  maybe: ({ transactionId }, key) =>
    `The money may have moved; its amount stays held (${transactionId}). Repeat the call with \`idempotencyKey: '${key}'\`: the gateway then sends the same payment.`,
  no: ({ status }) =>
    status === 'not_paid'
      ? 'No money moved, and its budget was released. To buy again, use a new `idempotencyKey`.'
      : 'No money moved.',
}

const WITHOUT_BODY = [101, 204, 205, 304]

/** Returns null for a response that no `Response` can represent, such as one with the status 999. */
function build({ status, headers, body, bodyEncoding }: X402Resource, url: string) {
  try {
    const content = WITHOUT_BODY.includes(status) ? null : bytesOf(body, bodyEncoding)
    if (content === undefined) return null
    const response = new Response(content, { status, headers })
    return Object.defineProperty(response, 'url', { value: url })
  } catch {
    return null
  }
}

function bytesOf(body: unknown, encoding: X402Resource['bodyEncoding']): Bytes | undefined {
  if (encoding === 'base64') return decodeBase64(String(body))
  // A text would set a media type of its own.
  return new TextEncoder().encode(encoding === 'json' ? JSON.stringify(body) : String(body))
}
