import { expect, test } from 'vitest'
import { NETWORK } from '../../support/x402/chain.ts'
import { describeOnChain } from '../../support/x402/describe-on-chain.ts'
import { openShop, PAYEE, type Shop } from '../../support/x402/shop.ts'
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

describeOnChain('where the mandate restricts vendors', () => {
  test('the word of the agent does not prove who is paid', async () => {
    const shop = await openShop({ rules: RULES })
    const { body } = await shop.pay(await shop.meet(`${shop.vendor.url}/data`))
    expect(body).toMatchObject({
      decision: 'rejected',
      evaluationDetails: { code: 'payee_mismatch' },
      payment: null,
    })
  })

  test('the gateway asks the vendor itself, if it may', async () => {
    const shop = await openShop({ rules: RULES })
    await shop.acme.patch('/organization', { x402Fetch: true })
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
    const asked = shop.vendor.requests.filter(({ headers }) => 'payment-signature' in headers)
    expect(asked).toEqual([])
  })

  test('a payee of the directory is enough', async () => {
    const shop = await openShop({ rules: RULES })
    await pin(shop, shop.vendor.payTo)
    const { body } = await shop.pay(await shop.meet(`${shop.vendor.url}/data`))
    expect(body).toMatchObject({ decision: 'approved', payee: { assurance: 'payto_pinned' } })
  })
})

describeOnChain('a host whose payees are in the directory', () => {
  test('is paid at no other address, also without rules and when the vendor says so itself', async () => {
    const shop = await openShop()
    await pin(shop, PAYEE)
    await shop.acme.patch('/organization', { x402Fetch: true })
    const url = `${shop.vendor.url}/data`
    const signed = await shop.pay(await shop.meet(url))
    const fetched = await shop.pay({ url })
    for (const { body } of [signed, fetched]) {
      expect(body).toMatchObject({
        status: 'rejected',
        evaluationDetails: { code: 'payee_mismatch', next: { maxAmountNow: null } },
      })
    }
    expect(shop.vendor.requests.some(({ headers }) => 'payment-signature' in headers)).toBe(false)
    expect(await shop.budget()).toEqual({ spent: 0, held: 0, left: 1 })
  })
})
