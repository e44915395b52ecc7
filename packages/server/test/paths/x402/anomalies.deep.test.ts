import assert from 'node:assert/strict'
import { afterAll, beforeAll, describe, expect, onTestFinished, test } from 'vitest'
import { toUuid } from '../../../src/core/id.ts'
import { createOutboundClient } from '../../../src/outbound/outbound-client.ts'
import { addAnomalies } from '../../../src/paths/x402/chain/anomalies.ts'
import { bookEnds } from '../../../src/paths/x402/chain/settlement.ts'
import type { Anomaly } from '../../../src/paths/x402/payment.ts'
import { callSeller } from '../../../src/paths/x402/resource/delivery.ts'
import { noteAnswer } from '../../../src/paths/x402/resource/note-answer.ts'
import { findPayment, type PaymentEnd } from '../../../src/paths/x402/storage/payments.ts'
import { createTestApp, type Owner, type TestApp } from '../../support/app.ts'
import { anActiveMandate } from '../../support/builders.ts'
import { usualEngine } from '../../support/database.ts'
import { createPathGateway } from '../../support/path-gateway.ts'
import { recordLog } from '../../support/recorded-log.ts'
import { describeOnChain } from '../../support/x402/describe-on-chain.ts'
import {
  askV1,
  askV2,
  type HostileAnswer,
  type HostileVendor,
  startHostileVendor,
  withPaymentRequired,
} from '../../support/x402/hostile-vendor.ts'
import { inventReceipt } from '../../support/x402/payment-required.ts'
import { openShop, PAYEE } from '../../support/x402/shop.ts'
import { aWallet, readRecord, WITHOUT_NODE } from './payments.ts'
import { PAYER, someOffer } from './some-offer.ts'
import { NOON, somePayment } from './some-payment.ts'
import { GET } from './vendor-stand-in.ts'

const OFFER = { amount: '10000', payTo: PAYEE, maxTimeoutSeconds: 300 }
const OTHER = `0x${'d1'.repeat(20)}`
const INVENTED = `0x${'cd'.repeat(32)}`
const HASH = `0x${'ab'.repeat(32)}`
const SETTLED: PaymentEnd = { state: 'settled', proof: 'chain', chainTransaction: HASH }
const DEAD: PaymentEnd = { state: 'released', proof: 'chain', chainTransaction: null }

const kindsOf = (anomalies: unknown) =>
  (anomalies as readonly Anomaly[] | undefined)?.map(({ kind }) => kind)

