import { afterAll, beforeAll, expect, test } from 'vitest'
import { describeOnChain } from '../../support/x402/describe-on-chain.ts'
import {
  askV1,
  askV2,
  gzipBomb,
  type HostileAnswer,
  type HostileVendor,
  startHostileVendor,
} from '../../support/x402/hostile-vendor.ts'
import { USDC_DOMAIN } from '../../support/x402/lab-contracts.ts'
import { type Mall, startMall } from '../../support/x402/mall.ts'
import { inventReceipt } from '../../support/x402/payment-required.ts'
import { PAYEE } from '../../support/x402/shop.ts'

const ANSWER_BYTES_MAX = 5 * 1_024 * 1_024
const OFFER = { amount: '10000', payTo: PAYEE }
/** In base64 more than the 16 kB that the head of an answer may have. */
const PADDING = 'x'.repeat(15_000)
const HUGE: HostileAnswer = { body: Buffer.alloc(ANSWER_BYTES_MAX + 1_000, 'x') }
/** Only what never ends is given little time: the rest must not fail on a slow machine. */
const patience = ({ fault }: HostileAnswer) =>
  fault === 'hang' || fault === 'drip' ? { timeoutMs: 2_500 } : {}
const UNTOUCHED = { spent: 0, held: 0, left: 1 }
const HELD = { spent: 0.01, held: 0.01, left: 0.99 }

