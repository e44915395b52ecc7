import { describe, expect, test } from 'vitest'
import type { X402Payment, X402Resource } from '../../src/generated/types/index.ts'
import { paymentOf, X402Error } from '../../src/index.ts'
import { toVendorResponse } from '../../src/x402/vendor-response.ts'

const CALL = { url: 'https://api.example.com/data', idempotencyKey: 'key-1', requestId: 'req-1' }

const RESOURCE: X402Resource = {
  status: 200,
  headers: { 'content-type': 'text/plain' },
  body: 'goods',
  bodyEncoding: 'utf8',
  truncated: false,
}

const SETTLED = {
  state: 'settled',
  transaction: '0xab',
  source: 'chain',
  verified: true,
  settledAmount: 0.01,
} as const
const UNKNOWN = { ...SETTLED, state: 'unknown', transaction: null, source: null } as const
const NONE = { ...UNKNOWN, state: 'none' } as const

function answer(changes: Partial<X402Payment>): X402Payment {
  return {
    status: 'paid',
    decision: 'approved',
    remainingBudget: 1,
    transactionId: 'txn_1',
    evaluationDetails: null,
    mandateId: 'mnd_1',
    agentId: 'agent',
    amount: 0.01,
    vendor: 'api.example.com',
    category: null,
    flags: [],
    price: null,
    payee: null,
    payment: null,
    resource: RESOURCE,
    resourceError: null,
    settlement: SETTLED,
    hold: null,
    anomalies: [],
    ...changes,
  } as X402Payment
}

const responseOf = (resource: Partial<X402Resource>) =>
  toVendorResponse(answer({ resource: { ...RESOURCE, ...resource } }), CALL)

function errorOf(changes: Partial<X402Payment>): X402Error {
  try {
    toVendorResponse(answer(changes), CALL)
  } catch (error) {
    if (error instanceof X402Error) return error
    throw error
  }
  throw new Error('There is a response.')
}

describe('the response of a vendor', () => {
  test('has its status, headers and body, in each encoding', async () => {
    expect(await responseOf({}).text()).toBe('goods')
    expect(await responseOf({ body: { a: [1] }, bodyEncoding: 'json' }).json()).toEqual({ a: [1] })
    const bytes = await responseOf({ body: '/wAB', bodyEncoding: 'base64' }).arrayBuffer()
    expect([...new Uint8Array(bytes)]).toEqual([255, 0, 1])
    const plain = responseOf({ headers: {} })
    expect([...plain.headers]).toEqual([])
    expect(responseOf({ status: 204, body: '' }).body).toBeNull()
  })

  test('comes although the chain shows no transfer yet', () => {
    const unsettled = answer({ status: 'delivered_unsettled', settlement: UNKNOWN })
    expect(paymentOf(toVendorResponse(unsettled, CALL))?.settlement?.state).toBe('unknown')
  })

  test('is an error if it is incomplete, which says whether money moved', async () => {
    const resource = { ...RESOURCE, truncated: true }
    const paid = errorOf({ resource })
    expect(paid).toMatchObject({ code: 'delivery_truncated', moneyMoved: 'yes' })
    expect(paid.message).toMatch(/broke off.*The money moved \(txn_1\)/)
    expect(await paid.response?.text()).toBe('goods')
    const free = errorOf({ status: 'no_payment_required', settlement: null, resource })
    expect(free).toMatchObject({ moneyMoved: 'no', outcomeUnknown: false })
    expect(free.message).toMatch('No money moved.')
  })

  test('is an error if the gateway no longer has it', () => {
    const resourceError = { code: 'not_kept', message: 'The vendor delivered.' }
    for (const resource of [null, { ...RESOURCE, body: '', truncated: true }]) {
      expect(errorOf({ resource, resourceError })).toMatchObject({
        code: 'delivery_not_kept',
        moneyMoved: 'yes',
        idempotencyKey: 'key-1',
        requestId: 'req-1',
      })
    }
  })

  test('is an error if its status is none of HTTP', () => {
    const error = errorOf({ resource: { ...RESOURCE, status: 999 } })
    expect(error).toMatchObject({ code: 'invalid_response', moneyMoved: 'yes', response: null })
  })
})

describe('a payment without a delivery', () => {
  const resourceError = { code: 'timeout', message: 'The vendor did not answer in time.' }

  test('that was made is an error which says so', () => {
    const error = errorOf({ status: 'paid_not_delivered', resource: null, resourceError })
    expect(error).toMatchObject({ code: 'paid_not_delivered', moneyMoved: 'yes' })
    expect(error.message).toMatch(/paid and did not deliver.*in time.*Do not buy again/)
  })

  test('that may have been made says how to repeat it', () => {
    const error = errorOf({
      status: 'settlement_unknown',
      settlement: UNKNOWN,
      resource: null,
      resourceError,
    })
    expect(error).toMatchObject({ moneyMoved: 'maybe', outcomeUnknown: true })
    expect(error.message).toMatch(
      /`idempotencyKey: 'key-1'`: the gateway then sends the same payment/,
    )
  })

  test('that expired says that no money moved', () => {
    const error = errorOf({ status: 'not_paid', settlement: NONE, resource: null })
    expect(error).toMatchObject({ code: 'not_paid', moneyMoved: 'no', outcomeUnknown: false })
    expect(error.message).toMatch(/No money moved.*new `idempotencyKey`/)
  })

  test('with a status of another mode is an error', () => {
    expect(errorOf({ status: 'signed', settlement: UNKNOWN })).toMatchObject({
      code: 'invalid_response',
      moneyMoved: 'maybe',
    })
  })
})
