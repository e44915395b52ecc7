import type { X402Payment } from '@purser/sdk'
import { expect, test } from 'vitest'
import { describeOutcome } from '../../src/pay/outcome.ts'

const RESOURCE = { status: 200, headers: {}, body: 'x', bodyEncoding: 'utf8', truncated: false }
const PAYMENT = { amount: 0.01, price: { symbol: 'USDC' }, transactionId: 'txn_1' }

function outcomeOf(status: string, resource: object | null, message?: string) {
  const resourceError = message === undefined ? null : { code: 'not_kept', message }
  const payment = { ...PAYMENT, status, resource, resourceError }
  return describeOutcome(payment as unknown as X402Payment)
}

test('a whole resource is a success', () => {
  expect(outcomeOf('paid', RESOURCE).code).toBe(0)
  expect(outcomeOf('delivered_unsettled', RESOURCE).code).toBe(0)
  expect(outcomeOf('no_payment_required', RESOURCE).code).toBe(0)
})

test('a part of a resource is a failure, and the text says that it was paid', () => {
  const cut = outcomeOf('paid', { ...RESOURCE, truncated: true })
  expect(cut).toMatchObject({ code: 1 })
  expect(cut.text).toBe('Paid 0.01 USDC: transaction txn_1. The body is not complete.')
  const gone = outcomeOf('paid', null, 'Its copy is removed.')
  expect(gone).toEqual({ code: 1, text: 'Paid 0.01 USDC: transaction txn_1. Its copy is removed.' })
})

test('an error page without a payment is a failure', () => {
  const missing = outcomeOf('no_payment_required', { ...RESOURCE, status: 404 })
  expect(missing.code).toBe(1)
  expect(missing.text).toBe('The vendor asked for no payment. The vendor answered 404.')
})

test('a status that is not known is an unknown outcome', () => {
  expect(outcomeOf('settlement_unknown', null).code).toBe(4)
  expect(outcomeOf('thinking', RESOURCE).code).toBe(4)
})
