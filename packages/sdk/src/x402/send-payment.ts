import type { Answer, CallOptions } from '../client/call.ts'
import { readNumber, type Settings } from '../client/options.ts'
import { send } from '../client/send.ts'
import type { X402Payment, X402PaymentInput } from '../generated/types/index.ts'

/** The default of the gateway for each call to a vendor. */
const VENDOR_TIMEOUT_MS = 20_000

/** Sends a payment to the gateway, with time for the calls that the gateway makes to the vendor. */
export async function sendPayment(
  settings: Settings,
  input: X402PaymentInput,
  options: CallOptions = {},
): Promise<Answer<X402Payment>> {
  const { timeoutMs } = options
  const request = { method: 'POST', path: '/gateway/x402/pay', body: input }
  const vendorMs = vendorTimeOf(input)
  if (timeoutMs === undefined) return send(settings, { ...request, waitMs: vendorMs }, options)
  // `send` adds `waitMs` to the time of the call, and the caller has set the time of the whole call.
  const wholeMs = readNumber('timeoutMs', timeoutMs, settings.timeoutMs, 1)
  const waitMs = Math.min(vendorMs, wholeMs - 1)
  return send(settings, { ...request, waitMs }, { ...options, timeoutMs: wholeMs - waitMs })
}

/** In the mode `fetch` the gateway calls the vendor twice before it answers. */
function vendorTimeOf(input: X402PaymentInput): number {
  const { mode, timeoutMs = VENDOR_TIMEOUT_MS } = input ?? {}
  // The gateway refuses a timeout that is not a number.
  return mode === 'fetch' && Number.isFinite(timeoutMs) ? 2 * timeoutMs : 0
}
