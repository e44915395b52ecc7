import assert from 'node:assert/strict'
import { type Offer, readOffers } from '../../../src/paths/x402/offers/offers.ts'
import type { X402Payment } from '../../../src/paths/x402/payment.ts'
import { createAuthorization } from '../../../src/paths/x402/wallet/authorization.ts'
import { asking } from './some-offer.ts'

export const NOON = Date.parse('2026-11-15T12:00:00.999Z')

/** The offer as the gateway reads it; it must be payable for the test to make sense. */
export function payableOffer(version: 1 | 2, original: object, payer: string): Offer {
  const [offer] = readOffers(asking(version, original), {
    address: payer,
    isEnabled: () => true,
  }).payable
  assert(offer, 'the offer can be paid')
  return offer
}

/** A payment of this offer as it is stored with its decision. */
export function somePayment(
  version: 1 | 2,
  original: Readonly<Record<string, unknown>>,
  payer: string,
  resource: object | null = null,
): X402Payment {
  const offer = payableOffer(version, original, payer)
  return {
    organizationId: '0198c5a0-0000-7000-8000-0000000000bb',
    id: '0198c5a0-0000-7000-8000-0000000000aa',
    walletId: '0198c5a0-0000-7000-8000-0000000000cc',
    mode: 'sign',
    version,
    url: 'https://api.vendor.example/v1/data',
    network: offer.asset.network,
    asset: offer.asset.address,
    assurance: 'agent_claimed',
    authorization: createAuthorization(offer, payer, NOON),
    offer: original,
    resource,
    extensions: null,
    fromBlock: null,
    handedOutAt: null,
    callingUntil: null,
    state: 'held',
    proof: null,
    chainTransaction: null,
    receipt: null,
    anomalies: [],
    checks: 0,
    createdAt: NOON,
  }
}
