import { afterAll, beforeAll, expect, test } from 'vitest'
import { describeOnChain } from '../../support/x402/describe-on-chain.ts'
import {
  askV1,
  askV2,
  type HostileAnswer,
  type HostileVendor,
  startHostileVendor,
  withPaymentRequired,
} from '../../support/x402/hostile-vendor.ts'
import { USDC_DOMAIN } from '../../support/x402/lab-contracts.ts'
import { type FetchShop, type Mall, startMall } from '../../support/x402/mall.ts'
import type { Terms } from '../../support/x402/payment-required.ts'
import { PAYEE } from '../../support/x402/shop.ts'
import { fromHeader, toHeader } from '../../support/x402/wire.ts'

const OFFER: Terms = { amount: '10000', payTo: PAYEE }
const NOBODY = '0x0000000000000000000000000000000000000000'
const TEN_YEARS_S = 315_360_000
const UNTOUCHED = { spent: 0, held: 0, left: 1 }
const HELD = { spent: 0.01, held: 0.01, left: 0.99 }

/** Each is an offer that a stock client would sign, or would throw at somewhere in the middle. */
const TRICKS: readonly (Partial<Terms> & { readonly reason: string })[] = [
  { reason: 'amount_invalid', amount: '0xF4240' },
  { reason: 'amount_invalid', amount: ' 10000 ' },
  { reason: 'amount_invalid', amount: '010000' },
  { reason: 'amount_invalid', amount: '0' },
  { reason: 'amount_invalid', amount: '-10000' },
  { reason: 'amount_invalid', amount: '0.01' },
  { reason: 'amount_invalid', amount: '1e4' },
  { reason: 'amount_invalid', amount: '１００００' },
  { reason: 'amount_invalid', amount: 10_000 },
  { reason: 'amount_invalid', amount: ['10000'] },
  { reason: 'amount_invalid', amount: String(2n ** 256n) },
  { reason: 'payee_invalid', payTo: NOBODY },
  { reason: 'payee_invalid', payTo: '0x1234' },
  { reason: 'payee_invalid', payTo: 'vendor.eth' },
  { reason: 'payee_invalid', payTo: [PAYEE] },
  { reason: 'timeout_out_of_range', maxTimeoutSeconds: TEN_YEARS_S },
  { reason: 'timeout_out_of_range', maxTimeoutSeconds: 0 },
  { reason: 'timeout_out_of_range', maxTimeoutSeconds: -60 },
  { reason: 'timeout_out_of_range', maxTimeoutSeconds: '60' },
  { reason: 'domain_mismatch', extra: { ...USDC_DOMAIN, name: 'USD Coin' } },
  { reason: 'domain_mismatch', extra: { ...USDC_DOMAIN, version: '1' } },
  { reason: 'asset_not_allowed', asset: PAYEE },
  { reason: 'network_not_enabled', network: 'eip155:8453' },
  { reason: 'scheme_unsupported', scheme: 'upto' },
  {
    reason: 'transfer_method_unsupported',
    extra: { ...USDC_DOMAIN, assetTransferMethod: 'permit2' },
  },
  { reason: 'flow_not_allowed', extra: { ...USDC_DOMAIN, paymentFlow: 'escrow' } },
]

describeOnChain('an offer with a trick in it', () => {
  let mall: Mall
  let vendor: HostileVendor
  let shop: FetchShop
  beforeAll(async () => {
    mall = await startMall()
    vendor = await startHostileVendor()
    shop = await mall.openShop()
  })
  afterAll(async () => {
    await vendor?.stop()
    await mall?.stop()
  })

  async function expectNothingSigned(): Promise<void> {
    expect(vendor.payments).toEqual([])
    expect(await shop.stored()).toEqual([])
    expect(await shop.budget()).toEqual(UNTOUCHED)
  }

  test.each([
    { version: 2, ask: askV2 },
    { version: 1, ask: askV1 },
  ])('is refused with its reason in version $version, and nothing is signed', async ({ ask }) => {
    const reasons: unknown[] = []
    for (const trick of TRICKS) {
      const url = vendor.behave('/trick', { unpaid: ask({ ...OFFER, ...trick }), paid: {} })
      const { status, body } = await shop.pay({ url })
      expect([status, body.code], trick.reason).toEqual([422, 'x402_no_acceptable_offer'])
      reasons.push(...body.errors.map(({ path, code }) => [path, code]))
    }
    expect(reasons).toEqual(TRICKS.map(({ reason }) => ['/accepts/0', reason]))
    await expectNothingSigned()
  })

  test('is refused when it would pay the payer, in whatever spelling', async () => {
    const spellings = [shop.wallet, `0x${shop.wallet.slice(2).toUpperCase()}`]
    for (const payTo of spellings) {
      const url = vendor.behave('/self', { unpaid: askV2({ ...OFFER, payTo }), paid: {} })
      const { body } = await shop.pay({ url })
      expect(body.errors).toMatchObject([{ code: 'payee_invalid' }])
    }
    await expectNothingSigned()
  })

  test.each<{ what: string; unpaid: HostileAnswer; code: string }>([
    { what: 'no base64', unpaid: withPaymentRequired('%%%'), code: 'x402_malformed' },
    { what: 'no JSON', unpaid: withPaymentRequired('aGVsbG8='), code: 'x402_malformed' },
    {
      what: 'an amount given twice',
      unpaid: withPaymentRequired(
        Buffer.from('{"x402Version":2,"accepts":[{"amount":"1","amount":"9"}]}').toString('base64'),
      ),
      code: 'x402_malformed',
    },
    {
      what: 'no offers',
      unpaid: withPaymentRequired(toHeader({ x402Version: 2, accepts: [] })),
      code: 'x402_malformed',
    },
    {
      what: 'another version',
      unpaid: withPaymentRequired(toHeader({ x402Version: 3, accepts: [OFFER] })),
      code: 'x402_version_unsupported',
    },
    { what: 'a page', unpaid: { status: 402, body: '<h1>Pay</h1>' }, code: 'x402_malformed' },
  ])('that is $what is not guessed at', async ({ unpaid, code }) => {
    const url = vendor.behave('/unreadable', { unpaid, paid: {} })
    const answer = await shop.pay({ url })
    expect([answer.status, answer.body.code]).toEqual([400, code])
    await expectNothingSigned()
  })

  test('keeps no honest offer from being paid, which goes back to the vendor untouched', async () => {
    const buyer = await mall.openShop()
    const extra = { ...USDC_DOMAIN, note: 'ünïcödé', nested: { list: [1, 2.5, null] } }
    const tricks = TRICKS.slice(0, 12).map((trick) => ({ ...OFFER, amount: '1', ...trick }))
    const unpaid = askV2({ ...OFFER, amount: '0x1' }, ...tricks, { ...OFFER, extra })
    const url = vendor.behave('/mixed', { unpaid, paid: {} })
    const { body } = await buyer.pay({ url })
    expect(body).toMatchObject({ status: 'delivered_unsettled', amount: 0.01 })

    const header = String(unpaid.headers?.['payment-required'])
    const honest = fromHeader<{ accepts: object[] }>(header).accepts.at(-1)
    expect(vendor.payments.map((payment) => fromHeader(payment))).toMatchObject([
      { accepted: honest },
    ])
    expect(await buyer.stored()).toHaveLength(1)
    expect(await buyer.budget()).toEqual(HELD)
  })
})
