import assert from 'node:assert/strict'
import { expect, test } from 'vitest'
import { CHECKOUT_VERSIONS, findVersion } from '../../../../src/paths/acp/versions/index.ts'
import type { CompletionPayment } from '../../../../src/paths/acp/versions/version.ts'
import { exampleOf, PUBLISHED, violationOf } from '../../../support/acp/published.ts'

const PAYMENT: CompletionPayment = {
  handlerId: 'card_tokenized',
  psp: 'stripe',
  token: 'spt_1',
  credentialType: 'spt',
  buyer: null,
  billingAddress: null,
  authenticationResult: null,
}

function completionOf(name: string, changes: Partial<CompletionPayment> = {}): object {
  const version = findVersion(name)
  const session = version?.readSession(exampleOf('2026-04-17', 'create_checkout_session_response'))
  assert(version && session && !('unreadable' in session))
  return version.completionOf(session, { ...PAYMENT, ...changes })
}

test.each(PUBLISHED)('a completion of %s is what the published schema asks for', (name) => {
  const {
    buyer,
    payment_data,
    authentication_result: authenticationResult,
  } = exampleOf(name, 'complete_session_with_authentication_result_request')
  const changes = { buyer, billingAddress: payment_data.billing_address, authenticationResult }
  for (const body of [completionOf(name), completionOf(name, changes)]) {
    expect(
      violationOf(name, 'agentic_checkout', 'CheckoutSessionCompleteRequest', body),
    ).toBeUndefined()
  }
  expect(completionOf(name, changes)).toEqual({
    buyer,
    payment_data: {
      handler_id: 'card_tokenized',
      instrument: { type: 'card', credential: { type: 'spt', token: 'spt_1' } },
      billing_address: payment_data.billing_address,
    },
    authentication_result: authenticationResult,
  })
})

test.each(['2026-01-16', '2025-12-12', '2025-09-29'])(
  'a completion of %s names token and provider',
  (name) => {
    expect(completionOf(name)).toEqual({ payment_data: { token: 'spt_1', provider: 'stripe' } })
  },
)

test('every version has a name of its own', () => {
  const names = CHECKOUT_VERSIONS.map(({ name }) => name)
  expect(names).toEqual(['2026-04-17', '2026-01-30', '2026-01-16', '2025-12-12', '2025-09-29'])
  expect(findVersion('2024-01-01')).toBeUndefined()
})