describeOnChain('an answer that goes wrong', () => {
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

  const paymentsTo = (path: string) =>
    vendor.requests.filter((request) => request.path === path && request.payment !== '')

  test.each<{ what: string; unpaid: HostileAnswer; code: string; status: number }>([
    { what: 'hangs', unpaid: { fault: 'hang' }, status: 502, code: 'upstream_timeout' },
    { what: 'is reset', unpaid: { fault: 'reset' }, status: 502, code: 'upstream_unreachable' },
    {
      what: 'has too large a head',
      unpaid: askV2({ ...OFFER, extra: { ...USDC_DOMAIN, PADDING } }),
      status: 502,
      code: 'upstream_unreachable',
    },
    {
      what: 'is a 402 that is cut off',
      unpaid: { ...askV1(OFFER), fault: 'cut' },
      status: 400,
      code: 'x402_malformed',
    },
    {
      what: 'is a 402 that drips without end',
      unpaid: { ...askV1(OFFER), fault: 'drip' },
      status: 400,
      code: 'x402_malformed',
    },
    {
      what: 'is a huge 402',
      unpaid: { ...HUGE, status: 402 },
      status: 400,
      code: 'x402_malformed',
    },
    {
      what: 'is a 402 that explodes',
      unpaid: { ...gzipBomb(50), status: 402 },
      status: 400,
      code: 'x402_malformed',
    },
  ])('on the first call that $what is an error, and nothing was paid', async (given) => {
    const shop = await mall.openShop()
    const url = vendor.behave('/first', { unpaid: given.unpaid, paid: {} })
    const { status, body } = await shop.pay({ url, ...patience(given.unpaid) })
    expect([status, body.code]).toEqual([given.status, given.code])
    expect(paymentsTo('/first')).toEqual([])
    expect(await shop.stored()).toEqual([])
    expect((await shop.acme.get('/transactions')).body.data).toEqual([])
    expect(await shop.budget()).toEqual(UNTOUCHED)
  })

  test.each<{ what: string; unpaid: HostileAnswer; length: number | undefined }>([
    { what: 'is huge', unpaid: HUGE, length: ANSWER_BYTES_MAX },
    { what: 'is cut off', unpaid: { fault: 'cut', body: 'half of' }, length: 7 },
    { what: 'explodes', unpaid: gzipBomb(50), length: 0 },
    // How much of it comes in time is not for a test to say.
    { what: 'drips without end', unpaid: { fault: 'drip', body: 'slow' }, length: undefined },
  ])('for free that $what is handed on as far as it came', async (given) => {
    const shop = await mall.openShop()
    const url = vendor.behave('/free', { unpaid: given.unpaid })
    const { body } = await shop.pay({ url, ...patience(given.unpaid) })
    expect(body).toMatchObject({ status: 'no_payment_required', resource: { truncated: true } })
    const { length } = String(body.resource?.body)
    expect(length).toBe(given.length ?? length)
    expect(await shop.budget()).toEqual(UNTOUCHED)
  })

  test.each<{ what: string; paid: HostileAnswer; code: string }>([
    { what: 'hangs', paid: { fault: 'hang' }, code: 'timeout' },
    { what: 'is reset', paid: { fault: 'reset' }, code: 'connection_lost' },
    {
      what: 'has too large a head',
      paid: { headers: { 'payment-response': inventReceipt({ PADDING }) } },
      code: 'bad_answer',
    },
  ])('to a payment that $what leaves it held, and is no error', async (given) => {
    const shop = await mall.openShop()
    const path = `/paid-${given.code}`
    const url = vendor.behave(path, { unpaid: askV2(OFFER), paid: given.paid })
    const buy = () => shop.pay({ url, ...patience(given.paid) }, 'purchase-1')
    const { status, body } = await buy()
    expect(status).toBe(200)
    expect(body).toMatchObject({
      status: 'settlement_unknown',
      resource: null,
      resourceError: { code: given.code },
      settlement: { state: 'unknown', verified: false },
      hold: { state: 'held' },
    })
    expect(await shop.budget()).toEqual(HELD)

    // Perhaps it never arrived: the repeat may send it again, and only it.
    vendor.behave(path, { unpaid: askV2(OFFER), paid: { body: 'goods' } })
    const again = await buy()
    expect(again.body).toMatchObject({
      status: 'delivered_unsettled',
      transactionId: body.transactionId,
      resource: { body: 'goods' },
    })
    expect(new Set(paymentsTo(path).map(({ payment }) => payment)).size).toBe(1)
    expect(await shop.budget()).toEqual(HELD)
  })

  test.each<{ what: string; paid: HostileAnswer; length: number | undefined }>([
    { what: 'is cut off', paid: { fault: 'cut', body: 'half of' }, length: 7 },
    { what: 'explodes', paid: gzipBomb(50), length: 0 },
    { what: 'drips without end', paid: { fault: 'drip', body: 'slow' }, length: undefined },
  ])('to a payment that $what is handed on as far as it came, and kept', async (given) => {
    const shop = await mall.openShop()
    const path = `/kept-${given.what}`.replaceAll(' ', '-')
    const url = vendor.behave(path, { unpaid: askV2(OFFER), paid: given.paid })
    const buy = () => shop.pay({ url, ...patience(given.paid) }, 'purchase-1')
    const { status, body } = await buy()
    expect(status).toBe(200)
    expect(body).toMatchObject({
      status: 'delivered_unsettled',
      resource: { status: 200, truncated: true },
      settlement: { state: 'unknown', verified: false },
      hold: { state: 'held' },
    })
    const { length } = String(body.resource?.body)
    expect(length).toBe(given.length ?? length)
    expect((await buy()).body).toEqual(body)
    expect(paymentsTo(path)).toHaveLength(1)
    expect(await shop.budget()).toEqual(HELD)
  })

  test('to a payment that is huge is handed on as far as it came, and once', async () => {
    const shop = await mall.openShop()
    const url = vendor.behave('/huge', { unpaid: askV2(OFFER), paid: HUGE })
    const buy = () => shop.pay({ url }, 'purchase-1')
    const { body } = await buy()
    expect(body).toMatchObject({
      status: 'delivered_unsettled',
      resource: { status: 200, truncated: true },
      hold: { state: 'held' },
    })
    expect(String(body.resource?.body)).toHaveLength(ANSWER_BYTES_MAX)

    // It was delivered, and a repeat must not say otherwise, though the goods are not kept.
    const gone = { resource: { status: 200, truncated: true }, resourceError: { code: 'not_kept' } }
    const known = { transactionId: body.transactionId, ...gone }
    expect((await buy()).body).toMatchObject({ status: 'delivered_unsettled', ...known })
    const [{ payment = '' } = {}, ...others] = paymentsTo('/huge')
    expect(others).toEqual([])
    expect(await shop.budget()).toEqual(HELD)

    await mall.facilitator.settleNow(payment)
    expect((await buy()).body).toMatchObject({ status: 'paid', ...known })
    expect(await shop.budget()).toEqual({ spent: 0.01, held: 0, left: 0.99 })
  })
})