describe('a vendor', () => {
  const { log, lines } = recordLog()
  let app: TestApp
  let acme: Owner
  let agentId: string
  let vendor: HostileVendor

  beforeAll(async () => {
    app = await createTestApp(usualEngine(), WITHOUT_NODE, log)
    vendor = await startHostileVendor()
    acme = await app.organization()
    await acme.patch('/organization', { x402Fetch: true })
    await aWallet(acme)
    agentId = (await anActiveMandate(acme)).agentId
  })
  afterAll(async () => {
    await vendor?.stop()
    await app?.stop()
  })

  const told = (transactionId: string) =>
    lines.filter((line) => line['transactionId'] === transactionId).map(({ kind }) => kind)

  async function buy(path: string, paid: HostileAnswer, unpaid = askV2(OFFER)) {
    const url = vendor.behave(path, { unpaid, paid })
    const key = { 'idempotency-key': `purchase${path.replaceAll('/', '-')}` }
    const { body } = await acme.post('/gateway/x402/pay', { agentId, url }, key)
    return body
  }

  const storedOf = (transactionId: string) =>
    findPayment(app.database.db, acme.organizationId, toUuid('txn', transactionId) ?? '')

  /** Books as the reconciler does, with a gateway of its own. */
  async function book(transactionId: string, end: PaymentEnd) {
    const { db } = app.database
    const gateway = createPathGateway(app)
    const chains = { networks: [], isEnabled: () => false, chain: () => undefined }
    const parts = { db, gateway, chains, now: app.time.estimate, clock: app.time.read, log }
    try {
      const ends = new Map([[toUuid('txn', transactionId) ?? '', end]])
      await bookEnds(parts, acme.organizationId, ends)
    } finally {
      await gateway.stop()
    }
  }

  test.each<[string, HostileAnswer, string[], HostileAnswer?]>([
    ['the same', askV2(OFFER), []],
    ['less', askV2({ ...OFFER, amount: '9999' }), []],
    ['more', askV2({ ...OFFER, amount: '10001' }), ['price_raised']],
    ['more (version 1)', askV1({ ...OFFER, amount: '10001' }), ['price_raised'], askV1(OFFER)],
    ['another payee', askV2({ ...OFFER, payTo: OTHER }), ['payee_changed']],
    ['another token', askV2({ ...OFFER, asset: OTHER }), ['asset_changed']],
    ['another network', askV2({ ...OFFER, network: 'eip155:1' }), ['asset_changed']],
    [
      'more for another payee',
      askV2({ ...OFFER, payTo: OTHER, amount: '20000' }),
      ['payee_changed', 'price_raised'],
    ],
    ['the same among others', askV2({ ...OFFER, payTo: OTHER, amount: '1' }, OFFER), []],
    ['nothing that can be read', withPaymentRequired('%%%'), []],
  ])('that is paid and asks again for %s is recorded', async (what, paid, kinds, unpaid) => {
    const path = `/again/${what.replaceAll(/\W/g, '-')}`
    const body = await buy(path, paid, unpaid)
    expect(body.resource?.status).toBe(402)
    expect(kindsOf(body.anomalies)).toEqual(['asked_again', ...kinds])
    const { external, status } = await readRecord(acme, body.transactionId)
    expect(status).toBe('held')
    expect(external?.['anomalies']).toEqual(body.anomalies)
    expect(external).toMatchObject({ payTo: PAYEE, value: '10000' })
  })

  test('that does the same again is recorded and told of once', async () => {
    const more = askV2({ ...OFFER, amount: '20000' })
    const first = await buy('/insists', more)
    const again = await buy('/insists', more)
    expect(vendor.requests.filter(({ path }) => path === '/insists')).toHaveLength(3)
    expect(again.anomalies).toEqual(first.anomalies)
    expect(told(first.transactionId)).toEqual(['asked_again', 'price_raised'])
  })

  test('that delivers and shows no receipt has nothing recorded', async () => {
    const body = await buy('/honest', { body: 'goods' })
    expect(body.anomalies).toEqual([])
    await book(body.transactionId, SETTLED)
    const { external } = await readRecord(acme, body.transactionId)
    expect(external).not.toHaveProperty('anomalies')
    expect(told(body.transactionId)).toEqual([])
  })

  const withReceipt = (changes?: object) => ({
    headers: { 'payment-response': inventReceipt(changes) },
  })

  test.each<[string, HostileAnswer, PaymentEnd, string[]]>([
    ['of a transfer that was never made', withReceipt(), DEAD, ['receipt_invented']],
    ['of another transaction', withReceipt(), SETTLED, ['receipt_differs']],
    ['of the transaction itself', withReceipt({ transaction: HASH }), SETTLED, []],
    ['of a failure', withReceipt({ success: false }), DEAD, []],
    [
      'that nothing can be compared with',
      withReceipt(),
      { state: 'settled', proof: 'assumed', chainTransaction: null },
      [],
    ],
  ])('with a receipt %s is judged when the end is booked', async (what, paid, end, kinds) => {
    const body = await buy(`/receipt/${what.replaceAll(' ', '-')}`, paid)
    expect(body.anomalies).toEqual([])
    await book(body.transactionId, end)
    const { external } = await readRecord(acme, body.transactionId)
    expect(kindsOf(external?.['anomalies'] ?? [])).toEqual(kinds)
    expect(external).toMatchObject({ settlement: end.proof })
    expect(told(body.transactionId)).toEqual(kinds)
    expect((await storedOf(body.transactionId))?.anomalies).toEqual(external?.['anomalies'] ?? [])
  })

  test('whose receipt comes after the end was booked is judged then', async () => {
    const body = await buy('/late', { status: 500 })
    await book(body.transactionId, SETTLED)
    const payment = await storedOf(body.transactionId)
    assert(payment)
    const outbound = createOutboundClient({ allowLoopback: true, allowedNetworks: [] })
    onTestFinished(() => outbound.close())
    const url = vendor.behave('/late-receipt', { unpaid: withReceipt() })
    const parts = { db: app.database.db, clock: app.time.read, log }
    await noteAnswer(parts, payment, await callSeller(outbound, url, GET))
    const { external } = await readRecord(acme, body.transactionId)
    expect(external).toMatchObject({
      settlement: 'chain',
      transaction: HASH,
      anomalies: [{ kind: 'receipt_differs' }],
    })
    expect(told(body.transactionId)).toEqual(['receipt_differs'])
  })

  test('that asks again and whose receipt is invented has both recorded', async () => {
    const body = await buy('/both', { ...askV2(OFFER), headers: withReceipt().headers })
    await book(body.transactionId, DEAD)
    const { external } = await readRecord(acme, body.transactionId)
    expect(kindsOf(external?.['anomalies'])).toEqual(['asked_again', 'receipt_invented'])
    expect(told(body.transactionId)).toEqual(['asked_again', 'receipt_invented'])
  })
})

test('however much a vendor does, ten entries are recorded, each of bounded length', () => {
  const found = Array.from({ length: 12 }, (_, index) => ({
    kind: 'price_raised' as const,
    detail: `${index}`.repeat(1_000),
  }))
  const payment = somePayment(2, someOffer(), PAYER)
  const { anomalies } = addAnomalies(addAnomalies(payment, found.slice(0, 4), NOON), found, NOON)
  expect(anomalies).toHaveLength(10)
  expect(Math.max(...anomalies.map(({ detail }) => detail.length))).toBe(400)
  expect(anomalies.map(({ detail }) => detail[0])).toEqual([...'0123456789'])
})

describeOnChain('an invented receipt', () => {
  test('is recorded when the chain shows that nothing was paid', async () => {
    const shop = await openShop()
    await shop.acme.patch('/organization', { x402Fetch: true })
    const vendor = await startHostileVendor()
    onTestFinished(vendor.stop)
    const paid = { headers: { 'payment-response': inventReceipt() }, body: 'thank you' }
    const url = vendor.behave('/data', { unpaid: askV2(OFFER), paid })
    const { body } = await shop.pay({ url }, 'purchase-1')
    expect(body.settlement?.transaction).toBe(INVENTED)
    expect(body.anomalies).toEqual([])

    const { external } = await shop.transaction(body.transactionId)
    await shop.chain.mineAt(Date.parse(external?.['validBefore'] ?? '') / 1_000)
    const { external: after } = await shop.becomes(body.transactionId, 'voided')
    expect(after).toMatchObject({ anomalies: [{ kind: 'receipt_invented' }] })
    const again = await shop.pay({ url }, 'purchase-1')
    expect(again.body.anomalies).toEqual(after?.['anomalies'])
  })
})
