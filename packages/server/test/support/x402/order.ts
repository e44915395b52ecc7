import type { PaymentPayload, PaymentRequirements } from '@x402/core/types'
import { USDC, USDC_DOMAIN } from './lab-contracts.ts'
import { fromHeader } from './wire.ts'

/** A vendor's request to verify or settle a payment. */
export interface Order {
  readonly paymentPayload: PaymentPayload
  readonly paymentRequirements: PaymentRequirements
}

interface V1Payload {
  readonly scheme: string
  readonly network: string
  readonly payload: { readonly authorization: { readonly to: string; readonly value: string } }
}

/** Creates the order that settles a payment header, from the header alone. */
export function toOrder(paymentHeader: string): Order {
  const paymentPayload = fromHeader<PaymentPayload>(paymentHeader)
  const isV1 = paymentPayload.x402Version === 1
  return {
    paymentPayload,
    paymentRequirements: isV1 ? toV1Requirements(paymentHeader) : paymentPayload.accepted,
  }
}

/** Version 1 does not repeat the requirements, but the signed values are the same. */
function toV1Requirements(paymentHeader: string): PaymentRequirements {
  const { scheme, network, payload } = fromHeader<V1Payload>(paymentHeader)
  const requirements = {
    scheme,
    network,
    maxAmountRequired: payload.authorization.value,
    payTo: payload.authorization.to,
    asset: USDC,
    extra: USDC_DOMAIN,
    maxTimeoutSeconds: 60,
    resource: 'http://127.0.0.1/',
    description: '',
    mimeType: 'application/json',
  }
  // The SDK accepts documents of version 1 under the types of version 2, and distinguishes them
  // later.
  return requirements as unknown as PaymentRequirements
}
