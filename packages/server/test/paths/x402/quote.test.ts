import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { createTestApp, type Owner, type TestApp } from '../../support/app.ts'
import { anActiveMandate, anAgent } from '../../support/builders.ts'
import { usualEngine } from '../../support/database.ts'
import { dumpTables } from '../../support/tables.ts'
import { aWallet, pay, WITHOUT_NODE } from './payments.ts'
import { NETWORK, PAYEE, someDocument, someOffer, someV1Document, USDC } from './some-offer.ts'

const QUOTE = { mode: 'quote' }

let app: TestApp
let acme: Owner

beforeAll(async () => {
  app = await createTestApp(usualEngine(), WITHOUT_NODE)
  acme = await app.organization()
  await aWallet(acme)
})
afterAll(() => app.stop())

/** A quote leaves no trace, whatever it says. */
async function quote(agentId: string, fields: object = {}, headers = {}) {
  const before = await traces()
  const answer = await pay(acme, agentId, { ...QUOTE, ...fields }, headers)
  expect(await traces()).toEqual(before)
  return answer
}

/** Payments that are open are looked at all the time, so of them only the number counts. */
async function traces() {
  const payments = await app.rows('select id from x402_payments order by id')
  return [payments, await dumpTables(app.database.db, { leaveOut: /^x402_payments$/ })]
}

describe('a quote', () => {
  test('says what would be approved, and holds, signs and records nothing', async () => {
    const { agentId, id } = await anActiveMandate(acme)
    expect(await quote(agentId, { category: 'Data' })).toMatchObject({
      status: 'quoted',
      decision: 'approved',
      remainingBudget: 99.99,
      transactionId: null,
      mandateId: id,
      agentId,
      amount: 0.01,
      vendor: 'api.vendor.example',
      category: 'data',
      price: {
        atomic: '10000',
        asset: USDC.toLowerCase(),
        symbol: 'USDC',
        decimals: 6,
        network: NETWORK,
        currency: 'USD',
      },
      payee: { address: PAYEE.toLowerCase(), assurance: 'agent_claimed' },
      payment: null,
      resource: null,
      settlement: { state: 'none', transaction: null, source: null, verified: false },
      hold: null,
      evaluationDetails: { code: 'approved', path: 'x402' },
    })
  })

  test('is made for version 1 as well', async () => {
    const { agentId } = await anActiveMandate(acme)
    const quoted = await quote(agentId, { paymentRequired: someV1Document() })
    expect(quoted).toMatchObject({ decision: 'approved', amount: 0.01 })
  })

  test('is exact to the smallest unit of the token', async () => {
    const { agentId } = await anActiveMandate(acme, { budgetTotal: 0.000001 })
    const paymentRequired = someDocument({ accepts: [someOffer({ amount: '1' })] })
    const quoted = await quote(agentId, { paymentRequired })
    expect([quoted.decision, quoted.amount, quoted.remainingBudget]).toEqual([
      'approved',
      0.000001,
      0,
    ])
  })

  test('says why a payment would be rejected, and what would pass', async () => {
    const { agentId } = await anActiveMandate(acme, { budgetTotal: 0.009999 })
    const quoted = await quote(agentId)
    expect(quoted).toMatchObject({
      status: 'quoted',
      decision: 'rejected',
      remainingBudget: 0.009999,
    })
    expect(quoted.evaluationDetails).toMatchObject({
      code: 'budget_exceeded',
      next: { maxAmountNow: 0.009999 },
    })
    expect(quoted.price).toMatchObject({ atomic: '10000' })
  })

  test.each([
    ['another currency', { currency: 'EUR' }, 'currency_mismatch'],
    ['another path', { rules: [{ type: 'paths', allow: ['card'] }] }, 'path_not_allowed'],
    ['a smaller maximum', { rules: [{ type: 'amount', max: 0.009 }] }, 'amount_above_max'],
    [
      'other vendors',
      { rules: [{ type: 'vendors', allow: ['other.example'] }] },
      'vendor_not_allowed',
    ],
    [
      'certain categories',
      { rules: [{ type: 'categories', allow: ['data'] }] },
      'category_required',
    ],
    ['a person to be asked', { rules: [{ type: 'approval' }] }, 'approval_required'],
  ])('knows of a mandate for %s', async (_, terms, code) => {
    const { agentId } = await anActiveMandate(acme, terms)
    const quoted = await quote(agentId)
    expect([quoted.decision, quoted.evaluationDetails.code]).toEqual(['rejected', code])
  })

  test('for an agent without a mandate is a rejection', async () => {
    const { id } = await anAgent(acme)
    expect(await quote(id)).toMatchObject({
      decision: 'rejected',
      mandateId: null,
      evaluationDetails: { code: 'no_active_mandate' },
    })
  })

  test('takes no Idempotency-Key', async () => {
    const { agentId } = await anActiveMandate(acme)
    const headers = { 'idempotency-key': 'quoted-first' }
    await quote(agentId, {}, headers)
    expect((await pay(acme, agentId, {}, headers)).status).toBe('signed')
  })

  test('counts what is held already', async () => {
    const { agentId } = await anActiveMandate(acme, { budgetTotal: 0.015 })
    await pay(acme, agentId)
    expect((await quote(agentId)).evaluationDetails.code).toBe('budget_exceeded')
  })
})
