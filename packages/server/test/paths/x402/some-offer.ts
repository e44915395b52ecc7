import type { PaymentRequired } from '../../../src/paths/x402/offers/payment-required.ts'

type Members = Readonly<Record<string, unknown>>

/** Base Sepolia, and the USDC there. */
export const NETWORK = 'eip155:84532'
export const USDC: `0x${string}` = '0x036CbD53842c5426634e7929541eC2318f3dCF7e'
export const DOMAIN = { name: 'USDC', version: '2' }
export const PAYEE = `0x${'aB'.repeat(20)}`
export const PAYER = `0x${'c0ffee11'.repeat(5)}`

/** An offer of version 2 that can be paid, but for what a test changes. Undefined takes a member out. */
export function someOffer(changes: Members = {}): Members {
  return {
    scheme: 'exact',
    network: NETWORK,
    amount: '10000',
    asset: USDC,
    payTo: PAYEE,
    maxTimeoutSeconds: 300,
    extra: DOMAIN,
    ...changes,
  }
}

/** The same of version 1. */
export function someV1Offer(changes: Members = {}): Members {
  const { amount, ...members } = someOffer()
  return {
    ...members,
    network: 'base-sepolia',
    maxAmountRequired: amount,
    resource: 'https://api.vendor.example/v1/data',
    description: 'Some data',
    mimeType: 'application/json',
    ...changes,
  }
}

/** A whole payment request of version 2, as a vendor at api.vendor.example sends it. */
export function someDocument(changes: Members = {}): Members {
  return {
    x402Version: 2,
    error: 'Payment required',
    resource: { url: 'https://api.vendor.example/v1/data', description: 'Some data' },
    accepts: [someOffer()],
    ...changes,
  }
}

export function someV1Document(changes: Members = {}): Members {
  return { x402Version: 1, error: 'Payment required', accepts: [someV1Offer()], ...changes }
}

/** Decoded, with nothing but these offers. */
export function asking(version: 1 | 2, ...accepts: readonly unknown[]): PaymentRequired {
  return { version, accepts, resource: undefined, resourceUrl: undefined, extensions: undefined }
}
