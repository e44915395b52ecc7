import { inspect } from 'node:util'
import { describe, expect, test } from 'vitest'
import { createHiding, hideIn } from '../../../src/paths/acp/versions/hiding.ts'
import { sent } from '../../support/acp/idempotency.ts'
import { bodyOf } from '../../support/builders.ts'
import { openShop, type Shop } from './shop.ts'

/** Everything that is stored of checkouts and transactions, and shown of one. */
async function everythingOf(shop: Shop, transactionId: string): Promise<string> {
  const tables = ['acp_checkouts', 'transactions', 'webhook_events', 'changes']
  const rows = await Promise.all(tables.map((table) => shop.app.rows(`select * from ${table}`)))
  const answer = await shop.acme.get(`/transactions/${transactionId}`)
  bodyOf(answer)
  return `${inspect(rows, { depth: 9, maxArrayLength: null })} ${answer.text}`
}

const credentialsOf = ({ merchant, psp }: Shop) => [
  merchant.credential,
  merchant.webhookSecret,
  psp.credential,
]

describe('a merchant that echoes what it must not', () => {
  test('in a session leaves no credential behind', async () => {
    const shop = await openShop()
    const [credential = '', secret = ''] = credentialsOf(shop)
    const lines = [
      { itemId: credential, name: `Paper for Bearer ${credential}`, quantity: 1, unitMinor: 4_000 },
      { itemId: 'b', name: secret.toUpperCase(), quantity: 1, unitMinor: 100 },
    ]
    const session = shop.merchant.openCheckout({ lines, deliveryMinor: 0 })
    const { transactionId, status, ...answer } = await shop.buy(session)
    expect(status).toBe('completed')
    const text = `${await everythingOf(shop, transactionId)} ${JSON.stringify(answer)}`
    for (const hidden of credentialsOf(shop)) {
      expect(text.toLowerCase()).not.toContain(hidden.toLowerCase())
    }
  })

  test('in an order leaves no token behind, and what was paid is booked', async () => {
    const shop = await openShop()
    const session = shop.merchant.openCheckout()
    shop.merchant.turnNext(session, 'escalation')
    const { transactionId } = await shop.buy(session)
    const token = shop.psp.tokens[0]?.id ?? ''
    const order = {
      id: `ord_${token}`,
      checkout_session_id: session,
      permalink_url: `https://shop.example.com/orders?token=${token}`,
      status: `paid with ${token}`,
    }
    shop.merchant.change(session, { status: 'completed', order })
    shop.later(2 * 60_000)
    await shop.becomes(transactionId, 'settled')
    expect(await everythingOf(shop, transactionId)).not.toContain(token)
  })

  test('in a decline leaves no token behind', async () => {
    const shop = await openShop()
    const session = shop.merchant.openCheckout()
    // Tokens of the stand-in are numbered.
    const token = 'spt_1'
    const declined = { type: 'invalid_request', code: token, message: `No: ${token}` }
    shop.merchant.failNext('complete', { answer: sent(402, declined) })
    const { failure, transactionId, status } = await shop.buy(session)
    expect(shop.psp.tokens[0]?.id).toBe(token)
    expect([status, failure?.code]).toEqual(['failed', 'merchant_402'])
    expect(await everythingOf(shop, transactionId)).not.toContain(token)
  })

  test('in the news of an order leaves neither behind, also after the end', async () => {
    const shop = await openShop()
    const session = shop.merchant.openCheckout()
    const { transactionId, status } = await shop.buy(session)
    expect(status).toBe('completed')
    const token = shop.psp.tokens[0]?.id ?? ''
    const refund = { amountMinor: 500, status: 'completed' }
    for (const secret of [token, shop.merchant.credential]) {
      const adjustments = [
        { id: `adj_${secret}`, ...refund },
        { id: secret, ...refund },
      ]
      const news = { status: `refunded ${secret}`, adjustments }
      expect(await shop.tell(session, news)).toBe(200)
    }
    const text = await everythingOf(shop, transactionId)
    expect(text).not.toContain(shop.merchant.credential)
    expect(text).not.toMatch(new RegExp(`(?<![\\w])${token}(?![\\w])`))
  })
})

describe('what is hidden', () => {
  const hide = createHiding({ plain: ['vt_secret/1', 'abc', null], digest: null })

  test('is a secret in any text and in any letters, and as addresses write it', () => {
    expect(hide('a vt_secret/1 b VT_SECRET/1')).toBe('a … b …')
    expect(hide('https://a.example/?t=vt_secret%2F1')).toBe('https://a.example/?t=…')
    expect(hideIn({ 'vt_secret/1': [{ a: 'vt_secret/1', n: 1 }] }, hide)).toEqual({
      '…': [{ a: '…', n: 1 }],
    })
  })

  test('is no word of the protocol, and nothing that is too short for a secret', () => {
    const odd = createHiding({ plain: ['completed', 'total'], digest: null })
    expect([odd('completed'), odd('total'), odd('it is completed')]).toEqual([
      'completed',
      'total',
      'it is …',
    ])
    expect(hide('abc')).toBe('abc')
  })
})
