import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { NETWORK } from '../../support/x402/chain.ts'
import { describeOnChain } from '../../support/x402/describe-on-chain.ts'
import { type Mall, startMall } from '../../support/x402/mall.ts'
import { PAYEE, type Shop } from '../../support/x402/shop.ts'
import { fromHeader, toHeader } from '../../support/x402/wire.ts'

const RULES = [{ type: 'vendors', allow: ['127.0.0.1'] }]

/** The vendor's own offer with another payee, as an agent would hand it over that was fooled. */
function divert(header: unknown, changes: object): string {
  const offer = fromHeader<{ accepts: object[] }>(String(header))
  return toHeader({ ...offer, accepts: offer.accepts.map((entry) => ({ ...entry, ...changes })) })
}

function pin(shop: Shop, address: string) {
  return shop.acme.post('/vendors', {
    host: '127.0.0.1',
    x402Payees: [{ network: NETWORK, address }],
  })
}

describeOnChain('the payee of an x402 payment', () => {
  let mall: Mall
  beforeAll(async () => {
    mall = await startMall()
  })
  afterAll(() => mall?.stop())

  describe('where the mandate restricts vendors', () => {
    test('the word of the agent does not prove who is paid', async () => {
      const shop = await mall.openShop({ rules: RULES, x402Fetch: false })
      const { body } = await shop.pay(await shop.meet(`${shop.vendor.url}/data`))
      expect(body).toMatchObject({
        decision: 'rejected',
        evaluationDetails: { code: 'payee_mismatch' },
        payment: null,
      })
    })

    test('the gateway asks the vendor itself, if it may', async () => {
      const shop = await mall.openShop({ rules: RULES })
      const met = await shop.meet(`${shop.vendor.url}/data`)
      const { body } = await shop.pay(met)
      expect(body).toMatchObject({ decision: 'approved', payee: { assurance: 'gateway_observed' } })

      for (const changes of [{ payTo: PAYEE }, { amount: '9999' }]) {
        const diverted = await shop.pay({
          ...met,
          paymentRequired: divert(met.paymentRequired, changes),
        })
        expect(diverted.body).toMatchObject({
          decision: 'rejected',
          evaluationDetails: { code: 'payee_mismatch' },
        })
      }
      expect(shop.paymentsSeen()).toEqual([])
    })

    test('a payee of the directory is enough', async () => {
      const shop = await mall.openShop({ rules: RULES, x402Fetch: false })
      await pin(shop, shop.vendor.payTo)
      const { body } = await shop.pay(await shop.meet(`${shop.vendor.url}/data`))
      expect(body).toMatchObject({ decision: 'approved', payee: { assurance: 'payto_pinned' } })
    })
  })

  describe('a host whose payees are in the directory', () => {
    test('is paid at no other address, also without rules and when the vendor says so itself', async () => {
      const shop = await mall.openShop()
      await pin(shop, PAYEE)
      const url = `${shop.vendor.url}/data`
      const signed = await shop.pay(await shop.meet(url))
      const fetched = await shop.pay({ url })
      for (const { body } of [signed, fetched]) {
        expect(body).toMatchObject({
          status: 'rejected',
          evaluationDetails: { code: 'payee_mismatch', next: { maxAmountNow: null } },
        })
      }
      expect(shop.paymentsSeen()).toEqual([])
      expect(await shop.budget()).toEqual({ spent: 0, held: 0, left: 1 })
    })
  })
})
