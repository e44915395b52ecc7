import assert from 'node:assert/strict'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { toUuid } from '../../../src/core/id.ts'
import { findPayment } from '../../../src/paths/x402/storage/payments.ts'
import { lockPromised } from '../../../src/paths/x402/storage/signatures.ts'
import {
  type Answer,
  createTestApp,
  joinTestApp,
  type Owner,
  type TestApp,
} from '../../support/app.ts'
import { anActiveMandate } from '../../support/builders.ts'
import { usualEngine } from '../../support/database.ts'
import { describeOnChain } from '../../support/x402/describe-on-chain.ts'
import { type Mall, startMall } from '../../support/x402/mall.ts'
import { configOf } from '../../support/x402/shop.ts'
import { aWallet, pay, WITHOUT_NODE } from './payments.ts'
import { someDocument, someOffer } from './some-offer.ts'

describeOnChain('a wallet', () => {
  let mall: Mall
  beforeAll(async () => {
    mall = await startMall()
  })
  afterAll(() => mall?.stop())

  const codeOf = ({ body }: Answer) => body.code ?? body.status

  test('is not signed for beyond what it holds by payments at the same moment', async () => {
    const shop = await mall.openShop({ funds: 250_000n, budget: 10 })
    const answers = await Promise.all(
      Array.from({ length: 12 }, () => shop.pay(shop.offer({ amount: '100000' }))),
    )
    const codes = answers.map(codeOf)
    expect(codes.filter((code) => code === 'signed')).toHaveLength(2)
    expect(codes.filter((code) => code === 'wallet_insufficient_funds')).toHaveLength(10)
    expect(await shop.budget()).toEqual({ spent: 0.2, held: 0.2, left: 9.8 })
  })

  test('pays all that it holds, and is refused more before anything is recorded', async () => {
    const shop = await mall.openShop({ funds: 200_000n })
    const codes = []
    for (const amount of ['100000', '100001', '100000', '1']) {
      codes.push(codeOf(await shop.pay(shop.offer({ amount }))))
    }
    const poor = 'wallet_insufficient_funds'
    expect(codes).toEqual(['signed', poor, 'signed', poor])
    expect(await shop.stored()).toHaveLength(2)
  })

  test('pays with what is left after a payment that the chain has made and no round has booked', async () => {
    const shop = await mall.openShop({ funds: 200_000n })
    const offer = shop.offer({ amount: '100000' })
    const { body: first } = await shop.pay(offer)
    // The rounds leave it alone, so only the next payment can look it up.
    await mall.app.rows(
      `update x402_payments set check_at = now() + interval '1 day' where organization_id = $1`,
      [shop.acme.organizationId],
    )
    await shop.facilitator.settleNow(first.payment?.headerValue ?? '')
    expect(codeOf(await shop.pay(offer))).toBe('signed')
    expect(await shop.transaction(first.transactionId)).toMatchObject({
      status: 'settled',
      external: { settlement: 'chain' },
    })
  })

  test.runIf(usualEngine() === 'postgres')(
    'is not signed for beyond what it holds by several processes and agents',
    async () => {
      const shop = await mall.openShop({ funds: 150_000n, budget: 10 })
      const second = await joinTestApp(mall.app, configOf(mall, {}))
      try {
        const { agentId } = await anActiveMandate(shop.acme)
        const offer = shop.offer({ amount: '100000' })
        const other = second.client(shop.acme.apiKey)
        const answers = await Promise.all(
          Array.from({ length: 12 }, (_, index) =>
            index % 2 === 0
              ? shop.pay(offer)
              : other.post('/gateway/x402/pay', { agentId, ...offer }),
          ),
        )
        expect(answers.map(codeOf).filter((code) => code === 'signed')).toHaveLength(1)
      } finally {
        await second.stop()
      }
    },
  )

  test('pays under the same key again when it was not signed the first time', async () => {
    const shop = await mall.openShop({ funds: 100_000n })
    const offer = shop.offer({ amount: '100000' })
    const first = await shop.pay(offer, 'once')
    // As if the process had died between the decision and the signature.
    await mall.app.rows(
      `update x402_payments set handed_out_at = null, signature = null where organization_id = $1`,
      [shop.acme.organizationId],
    )
    const again = await shop.pay(offer, 'once')
    expect(again.body.payment).toEqual(first.body.payment)
  })

  test('is not signed for beyond what it holds by a repeat that signs for the first time', async () => {
    const shop = await mall.openShop({ funds: 150_000n })
    const offer = shop.offer({ amount: '100000' })
    const change = (id: unknown, to: string) =>
      mall.app.rows(`update x402_payments set ${to} where id = $1`, [toUuid('txn', String(id))])
    // As if both had been decided at once, and the process of the second had died before it signed.
    const { body: first } = await shop.pay(offer)
    await change(first.transactionId, `state = 'released', proof = 'unsigned'`)
    const { body: second } = await shop.pay(offer, 'once')
    await change(first.transactionId, `state = 'held', proof = null`)
    await change(second.transactionId, 'handed_out_at = null, signature = null')

    expect(codeOf(await shop.pay(offer, 'once'))).toBe('wallet_insufficient_funds')
    expect(await shop.transaction(second.transactionId)).toMatchObject({ status: 'voided' })
    expect(await shop.transaction(first.transactionId)).toMatchObject({ status: 'held' })
  })
})

describe('what is promised to others', () => {
  let app: TestApp
  let acme: Owner
  beforeAll(async () => {
    app = await createTestApp(usualEngine(), WITHOUT_NODE)
    acme = await app.organization()
    await aWallet(acme)
  })
  afterAll(() => app.stop())

  /** A payment of this price, and what became of it. */
  async function aPayment(agentId: string, amount: string, change?: string): Promise<string> {
    const paymentRequired = someDocument({ accepts: [someOffer({ amount })] })
    const { transactionId } = await pay(acme, agentId, { paymentRequired })
    const id = toUuid('txn', transactionId)
    assert(id)
    if (change) await app.rows(`update x402_payments set ${change} where id = $1`, [id])
    return id
  }

  test('is what is signed and open, and what was spent since the balance was read', async () => {
    const { agentId } = await anActiveMandate(acme)
    const ended = (at: string) => `state = 'settled', proof = 'chain', ended_at = '${at}'`
    await aPayment(agentId, '1')
    await aPayment(agentId, '20', 'signature = null, handed_out_at = null')
    await aPayment(agentId, '300', ended('2026-01-01T00:00:02Z'))
    await aPayment(agentId, '4000', ended('2026-01-01T00:00:00Z'))
    await aPayment(agentId, '50000', `state = 'released', proof = 'chain', ended_at = now()`)
    const own = await findPayment(
      app.database.db,
      acme.organizationId,
      await aPayment(agentId, '600000'),
    )
    assert(own)
    const since = Date.parse('2026-01-01T00:00:01Z')
    const promised = await app.database.db.transaction((tx) => lockPromised(tx, own, since))
    expect(promised).toBe(301n)
  })
})
