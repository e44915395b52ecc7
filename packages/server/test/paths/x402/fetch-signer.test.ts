import { afterAll, beforeAll, expect, test } from 'vitest'
import { type Custodian, startCustodian } from '../../support/x402/custodian.ts'
import { describeOnChain } from '../../support/x402/describe-on-chain.ts'
import { type FetchShop, type Mall, startMall } from '../../support/x402/mall.ts'

const UNTOUCHED = { spent: 0, held: 0, left: 1 }
const HELD = { spent: 0.01, held: 0.01, left: 0.99 }

describeOnChain('a purchase with a wallet of a custodian', () => {
  let mall: Mall
  beforeAll(async () => {
    mall = await startMall()
  })
  afterAll(() => mall?.stop())

  async function openCustodianShop(): Promise<{
    readonly shop: FetchShop
    readonly custodian: Custodian
    buy(path: string): ReturnType<FetchShop['pay']>
  }> {
    const shop = await mall.openShop()
    const custodian = await startCustodian()
    const wallet = (await shop.acme.post('/wallets', { name: 'Vault', ...custodian.wallet })).body
    await shop.chain.mint(custodian.wallet.address, 1_000_000n)
    const buy = (path: string) =>
      shop.pay({ url: `${shop.vendor.url}${path}`, walletId: wallet.id }, 'purchase-1')
    return { shop, custodian, buy }
  }

  test('is paid from it', async () => {
    const { shop, custodian, buy } = await openCustodianShop()
    expect((await buy('/data')).body).toMatchObject({ status: 'paid' })
    expect(custodian.nonces).toHaveLength(1)
    expect(await shop.budget()).toEqual({ spent: 0.01, held: 0, left: 0.99 })
  })

  test('that does not sign is not made, and its key stands for that', async () => {
    const { shop, custodian, buy } = await openCustodianShop()
    custodian.mood = 'refuse'
    const first = await buy('/data')
    expect([first.status, first.body.code]).toEqual([503, 'signer_unavailable'])
    expect(await shop.budget()).toEqual(UNTOUCHED)

    // Nothing left, and nothing is unknown: the hold is gone, so this key can pay no more.
    custodian.mood = 'sign'
    const second = await buy('/data')
    expect([second.status, second.body.code]).toEqual([503, 'signer_unavailable'])
    expect(custodian.nonces).toHaveLength(1)
    expect(shop.paymentsSeen()).toEqual([])
    expect(await shop.budget()).toEqual(UNTOUCHED)
  })

  test('is signed once: what is sent again is what was sent before', async () => {
    const { shop, custodian, buy } = await openCustodianShop()
    const first = await buy('/broken')
    expect(first.body.status).toBe('settlement_unknown')
    custodian.mood = 'refuse'
    const second = await buy('/broken')
    expect(second.status).toBe(200)
    expect(second.body).toMatchObject({
      status: 'settlement_unknown',
      transactionId: first.body.transactionId,
      hold: { state: 'held' },
    })
    expect(custodian.nonces).toHaveLength(1)
    const [header, ...others] = shop.paymentsSeen()
    expect(others).toEqual([header])
    expect(await shop.budget()).toEqual(HELD)
  })
})
