import { toIso } from '../../../core/time/instant.ts'
import type { OutboundClient } from '../../../outbound/outbound-client.ts'
import { readId } from '../versions/merchant-text.ts'
import { callIssuer, toRefusal } from './issuer-call.ts'
import type {
  Allowance,
  Issued,
  TokenIssuer,
  TokenState,
  UsableInstrument,
} from './token-issuer.ts'

/** The first version that allows a request without risk signals, of which we have none. */
const VERSION = '2026-04-17'

/** The protocol can only create a token. The token ends by itself. */
const UNASKABLE: TokenState = {
  kind: 'unknown',
  why: 'The protocol has no request that looks up or revokes a token.',
}

/** Creates tokens with the protocol's own call, at the base URL of a payment provider. */
export function createDelegatePayment(outbound: OutboundClient): TokenIssuer {
  return {
    name: 'delegate_payment',
    objectionTo: () => undefined,
    async issue(instrument, allowance, key) {
      const { baseUrl, credential } = instrument
      if (baseUrl === null) {
        return { kind: 'refused', code: 'issuer_without_address', retryable: false }
      }
      const answer = await callIssuer(outbound, {
        method: 'POST',
        url: `${baseUrl}/agentic_commerce/delegate_payment`,
        headers: {
          authorization: `Bearer ${credential}`,
          'api-version': VERSION,
          'content-type': 'application/json',
          'idempotency-key': key,
        },
        body: JSON.stringify(toBody(instrument, allowance)),
      })
      if (answer.kind === 'unsent') return { ...answer, kind: 'refused' }
      if (answer.kind === 'unknown') return answer
      const { status, body } = answer
      return status === 200 || status === 201 ? toIssued(body?.['id']) : toRefusal(status, body)
    },
    inspect: async () => UNASKABLE,
    revoke: async () => UNASKABLE,
  }
}

/**
 * Puts the provider's name of the stored payment method into the field for a card number. Card
 * numbers never get this far.
 */
function toBody({ paymentMethod }: UsableInstrument, allowance: Allowance): object {
  const { merchantId, sessionId, currency, maxMinor, expiresAt, metadata } = allowance
  return {
    payment_method: {
      type: 'card',
      card_number_type: 'network_token',
      number: paymentMethod,
      display_card_funding_type: 'credit',
      metadata: {},
    },
    allowance: {
      reason: 'one_time',
      max_amount: maxMinor,
      currency,
      checkout_session_id: sessionId,
      merchant_id: merchantId,
      expires_at: toIso(expiresAt),
    },
    risk_signals: [],
    metadata,
  }
}

function toIssued(id: unknown): Issued {
  const tokenId = readId(id)
  if (tokenId === null)
    return { kind: 'unknown', why: 'The token provider answered without a token.' }
  return { kind: 'issued', tokenId, credentialType: 'spt' }
}
