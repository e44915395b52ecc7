import { randomBytes } from 'node:crypto'
import type { Instant } from '../../../core/time/instant.ts'
import { findAsset } from '../offers/assets.ts'
import type { Offer } from '../offers/offers.ts'
import type { Authorization, X402Payment } from '../payment.ts'
import {
  authorizationTypes,
  encodePaymentSignatureHeader,
  getAddress,
  type Hex,
  type TypedDataDefinition,
} from '../x402-libraries.ts'

/**
 * Limits the validity, even if a vendor asks for longer: until it ends, the budget is held and the
 * header can be cashed.
 */
const VALIDITY_MAX_S = 120
/**
 * Starts the validity in the past: the clocks of chains and machines differ a little, and the
 * payment has to be valid at once.
 */
const BACKDATED_S = 600

/** Creates an authorization with a fresh nonce, so that its signatures move money at most once. */
export function createAuthorization(offer: Offer, payer: string, now: Instant): Authorization {
  const seconds = Math.floor(now / 1_000)
  return {
    from: payer,
    to: offer.payTo,
    value: offer.atomic,
    validAfter: seconds - BACKDATED_S,
    validBefore: seconds + validityOf(offer),
    nonce: `0x${randomBytes(32).toString('hex')}`,
  }
}

/** Returns for how many seconds a payment of this offer can be cashed. */
export function validityOf({ maxTimeoutSeconds }: Offer): number {
  return Math.min(maxTimeoutSeconds, VALIDITY_MAX_S)
}

/**
 * Builds the EIP-712 data to sign. All of it was stored with the decision, or comes from our own
 * list.
 */
export function toTypedData({ network, asset, authorization }: X402Payment): TypedDataDefinition {
  const token = findAsset(network, asset)
  if (!token) throw new Error('A stored payment has a token that is not listed.')
  return {
    domain: {
      ...token.domain,
      chainId: token.chainId,
      verifyingContract: getAddress(token.address),
    },
    types: authorizationTypes,
    primaryType: 'TransferWithAuthorization',
    message: {
      from: getAddress(authorization.from),
      to: getAddress(authorization.to),
      value: authorization.value,
      validAfter: BigInt(authorization.validAfter),
      validBefore: BigInt(authorization.validBefore),
      nonce: authorization.nonce,
    },
  }
}

export interface SignedPayment {
  readonly headerName: 'PAYMENT-SIGNATURE' | 'X-PAYMENT'
  readonly headerValue: string
  /** The decoded header, for transports other than HTTP. */
  readonly payload: Readonly<Record<string, unknown>>
}

/** Builds the payment header in the x402 version of the vendor's request. */
export function toSignedPayment(payment: X402Payment, signature: Hex): SignedPayment {
  const { version, offer, resource, extensions, authorization } = payment
  const signed = {
    signature,
    authorization: {
      from: getAddress(authorization.from),
      to: getAddress(authorization.to),
      value: String(authorization.value),
      validAfter: String(authorization.validAfter),
      validBefore: String(authorization.validBefore),
      nonce: authorization.nonce,
    },
  }
  // Send the offer back unchanged, because the vendor compares it with its own.
  const payload =
    version === 2
      ? {
          x402Version: 2,
          ...(resource && { resource }),
          accepted: offer,
          payload: signed,
          ...(extensions && { extensions }),
        }
      : { x402Version: 1, scheme: 'exact', network: offer['network'], payload: signed }
  return {
    headerName: version === 2 ? 'PAYMENT-SIGNATURE' : 'X-PAYMENT',
    headerValue: encodePaymentSignatureHeader(payload as never),
    payload,
  }
}
