import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest'
import { toUuid } from '../../../src/core/id.ts'
import { createTestApp, type Owner, type TestApp } from '../../support/app.ts'
import { audit } from '../../support/audit.ts'
import { aKey, anActiveMandate, bodyOf, DAY_MS } from '../../support/builders.ts'
import { usualEngine } from '../../support/database.ts'
import { aHold, budgetOf } from '../../support/spends.ts'
import { describeOnChain } from '../../support/x402/describe-on-chain.ts'
import { openShop } from '../../support/x402/shop.ts'
import { aWallet, type Paid, pay, readRecord, WITHOUT_NODE } from './payments.ts'

const HASH = `0x${'aB'.repeat(32)}`
const REASON = 'The vendor confirms that it never cashed it.'

describe('a payment on a network that has no node any more', () => {
  let app: TestApp
  let acme: Owner

  beforeAll(async () => {
    app = await createTestApp(usualEngine(), WITHOUT_NODE)
    acme = await app.organization()
    await aWallet(acme)
  })
  afterEach(() => {
    app.clock.now = undefined
  })
  afterAll(async () => {
    const broken = await audit(app.database.db)
    await app.stop()
    expect(broken).toEqual([])
  })

  /** As it is when it was signed while there was a node: only the chain could end it. */
  async function aStrandedPayment() {
    const mandate = await anActiveMandate(acme, { budgetTotal: 1 })
    const paid = await pay(acme, mandate.agentId)
    const id = toUuid('txn', paid.transactionId)
    await app.rows('update x402_payments set from_block = 5 where id = $1', [id])
    return { mandate, paid, path: `/transactions/${paid.transactionId}` }
  }

  const endOf = ({ payment }: Paid) => Date.parse(payment?.validBefore ?? '')

  test('is settled by the organization with the hash of the transfer, which is recorded', async () => {
    const { mandate, paid, path } = await aStrandedPayment()
    const settled = bodyOf(await acme.post(`${path}/settle`, { proof: HASH }))
    expect(settled).toMatchObject({
      status: 'settled',
      settledAmount: 0.01,
      heldAmount: 0,
      flags: ['ended_by_hand'],
      external: { settlement: 'owner', transaction: HASH.toLowerCase() },
    })
    expect(await readRecord(acme, paid.transactionId)).toMatchObject(settled)
    expect(await budgetOf(acme, mandate.id)).toEqual([0.01, 0, 0.99])
    expect((await acme.post(`${path}/settle`, { proof: HASH })).status).toBe(409)
  })

  test('is given back a day after its end and not earlier, with the reason recorded', async () => {
    const { mandate, paid, path } = await aStrandedPayment()
    app.clock.now = endOf(paid) + DAY_MS - 1
    const early = await acme.post(`${path}/void`, { reason: REASON })
    expect([early.status, early.body.code]).toEqual([409, 'transaction_state'])
    expect(early.text).toContain(new Date(endOf(paid) + DAY_MS).toISOString())
    app.clock.now = endOf(paid) + DAY_MS
    expect(bodyOf(await acme.post(`${path}/void`, { reason: REASON }))).toMatchObject({
      status: 'voided',
      flags: ['ended_by_hand'],
      external: { settlement: 'owner', transaction: null, note: REASON },
    })
    expect(await budgetOf(acme, mandate.id)).toEqual([0, 0, 1])
  })

  test('is ended neither without proof or reason, nor by the word of an agent', async () => {
    const { mandate, paid, path } = await aStrandedPayment()
    app.clock.now = endOf(paid) + 2 * DAY_MS
    const scopes = ['transactions:read', 'transactions:write']
    const { client: agent } = await aKey(app, acme, { agentIds: [mandate.agentId], scopes })
    const refused = [
      await acme.post(`${path}/void`),
      await acme.post(`${path}/settle`),
      await agent.post(`${path}/void`, { reason: REASON }),
      await agent.post(`${path}/settle`, { proof: HASH }),
    ]
    expect(refused.map(({ status }) => status)).toEqual([409, 409, 403, 403])
    const wrong = [{ proof: '0x1234' }, { proof: HASH, amount: 0.01 }, { proof: '' }]
    for (const body of wrong) expect((await acme.post(`${path}/settle`, body)).status).toBe(400)
    expect((await readRecord(acme, paid.transactionId)).status).toBe('held')
  })

  test('is another matter than a hold that ends by itself, which takes no proof', async () => {
    const { agentId } = await anActiveMandate(acme)
    const { transactionId } = await aHold(acme, agentId, 5)
    const path = `/transactions/${transactionId}`
    expect((await acme.post(`${path}/settle`, { proof: HASH })).status).toBe(409)
    expect((await acme.post(`${path}/void`, { reason: REASON })).status).toBe(409)
    expect((await acme.post(`${path}/void`)).status).toBe(200)
  })
})

describeOnChain('a payment whose chain can be asked', () => {
  test('is not ended by hand, with whatever proof and however late', async () => {
    const shop = await openShop()
    const { body } = await shop.pay(shop.offer({}))
    const path = `/transactions/${body.transactionId}`
    // Long after its end by our clock, but not by the chain's, which alone counts.
    shop.app.clock.now = Date.parse(body.payment?.validBefore ?? '') + 2 * DAY_MS
    const refused = [
      await shop.acme.post(`${path}/settle`, { proof: HASH }),
      await shop.acme.post(`${path}/void`, { reason: REASON }),
    ]
    for (const { status, body, text } of refused) {
      expect([status, body.code]).toEqual([409, 'transaction_state'])
      expect(text).toContain('has a node')
    }
    expect((await shop.transaction(body.transactionId)).status).toBe('held')
    expect(await shop.budget()).toEqual({ spent: 0.1, held: 0.1, left: 0.9 })
  })
})
