import { afterAll, beforeAll, expect, onTestFinished, test } from 'vitest'
import { waitUntil } from '../../support/wait-until.ts'
import { describeOnChain } from '../../support/x402/describe-on-chain.ts'
import { askV2, type HostileVendor, startHostileVendor } from '../../support/x402/hostile-vendor.ts'
import { type Mall, startMall } from '../../support/x402/mall.ts'
import { inventReceipt } from '../../support/x402/payment-required.ts'
import { PAYEE } from '../../support/x402/shop.ts'
import { fromHeader } from '../../support/x402/wire.ts'

const OFFER = { amount: '10000', payTo: PAYEE }
const UNTOUCHED = { spent: 0, held: 0, left: 1 }
const HELD = { spent: 0.01, held: 0.01, left: 0.99 }
const SETTLED = { spent: 0.01, held: 0, left: 0.99 }

describeOnChain('a vendor that is not to be trusted', () => {
  let mall: Mall
  let vendor: HostileVendor
  beforeAll(async () => {
    mall = await startMall()
    vendor = await startHostileVendor()
  })
  afterAll(async () => {
    await vendor?.stop()
    await mall?.stop()
  })

  const visitsTo = (path: string) => vendor.requests.filter((request) => request.path === path)
  const paymentsTo = (path: string) =>
    visitsTo(path).flatMap(({ payment }) => (payment === '' ? [] : payment))

  async function openTrap(): Promise<{ readonly trap: HostileVendor; readonly location: string }> {
    const trap = await startHostileVendor()
    onTestFinished(trap.stop)
    return { trap, location: trap.behave('/trap', { unpaid: askV2(OFFER), paid: {} }) }
  }

  test.each([301, 302, 303, 307, 308])('is not followed when it answers %i', async (status) => {
    const shop = await mall.openShop()
    const { trap, location } = await openTrap()
    const url = vendor.behave('/away', { unpaid: { status, headers: { location } } })
    const answer = await shop.pay({ url })
    expect([answer.status, answer.body.code]).toEqual([502, 'upstream_redirect'])
    expect(answer.body.location).toBe(location)
    expect(trap.requests).toEqual([])
    expect(await shop.stored()).toEqual([])
    expect(await shop.budget()).toEqual(UNTOUCHED)
  })

  test('is not followed with the payment either, which nobody else sees', async () => {
    const shop = await mall.openShop()
    const { trap, location } = await openTrap()
    const paid = { status: 307, headers: { location } }
    const url = vendor.behave('/away-paid', { unpaid: askV2(OFFER), paid })
    const { status, body } = await shop.pay({ url })
    expect(status).toBe(200)
    expect(body).toMatchObject({
      status: 'settlement_unknown',
      resource: { status: 307 },
      hold: { state: 'held' },
    })
    expect(trap.requests).toEqual([])
    expect(paymentsTo('/away-paid')).toHaveLength(1)
    expect(await shop.budget()).toEqual(HELD)
  })

  test('gets one authorization, however much it asks for once it has been paid', async () => {
    const shop = await mall.openShop()
    const paid = askV2({ ...OFFER, amount: '20000' })
    const url = vendor.behave('/more', { unpaid: askV2(OFFER), paid })
    const first = await shop.pay({ url }, 'purchase-1')
    expect(first.body).toMatchObject({
      status: 'settlement_unknown',
      amount: 0.01,
      resource: { status: 402 },
      hold: { state: 'held' },
    })
    expect(paymentsTo('/more')).toHaveLength(1)

    await shop.pay({ url }, 'purchase-1')
    expect(paymentsTo('/more')).toHaveLength(2)
    expect(new Set(paymentsTo('/more')).size).toBe(1)
    expect(await shop.stored()).toHaveLength(1)
    expect(await shop.budget()).toEqual(HELD)
  })

  test('is not believed when it invents a receipt, or shows one of another payment', async () => {
    const shop = await mall.openShop()
    const honest = await shop.pay({ url: `${shop.vendor.url}/data` })
    const borrowed = honest.body.settlement?.transaction
    const receipts = [
      inventReceipt(),
      inventReceipt({ transaction: borrowed, payer: shop.wallet, amount: '10000' }),
      inventReceipt({ transaction: '0x1234' }),
      'no receipt at all',
    ]
    const answers = []
    for (const [index, receipt] of receipts.entries()) {
      const paid = { headers: { 'payment-response': receipt }, body: 'thank you' }
      const url = vendor.behave(`/receipt-${index}`, { unpaid: askV2(OFFER), paid })
      answers.push(await shop.pay({ url }))
    }

    const unproven = { verified: false, settledAmount: null }
    const claimed = { ...unproven, state: 'pending', source: 'vendor' }
    const silent = { ...unproven, state: 'unknown', source: null, transaction: null }
    expect(answers.map(({ body }) => body.settlement)).toEqual([
      { ...claimed, transaction: `0x${'cd'.repeat(32)}` },
      { ...claimed, transaction: borrowed },
      silent,
      silent,
    ])
    for (const { body } of answers) expect(body.status).toBe('delivered_unsettled')

    // The second question is asked only when the first is answered.
    const isAsked = async () =>
      (await shop.stored()).every(({ state, checks }) => state === 'settled' || checks >= 2)
    await waitUntil(isAsked)
    for (const { body } of answers) {
      expect((await shop.transaction(body.transactionId)).status).toBe('held')
    }
    expect(await shop.moved()).toHaveLength(1)
    expect(await shop.budget()).toEqual({ spent: 0.05, held: 0.04, left: 0.95 })
  })

  test('may cash what it was sent at its leisure, once', async () => {
    const shop = await mall.openShop()
    const url = vendor.behave('/later', { unpaid: askV2(OFFER), paid: { status: 500 } })
    const { body } = await shop.pay({ url })
    expect(body.status).toBe('settlement_unknown')
    expect(await shop.budget()).toEqual(HELD)

    const [header = ''] = paymentsTo('/later')
    expect(await mall.facilitator.settleNow(header)).toMatchObject({ success: true })
    expect(await mall.facilitator.settleNow(header)).toMatchObject({ success: false })
    await shop.becomes(body.transactionId, 'settled')
    expect(await shop.moved()).toMatchObject([{ value: 10_000n }])
    expect(await shop.budget()).toEqual(SETTLED)
  })

  test('sets no cookies, neither for the agent nor for the next call', async () => {
    const shop = await mall.openShop()
    const cookies = { 'set-cookie': ['session=1; Path=/', 'track=2'] }
    const asking = askV2(OFFER)
    const url = vendor.behave('/cookies', {
      unpaid: { ...asking, headers: { ...asking.headers, ...cookies } },
      paid: { headers: { ...cookies, 'x-kept': 'yes' } },
    })
    const free = vendor.behave('/free-cookies', { unpaid: { headers: cookies } })
    for (const { body } of [await shop.pay({ url }), await shop.pay({ url: free })]) {
      expect(body.resource?.status).toBe(200)
      expect(Object.keys(body.resource?.headers ?? {})).not.toContain('set-cookie')
    }
    expect(visitsTo('/cookies').map(({ headers }) => headers.cookie)).toEqual([
      undefined,
      undefined,
    ])
    expect(await shop.budget()).toEqual(HELD)
  })

  test('is not sent what the agent has no business to send', async () => {
    const shop = await mall.openShop()
    const url = vendor.behave('/headers', { unpaid: askV2(OFFER), paid: {} })
    const forbidden = {
      Host: 'trusted.example',
      Authorization: 'Bearer agent',
      Cookie: 'session=agent',
      'PAYMENT-SIGNATURE': 'agent',
      'payment-identifier': 'agent',
      'X-PAYMENT': 'agent',
      'X-Forwarded-For': 'agent',
      'X-Split': 'a\r\nX-PAYMENT: agent',
    }
    const headers = { ...forbidden, 'X-Kept': 'kept' }
    expect((await shop.pay({ url, request: { headers } })).body.status).toBe('delivered_unsettled')

    const visits = visitsTo('/headers')
    expect(visits.map(({ headers: sent }) => sent['x-kept'])).toEqual(['kept', 'kept'])
    for (const { headers: sent } of visits) {
      expect(sent.host).toBe(new URL(url).host)
      expect(JSON.stringify(sent)).not.toMatch(/agent|trusted\.example/)
    }
    expect(visits.map(({ payment }) => payment !== '')).toEqual([false, true])
    expect(await shop.budget()).toEqual(HELD)
  })

  test('is judged by the host that was called, whatever it calls itself', async () => {
    const resource = 'https://trusted.example/data'
    const url = vendor.behave('/proxy', { unpaid: askV2({ ...OFFER, resource }), paid: {} })
    const allow = (vendors: string) => [{ type: 'vendors', allow: [vendors] }]
    const fooled = await mall.openShop({ rules: allow('trusted.example') })
    expect((await fooled.pay({ url })).body.status).toBe('rejected')
    expect(visitsTo('/proxy')).toEqual([])
    expect(await fooled.budget()).toEqual(UNTOUCHED)

    const shop = await mall.openShop({ rules: allow('127.0.0.1') })
    expect((await shop.pay({ url })).body).toMatchObject({
      status: 'delivered_unsettled',
      vendor: '127.0.0.1',
      payee: { address: PAYEE, assurance: 'gateway_observed' },
    })
    const [header = ''] = paymentsTo('/proxy')
    expect(fromHeader(header)).toMatchObject({ resource: { url: resource } })
    expect(await shop.budget()).toEqual(HELD)
  })
})
