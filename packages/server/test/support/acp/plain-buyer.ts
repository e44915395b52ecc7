import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { findVersion } from '../../../src/paths/acp/versions/index.ts'
import type {
  CheckoutVersion,
  CompletionOutcome,
  CompletionPayment,
} from '../../../src/paths/acp/versions/version.ts'
import { HANDLER_ID, toSession } from './checkout-session.ts'
import type { Merchant } from './merchant.ts'
import type { Psp } from './psp.ts'

export interface Reply {
  readonly status: number
  readonly headers: Headers
  // biome-ignore lint/suspicious/noExplicitAny: answers of every shape.
  readonly body: any
}

/** A buyer without a gateway, call by call. */
export interface PlainBuyer {
  readonly version: CheckoutVersion
  /** Sends a GET, or a POST if there is a body, to a path under the merchant's sessions. */
  ask(path: string, body?: object, key?: string): Promise<Reply>
  /** The protocol's own call for a token, over 45 USD unless the allowance says otherwise. */
  delegate(allowance: object, key?: string): Promise<Reply>
  tokenFor(checkoutId: string, allowance?: object): Promise<string>
  completionOf(checkoutId: string, token: string, changes?: Partial<CompletionPayment>): object
  complete(checkoutId: string, token: string, key?: string): Promise<CompletionOutcome>
  outcomeOf(reply: Reply): CompletionOutcome
}

export function createPlainBuyer(merchant: Merchant, psp: Psp): PlainBuyer {
  const version = findVersion(merchant.version)
  assert(version, 'we speak the version of the merchant')

  const ask: PlainBuyer['ask'] = (path, body, key = randomUUID()) =>
    send(`${merchant.url}/checkout_sessions/${path}`, {
      method: body ? 'POST' : 'GET',
      headers: {
        authorization: `Bearer ${merchant.credential}`,
        'api-version': merchant.version,
        ...(body && { 'content-type': 'application/json', 'idempotency-key': key }),
      },
      ...(body && { body: JSON.stringify(body) }),
    })

  const delegate: PlainBuyer['delegate'] = (allowance, key = randomUUID()) =>
    send(`${psp.url}/agentic_commerce/delegate_payment`, {
      method: 'POST',
      headers: {
        authorization: `Bearer ${psp.credential}`,
        'api-version': '2026-04-17',
        'content-type': 'application/json',
        'idempotency-key': key,
      },
      body: JSON.stringify({
        payment_method: {
          type: 'card',
          card_number_type: 'network_token',
          number: psp.paymentMethod,
          display_card_funding_type: 'credit',
          metadata: {},
        },
        allowance: {
          reason: 'one_time',
          max_amount: 4_500,
          currency: 'usd',
          merchant_id: merchant.merchantId,
          expires_at: '2100-01-01T00:00:00Z',
          ...allowance,
        },
        risk_signals: [],
        metadata: {},
      }),
    })

  const completionOf: PlainBuyer['completionOf'] = (checkoutId, token, changes) => {
    const shown = toSession(merchant.checkout(checkoutId), merchant.version)
    const session = version.readSession(shown)
    assert(!('unreadable' in session), 'the session is readable')
    return version.completionOf(session, {
      handlerId: HANDLER_ID,
      psp: 'stripe',
      token,
      credentialType: 'spt',
      buyer: null,
      billingAddress: null,
      authenticationResult: null,
      ...changes,
    })
  }

  const outcomeOf: PlainBuyer['outcomeOf'] = ({ status, body, headers }) =>
    version.readOutcome(status, body, headers.get('retry-after') ?? undefined)

  return {
    version,
    ask,
    delegate,
    async tokenFor(checkoutId, allowance) {
      const { body } = await delegate({ checkout_session_id: checkoutId, ...allowance })
      return body.id
    },
    completionOf,
    complete: async (checkoutId, token, key) =>
      outcomeOf(await ask(`${checkoutId}/complete`, completionOf(checkoutId, token), key)),
    outcomeOf,
  }
}

export async function send(url: string, init: RequestInit): Promise<Reply> {
  const answer = await fetch(url, init)
  const text = await answer.text()
  const body = text.startsWith('{') ? JSON.parse(text) : text
  return { status: answer.status, headers: answer.headers, body }
}
