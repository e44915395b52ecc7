import { describe, expect, test } from 'vitest'
import { refuse } from '../../support/acp/idempotency.ts'
import { waitUntil } from '../../support/wait-until.ts'
import { HOST, openShop, type Shop } from './shop.ts'

const MINUTE_MS = 60_000

/** Ten minutes after the end of the token. */
async function endOfHold(shop: Shop): Promise<string> {
  const [row] = await shop.app.rows<{ ends: number }>(
    'select token_ends_at as ends from acp_checkouts order by created_at desc limit 1',
  )
  return new Date(Number(row?.ends) + 10 * MINUTE_MS).toISOString()
}

const stateOf = async (shop: Shop) => {
  const [row] = await shop.app.rows<{ state: string }>('select state from acp_checkouts')
  return row?.state
}

describe('with an issuer that cannot be asked, an agent is told at once', () => {
  test('that the payment was declined, and until when the hold stays', async () => {
    const shop = await openShop({ issuer: 'delegate_payment' })
    const session = shop.merchant.openCheckout()
    shop.merchant.turnNext(session, 'decline')
    const { transactionId, ...told } = await shop.buy(session)
    const heldUntil = await endOfHold(shop)
    const failure = { code: 'payment_declined', retryable: false, heldUntil }
    expect(told).toMatchObject({ decision: 'approved', status: 'processing', failure })
    // The gateway does not look again and again at a session that can no longer change anything.
    expect(shop.merchant.requests.length).toBeLessThan(10)
    expect(await shop.budget()).toEqual([45, 45, 55])
    expect((await shop.transaction(transactionId)).external).toMatchObject({
      status: 'processing',
      failure,
    })
    shop.later(26 * MINUTE_MS)
    await shop.becomes(transactionId, 'voided')
    const { external } = await shop.transaction(transactionId)
    expect(external.status).toBe('failed')
    expect(external.failure).toEqual({ code: 'payment_declined', retryable: false })
    expect(await shop.budget()).toEqual([0, 0, 100])
  })

  test('that the payment was declined, also where the session does not show it later', async () => {
    const shop = await openShop({ issuer: 'delegate_payment' })
    const answer = refuse(402, 'card_declined')
    shop.merchant.failNext('complete', { answer })
    const { transactionId, ...told } = await shop.buy(shop.merchant.openCheckout())
    expect(told).toMatchObject({ status: 'processing', failure: { code: 'card_declined' } })
    shop.later(26 * MINUTE_MS)
    await shop.becomes(transactionId, 'voided')
    expect(shop.merchant.requests.some(({ path }) => path.endsWith('/cancel'))).toBe(false)
    expect(await shop.budget()).toEqual([0, 0, 100])
  })

  test('that the merchant is not there, and until when the hold stays', async () => {
    const shop = await openShop({ issuer: 'delegate_payment' })
    const session = shop.merchant.openCheckout()
    shop.merchant.failNext('complete', '503', 5)
    const fields = { agentId: shop.agentId, vendor: HOST, checkoutSessionId: session }
    // It goes on looking for an order until its 30 seconds are over, or the gateway stops.
    shop.ask(fields, 'toner-1').catch(() => {})
    await waitUntil(async () => {
      const [row] = await shop.app.rows<{ failure: object | null }>(
        'select failure from acp_checkouts',
      )
      return row?.failure !== null && row?.failure !== undefined && 'heldUntil' in row.failure
    })
    const { body } = await shop.ask(fields, 'toner-1')
    const heldUntil = await endOfHold(shop)
    expect(body).toMatchObject({
      status: 'processing',
      failure: { code: 'merchant_unavailable', retryable: true, heldUntil },
    })
  })

  test.each([
    ['a price that has risen', 'amount_changed', { deliveryMinor: 2_000 }],
    ['a session that is gone', 'session_canceled', { status: 'canceled' }],
  ] as const)('that it is %s, and nothing is held', async (_what, code, change) => {
    const shop = await openShop({ issuer: 'delegate_payment' })
    const session = shop.merchant.openCheckout()
    shop.merchant.changeAfterLook(session, change)
    const failed = await shop.buy(session)
    expect(failed).toMatchObject({ decision: 'approved', status: 'failed', failure: { code } })
    expect(shop.merchant.requests.every(({ method }) => method === 'GET')).toBe(true)
    expect(await shop.budget()).toEqual([0, 0, 100])
  })

  test('that the issuer is not there, and nothing is held', async () => {
    const shop = await openShop({ issuer: 'delegate_payment' })
    shop.psp.failNext('issue', 'then_503', 1)
    shop.psp.failNext('issue', '503', 10)
    const failed = await shop.buy(shop.merchant.openCheckout())
    const failure = { code: 'issuer_unavailable', retryable: true }
    expect(failed).toMatchObject({ status: 'failed', failure })
    expect(await shop.budget()).toEqual([0, 0, 100])
    expect(await stateOf(shop)).toBe('released')
  })
})

describe('a token that never left the gateway', () => {
  test('holds nothing, also while its issuer cannot revoke it', async () => {
    const shop = await openShop()
    for (const call of ['revoke', 'inspect'] as const) shop.psp.failNext(call, '503', 10_000)
    const session = shop.merchant.openCheckout()
    shop.merchant.changeAfterLook(session, { deliveryMinor: 2_000 })
    const failed = await shop.buy(session)
    expect([failed.status, failed.failure?.code]).toEqual(['failed', 'amount_changed'])
    expect(await shop.budget()).toEqual([0, 0, 100])
  })
})
