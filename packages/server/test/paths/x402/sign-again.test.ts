import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { toUuid } from '../../../src/core/id.ts'
import { type Answer, createTestApp, type Owner, type TestApp } from '../../support/app.ts'
import { audit } from '../../support/audit.ts'
import { aKey, anActiveMandate, bodyOf } from '../../support/builders.ts'
import { usualEngine } from '../../support/database.ts'
import { budgetOf } from '../../support/spends.ts'
import { aPayment, aWallet, pay, refusalOf, WITHOUT_NODE } from './payments.ts'
import { someDocument, someOffer } from './some-offer.ts'

let count = 0
const aFreshKey = () => ({ 'idempotency-key': `payment ${count++}` })

const isReplay = ({ headers }: Answer) => headers['idempotent-replayed'] === 'true'

describe('the same Idempotency-Key', () => {
  let app: TestApp
  let acme: Owner

  beforeAll(async () => {
    app = await createTestApp(usualEngine(), WITHOUT_NODE)
    acme = await app.organization()
    await aWallet(acme)
  })
  afterAll(async () => {
    const broken = await audit(app.database.db)
    await app.stop()
    expect(broken).toEqual([])
  })

  const send = (agentId: string, headers: Record<string, string>, fields = {}) =>
    acme.post('/gateway/x402/pay', aPayment(agentId, fields), headers)

  const changePayment = (transactionId: string, columns: string) =>
    app.rows(`update x402_payments set ${columns} where id = $1`, [toUuid('txn', transactionId)])

  test('gives the same header again, and pays once', async () => {
    const { agentId, id } = await anActiveMandate(acme, { budgetTotal: 1 })
    const headers = aFreshKey()
    const [first, second] = [await send(agentId, headers), await send(agentId, headers)]
    expect([first.status, isReplay(first), isReplay(second)]).toEqual([200, false, true])
    expect(second.text).toBe(first.text)
    expect(await budgetOf(acme, id)).toEqual([0.01, 0.01, 0.99])
  })

  test('gives it to twenty that ask at the same moment', async () => {
    const { agentId, id } = await anActiveMandate(acme, { budgetTotal: 1 })
    const headers = aFreshKey()
    const answers = await Promise.all(Array.from({ length: 20 }, () => send(agentId, headers)))
    expect(new Set(answers.map(({ text }) => text)).size).toBe(1)
    expect(answers.filter((answer) => !isReplay(answer))).toHaveLength(1)
    expect(await budgetOf(acme, id)).toEqual([0.01, 0.01, 0.99])
  })

  test('gives it also when the directory and the mandate are others by then', async () => {
    const owner = await app.organization(`Changing`)
    await aWallet(owner)
    const { agentId, id } = await anActiveMandate(owner)
    const headers = aFreshKey()
    const first = await pay(owner, agentId, {}, headers)
    const x402Payees = [{ network: 'eip155:84532', address: `0x${'cd'.repeat(20)}` }]
    bodyOf(await owner.post('/vendors', { host: 'api.vendor.example', x402Payees }))
    const rules = [{ type: 'vendors', block: ['api.vendor.example'] }]
    bodyOf(await owner.patch(`/mandates/${id}`, { rules }))
    expect((await pay(owner, agentId, {}, headers)).payment).toEqual(first.payment)
    expect((await pay(owner, agentId)).status).toBe('rejected')
  })

  test('gives it also after the payment was settled', async () => {
    const { agentId } = await anActiveMandate(acme)
    const headers = aFreshKey()
    const first = await pay(acme, agentId, {}, headers)
    const setTo = (columns: string) => changePayment(first.transactionId, columns)
    await setTo(`state = 'settled', proof = 'chain', ended_at = now()`)
    expect((await pay(acme, agentId, {}, headers)).payment).toEqual(first.payment)
    await setTo(`state = 'held', proof = null, ended_at = null`)
  })

  test.each([
    ['signs', 'a millisecond before', -1, [200, undefined], [0.01, 0.01, 99.99]],
    ['does not sign', 'at the moment that', 0, [503, 'signer_unavailable'], [0, 0, 100]],
  ])(
    '%s an unsigned payment %s its authorization ends',
    async (_, _when, beside, answer, budget) => {
      const { agentId, id } = await anActiveMandate(acme)
      const headers = aFreshKey()
      const { transactionId, payment } = await pay(acme, agentId, {}, headers)
      // The state after a process died between the decision and the signature.
      await changePayment(transactionId, 'handed_out_at = null, signature = null')
      app.clock.now = Date.parse(payment?.validBefore ?? '') + beside
      expect(await refusalOf(acme, agentId, {}, headers)).toEqual(answer)
      app.clock.now = undefined
      expect(await budgetOf(acme, id)).toEqual(budget)
    },
  )

  test('is a conflict for another request, however small the difference', async () => {
    const { agentId, id } = await anActiveMandate(acme, { budgetTotal: 1 })
    const headers = aFreshKey()
    await pay(acme, agentId, {}, headers)
    const dearer = someDocument({ accepts: [someOffer({ amount: '10001' })] })
    for (const fields of [
      { paymentRequired: dearer },
      { url: 'https://api.vendor.example/v1/other' },
      { maxAmount: 1 },
      { mode: 'sign' },
    ]) {
      expect(await refusalOf(acme, agentId, fields, headers)).toEqual([
        409,
        'idempotency_key_reused',
      ])
    }
    expect(await budgetOf(acme, id)).toEqual([0.01, 0.01, 0.99])
  })

  test('gives another API key of the agent the same payment', async () => {
    const { agentId, id } = await anActiveMandate(acme, { budgetTotal: 1 })
    const { client: rotated } = await aKey(app, acme, { agentIds: [agentId] })
    const headers = aFreshKey()
    const first = await pay(acme, agentId, {}, headers)
    const again = await pay(rotated, agentId, {}, headers)
    expect(again.payment?.nonce).toBe(first.payment?.nonce)
    expect(await budgetOf(acme, id)).toEqual([0.01, 0.01, 0.99])
  })

  test('is a conflict for a spend, both ways', async () => {
    const { agentId } = await anActiveMandate(acme)
    const [payments, spends] = [aFreshKey(), aFreshKey()]
    await pay(acme, agentId, {}, payments)
    const spend = { agentId, amount: 0.01, vendor: 'api.vendor.example', category: 'data' }
    bodyOf(await acme.post('/gateway/evaluate', spend, spends))
    const outcomes = [await refusalOf(acme, agentId, {}, spends)]
    const evaluated = await acme.post('/gateway/evaluate', spend, payments)
    outcomes.push([evaluated.status, evaluated.body.code])
    expect(outcomes).toEqual(Array(2).fill([409, 'idempotency_key_reused']))
  })

  test('repeats a rejection', async () => {
    const { agentId, id } = await anActiveMandate(acme, { budgetTotal: 0.001 })
    const headers = aFreshKey()
    const first = await send(agentId, headers)
    bodyOf(await acme.patch(`/mandates/${id}/budget`, { budgetTotal: 1 }))
    const second = await send(agentId, headers)
    expect([second.text, isReplay(second)]).toEqual([first.text, true])
    expect(first.text).toContain('budget_exceeded')
  })

  test('is not kept for a request that was refused', async () => {
    const { agentId } = await anActiveMandate(acme)
    const headers = aFreshKey()
    const fields = { maxAmount: 0.001 }
    expect(await refusalOf(acme, agentId, fields, headers)).toEqual([
      422,
      'x402_max_amount_exceeded',
    ])
    expect((await pay(acme, agentId, {}, headers)).status).toBe('signed')
  })

  test('is needed: without one every request is a payment of its own', async () => {
    const { agentId, id } = await anActiveMandate(acme, { budgetTotal: 1 })
    const [first, second] = [await pay(acme, agentId), await pay(acme, agentId)]
    expect(first.payment?.nonce).not.toBe(second.payment?.nonce)
    expect(await budgetOf(acme, id)).toEqual([0.02, 0.02, 0.98])
  })
})
