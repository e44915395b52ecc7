import type { OutboundClient } from '../../../outbound/outbound-client.ts'
import type { PayRequest } from '../pay-request.ts'
import { callSeller } from '../resource/delivery.ts'
import { readOffers } from './offers.ts'
import { type PaymentRequired, readPaymentAnswer } from './payment-required.ts'
import type { Terms, Witness } from './terms.ts'

const TIMEOUT_MS = 5_000

/**
 * Asks the vendor, without paying, whether it makes this offer. The request must change nothing at
 * the vendor: it has no body, none of the agent's headers, and a method for reading. A vendor that
 * does not answer with a readable 402 has neither confirmed nor denied the offer.
 */
export async function askSeller(
  outbound: OutboundClient,
  { url, call }: PayRequest,
  { offer, wallet }: Terms,
): Promise<Witness> {
  const method = call.method === 'HEAD' ? 'HEAD' : 'GET'
  const probe = { method, headers: {}, body: undefined, timeoutMs: TIMEOUT_MS } as const
  const answer = await callSeller(outbound, url, probe)
  if (answer.kind === 'failure' || answer.status !== 402) return 'agent'
  const required = tryToRead(() => readPaymentAnswer(answer))
  if (!required) return 'agent'
  const payer = {
    address: wallet.address,
    isEnabled: (network: string) => network === offer.asset.network,
  }
  const isTheirs = readOffers(required, payer).payable.some(
    ({ asset, payTo, atomic }) =>
      asset === offer.asset && payTo === offer.payTo && atomic === offer.atomic,
  )
  return isTheirs ? 'vendor' : 'vendor_denies'
}

/** Returns undefined if the 402 cannot be read: the vendor has then not made the offer. */
function tryToRead(read: () => PaymentRequired): PaymentRequired | undefined {
  try {
    return read()
  } catch {
    return undefined
  }
}
