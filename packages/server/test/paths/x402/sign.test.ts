import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { toUuid } from '../../../src/core/id.ts'
import { createTestApp, type Owner, type TestApp } from '../../support/app.ts'
import { audit } from '../../support/audit.ts'
import { aKey, anActiveMandate, anAgent, bodyOf } from '../../support/builders.ts'
import { usualEngine } from '../../support/database.ts'
import { budgetOf } from '../../support/spends.ts'
import { payerOf } from './payer-of.ts'
import { aWallet, type NewWallet, pay, readRecord, refusalOf, WITHOUT_NODE } from './payments.ts'
import { NETWORK, PAYEE, someDocument, someOffer, someV1Document, USDC } from './some-offer.ts'

const decoded = (headerValue: string | undefined): unknown =>
  JSON.parse(Buffer.from(headerValue ?? '', 'base64').toString('utf8'))

describe('a payment that is signed', () => {
  let app: TestApp
  let acme: Owner
  let wallet: NewWallet

  beforeAll(async () => {
    app = await createTestApp(usualEngine(), WITHOUT_NODE)
    acme = await app.organization()
    wallet = await aWallet(acme)
  })
  afterAll(async () => {
    const broken = await audit(app.database.db)
    await app.stop()
    expect(broken).toEqual([])
  })

  const paymentsOf = async (agentId: string) =>
    app.rows(
      `select p.id from x402_payments p join transactions t on t.id = p.id where t.agent_id = $1`,
      [agentId],
    )

  test('comes with the header that pays the vendor', async () => {
    const { agentId, id } = await anActiveMandate(acme)
    const before = Date.now()
    const paid = await pay(acme, agentId, { category: 'Data', reference: 'order-1', reason: 'why' })
    expect(paid).toMatchObject({
      status: 'signed',
      decision: 'approved',
      remainingBudget: 99.99,
      mandateId: id,
      agentId,
      amount: 0.01,
      vendor: 'api.vendor.example',
      category: 'data',
      price: { atomic: '10000', asset: USDC.toLowerCase(), network: NETWORK, currency: 'USD' },
      payee: { address: PAYEE.toLowerCase(), assurance: 'agent_claimed' },
      payment: { headerName: 'PAYMENT-SIGNATURE', x402Version: 2 },
      resource: null,
      settlement: { state: 'pending', transaction: null, verified: false, settledAmount: null },
      hold: { id: paid.transactionId, state: 'held', budgetRemaining: 99.99 },
      evaluationDetails: { code: 'approved', path: 'x402' },
    })
    const { payment } = paid
    expect(await payerOf(payment?.headerValue ?? '')).toBe(wallet.address)
    expect(decoded(payment?.headerValue)).toEqual(payment?.payload)
    expect(payment?.payload).toMatchObject({
      x402Version: 2,
      resource: someDocument()['resource'],
      accepted: someOffer(),
      payload: { authorization: { value: '10000', nonce: payment?.nonce } },
    })
    const validFor = Date.parse(payment?.validBefore ?? '') - before
    expect(validFor).toBeGreaterThan(118_000)
    expect(validFor).toBeLessThan(150_000)
    expect(paid.hold?.['releaseNotBefore']).toBe(payment?.validBefore)
  })

  test('of version 1 comes with the header of that version', async () => {
    const { agentId } = await anActiveMandate(acme)
    const { payment } = await pay(acme, agentId, { paymentRequired: someV1Document() })
    expect(payment).toMatchObject({
      headerName: 'X-PAYMENT',
      payload: { x402Version: 1, scheme: 'exact', network: 'base-sepolia' },
    })
    expect(await payerOf(payment?.headerValue ?? '')).toBe(wallet.address)
  })

  test('sends the offer back as it came, whatever else is in it', async () => {
    const { agentId } = await anActiveMandate(acme)
    const offer = someOffer({ zeta: [1.5, null, { b: 1, a: 'Größe ✓ 😀' }], alpha: '\u2028' })
    const document = someDocument({ accepts: [offer] })
    for (const paymentRequired of [document, JSON.stringify(document), toHeader(document)]) {
      const { payment } = await pay(acme, agentId, { paymentRequired })
      const { accepted } = decoded(payment?.headerValue) as { accepted: unknown }
      expect(JSON.stringify(accepted)).toBe(JSON.stringify(offer))
    }
  })

  test('is a hold that no time ends, and draws on the budget', async () => {
    const { agentId, id } = await anActiveMandate(acme, { budgetTotal: 1 })
    const { transactionId, payment } = await pay(acme, agentId, { metadata: { a: 'b' } })
    const record = await readRecord(acme, transactionId)
    expect(record).toMatchObject({
      status: 'held',
      path: 'x402',
      amount: 0.01,
      heldAmount: 0.01,
      settledAmount: 0,
      expiresAt: null,
      settledAt: null,
      currency: 'USD',
      metadata: { a: 'b' },
    })
    expect(record.external).toEqual({
      network: NETWORK,
      asset: USDC.toLowerCase(),
      payer: wallet.address,
      payTo: PAYEE.toLowerCase(),
      value: '10000',
      nonce: payment?.nonce,
      validBefore: payment?.validBefore,
      assurance: 'agent_claimed',
      url: 'https://api.vendor.example/v1/data',
      settlement: null,
      transaction: null,
    })
    expect(await budgetOf(acme, id)).toEqual([0.01, 0.01, 0.99])
  })

  test('is found among the held ones, and exported', async () => {
    const { agentId } = await anActiveMandate(acme)
    const { transactionId } = await pay(acme, agentId)
    const held = bodyOf(await acme.get(`/transactions?agentId=${agentId}&status=held`))
    expect(held.data.map((row) => row.transactionId)).toEqual([transactionId])
    const expired = bodyOf(await acme.get(`/transactions?agentId=${agentId}&status=expired`))
    expect(expired.data).toEqual([])
    const { status, text } = await acme.get(`/transactions/export?agentId=${agentId}&format=csv`)
    expect([status, text.includes(transactionId)]).toEqual([200, true])
  })

  test('cannot be settled or voided on anybody’s word, nor refunded', async () => {
    const { agentId, id } = await anActiveMandate(acme, { budgetTotal: 1 })
    const scopes = ['transactions:write']
    const { client: bound } = await aKey(app, acme, { agentIds: [agentId], scopes })
    const { transactionId } = await pay(acme, agentId)
    for (const [client, action] of [
      [acme, 'settle'],
      [acme, 'void'],
      [acme, 'refund'],
      [bound, 'settle'],
      [bound, 'void'],
    ] as const) {
      const { status, body } = await client.post(`/transactions/${transactionId}/${action}`)
      expect([action, status, body.code]).toEqual([action, 409, 'transaction_state'])
    }
    expect(await budgetOf(acme, id)).toEqual([0.01, 0.01, 0.99])
  })

  test('is exact to the smallest unit of the token', async () => {
    const { agentId, id } = await anActiveMandate(acme, { budgetTotal: 0.000002 })
    const paymentRequired = someDocument({ accepts: [someOffer({ amount: '1' })] })
    const answers = [1, 2, 3].map(() => pay(acme, agentId, { paymentRequired }))
    const decisions = (await Promise.all(answers)).map(({ decision }) => decision)
    expect(decisions.sort()).toEqual(['approved', 'approved', 'rejected'])
    expect(await budgetOf(acme, id)).toEqual([0.000002, 0.000002, 0])
  })

  test('is not made when the mandate says no; the refusal is on record', async () => {
    const { agentId, id } = await anActiveMandate(acme, { budgetTotal: 0.009999 })
    const rejected = await pay(acme, agentId)
    expect(rejected).toMatchObject({
      status: 'rejected',
      decision: 'rejected',
      payment: null,
      hold: null,
      settlement: { state: 'none' },
      evaluationDetails: { code: 'budget_exceeded' },
    })
    expect(await readRecord(acme, rejected.transactionId)).toMatchObject({
      status: 'rejected',
      external: null,
    })
    expect(await paymentsOf(agentId)).toEqual([])
    expect(await budgetOf(acme, id)).toEqual([0, 0, 0.009999])
  })

  test('is not made while the organization is frozen, nor without a mandate', async () => {
    const owner = await app.organization('Frozen')
    await aWallet(owner)
    const { agentId } = await anActiveMandate(owner)
    const { id: idle } = await anAgent(owner)
    expect((await pay(owner, idle)).evaluationDetails.code).toBe('no_active_mandate')
    bodyOf(await owner.patch('/organization', { frozen: true }))
    const frozen = await pay(owner, agentId)
    expect([frozen.status, frozen.payment]).toEqual(['rejected', null])
    expect(frozen.evaluationDetails.code).toBe('organization_frozen')
  })

  test('may be asked for with the key of its agent', async () => {
    const { agentId } = await anActiveMandate(acme)
    const { client } = await aKey(app, acme, { agentIds: [agentId] })
    expect((await pay(client, agentId)).status).toBe('signed')
  })

  test('is made from the wallet that is named, or else from the first', async () => {
    const { agentId } = await anActiveMandate(acme)
    const second = await aWallet(acme)
    const named = await pay(acme, agentId, { walletId: second.id })
    const unnamed = await pay(acme, agentId)
    expect(await payerOf(named.payment?.headerValue ?? '')).toBe(second.address)
    expect(await payerOf(unnamed.payment?.headerValue ?? '')).toBe(wallet.address)
  })

  test('is not made with a key that was moved to another wallet', async () => {
    const owner = await app.organization('Swapped')
    const [first, second] = [await aWallet(owner), await aWallet(owner)]
    const { agentId, id } = await anActiveMandate(owner)
    await app.rows(
      `update wallets set sealed_secret = (select sealed_secret from wallets where id = $2)
       where id = $1`,
      [toUuid('wal', first.id), toUuid('wal', second.id)],
    )
    expect(await refusalOf(owner, agentId)).toEqual([503, 'signer_unavailable'])
    expect(await budgetOf(owner, id)).toEqual([0, 0, 100])
    expect((await pay(owner, agentId, { walletId: second.id })).status).toBe('signed')
  })
})

function toHeader(document: unknown): string {
  return Buffer.from(JSON.stringify(document)).toString('base64')
}
