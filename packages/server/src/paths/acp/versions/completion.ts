import assert from 'node:assert/strict'
import type { CompletionPayment } from './version.ts'

/** Builds the body that completes a session, for versions with payment handlers. */
export function toHandlerCompletion(payment: CompletionPayment): object {
  const { handlerId, credentialType, token, billingAddress } = payment
  assert(handlerId !== null, 'the payment handler has an id in this version')
  const credential = { type: credentialType, token }
  return toCompletion(payment, {
    handler_id: handlerId,
    instrument: { type: 'card', credential },
    ...(billingAddress && { billing_address: billingAddress }),
  })
}

/** Builds the same for earlier versions, which name the provider instead. */
export function toProviderCompletion(payment: CompletionPayment): object {
  const { psp, token, billingAddress } = payment
  return toCompletion(payment, {
    token,
    provider: psp,
    ...(billingAddress && { billing_address: billingAddress }),
  })
}

function toCompletion(payment: CompletionPayment, paymentData: object): object {
  const { buyer, authenticationResult } = payment
  return {
    ...(buyer && { buyer }),
    payment_data: paymentData,
    ...(authenticationResult && { authentication_result: authenticationResult }),
  }
}
