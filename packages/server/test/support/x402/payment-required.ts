import { NETWORK } from './chain.ts'
import { USDC, USDC_DOMAIN } from './lab-contracts.ts'
import { toHeader } from './wire.ts'

/** A vendor's terms. Nothing is checked, so that a test may use invalid ones. */
export interface Terms {
  /** The amount in atomic units. */
  readonly amount: unknown
  readonly payTo: unknown
  readonly scheme?: string
  /** The network in the form of version 2. */
  readonly network?: string
  readonly asset?: string
  readonly maxTimeoutSeconds?: unknown
  readonly extra?: unknown
  /** The URL that the vendor claims to sell. */
  readonly resource?: string
}

export interface PaymentRequiredDocuments {
  readonly v2: {
    readonly x402Version: 2
    readonly error: string
    readonly resource: { readonly url: string; readonly description: string }
    readonly accepts: readonly object[]
  }
  readonly v1: {
    readonly x402Version: 1
    readonly error: string
    readonly accepts: readonly object[]
  }
  /** The value of PAYMENT-REQUIRED. */
  readonly header: string
}

const V1_NAMES: Readonly<Record<string, string>> = {
  'eip155:84532': 'base-sepolia',
  'eip155:8453': 'base',
}
const SOMEWHERE = 'http://127.0.0.1/'

/** The same offers in both versions. The resource is that of the first offer. */
export function paymentRequired(...offers: readonly [Terms, ...Terms[]]): PaymentRequiredDocuments {
  const url = offers[0].resource ?? SOMEWHERE
  const v2 = {
    x402Version: 2,
    error: 'Payment required',
    resource: { url, description: 'Some data' },
    accepts: offers.map(toV2Offer),
  } as const
  const v1 = {
    x402Version: 1,
    error: 'X-PAYMENT header is required',
    accepts: offers.map(toV1Offer),
  } as const
  return { v2, v1, header: toHeader(v2) }
}

/** An unchecked receipt, as the value of PAYMENT-RESPONSE or X-PAYMENT-RESPONSE. */
export function inventReceipt(changes: object = {}): string {
  return toHeader({
    success: true,
    transaction: `0x${'cd'.repeat(32)}`,
    network: NETWORK,
    ...changes,
  })
}

function toV2Offer(terms: Terms): object {
  return { ...common(terms), network: terms.network ?? NETWORK, amount: terms.amount }
}

function toV1Offer(terms: Terms): object {
  const network = terms.network ?? NETWORK
  return {
    ...common(terms),
    network: V1_NAMES[network] ?? network,
    maxAmountRequired: terms.amount,
    resource: terms.resource ?? SOMEWHERE,
    description: 'Some data',
    mimeType: 'application/json',
    outputSchema: {},
  }
}

function common({ payTo, scheme, asset, maxTimeoutSeconds, extra }: Terms): object {
  return {
    scheme: scheme ?? 'exact',
    asset: asset ?? USDC,
    payTo,
    maxTimeoutSeconds: maxTimeoutSeconds ?? 60,
    extra: extra ?? USDC_DOMAIN,
  }
}
