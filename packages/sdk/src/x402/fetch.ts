import { randomId } from '../base/random-id.ts'
import { type CallOptions, rejectionOf } from '../client/call.ts'
import type { Settings } from '../client/options.ts'
import type { X402Method, X402PaymentInput } from '../generated/types/index.ts'
import { requireMaxAmount } from './refusal.ts'
import { sendPayment } from './send-payment.ts'
import { readVendorRequest, type X402RequestInit } from './vendor-request.ts'
import { toVendorResponse } from './vendor-response.ts'

/** The fields of a payment that a caller may set. */
type PurchaseFields = Pick<
  X402PaymentInput,
  'agentId' | 'walletId' | 'category' | 'reference' | 'reason' | 'metadata' | 'approvalId'
>

/** The options of `purser.x402.fetch`. */
export interface X402FetchOptions extends PurchaseFields, Omit<CallOptions, 'headers'> {
  /** The highest price to pay, in units of the currency. A higher price is not paid. */
  readonly maxAmount: number
  /** The timeout in milliseconds for each of the two calls to the vendor. Default: 20,000. */
  readonly vendorTimeoutMs?: number
  /**
   * How long the call may take with all its attempts, in milliseconds. Default: that of the client,
   * and twice `vendorTimeoutMs`.
   */
  readonly timeoutMs?: number | undefined
}

/** Lets the gateway request the URL and pay for it, and returns the response of the vendor. */
export async function payAndFetch(
  settings: Settings,
  input: string | URL | Request,
  init: X402RequestInit | undefined,
  options: X402FetchOptions,
): Promise<Response> {
  const { maxAmount, vendorTimeoutMs, signal, timeoutMs, retries, ...rest } = options ?? {}
  requireMaxAmount(maxAmount)
  const { idempotencyKey = randomId(), ...fields } = rest
  const { url, method, request, signals } = await readVendorRequest(input, init)
  const answer = await sendPayment(
    settings,
    {
      ...fields,
      url,
      mode: 'fetch',
      method: method as X402Method,
      maxAmount,
      ...(request && { request }),
      ...(vendorTimeoutMs !== undefined && { timeoutMs: vendorTimeoutMs }),
    },
    { idempotencyKey, timeoutMs, retries, signal: AbortSignal.any(signals.concat(signal ?? [])) },
  )
  const { data, requestId } = answer
  if (data.status === 'rejected') throw rejectionOf(data, { requestId, idempotencyKey })
  return toVendorResponse(data, { url, idempotencyKey, requestId })
}
