import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { createTestApp, type Owner, type TestApp } from '../../support/app.ts'
import { anActiveMandate, anAgent, aRevokedMandate, NO_AGENT } from '../../support/builders.ts'
import { usualEngine } from '../../support/database.ts'
import { type Receiver, startReceiver } from '../../support/receiver.ts'
import { waitUntil } from '../../support/wait-until.ts'
import { toHeader } from '../../support/x402/wire.ts'
import { aWallet, WITHOUT_NODE } from './payments.ts'
import { someDocument } from './some-offer.ts'

let app: TestApp
let acme: Owner
let vendor: Receiver

beforeAll(async () => {
  app = await createTestApp(usualEngine(), WITHOUT_NODE)
  acme = await app.organization()
  await acme.patch('/organization', { x402Fetch: true })
  // Free, so that nothing would ever be judged once it is called.
  vendor = await startReceiver((response) => response.end('free'))
})
afterAll(async () => {
  await app.stop()
  await vendor.close()
})

const fetchFor = (agentId: string, fields: object = {}) =>
  acme.post('/gateway/x402/pay', { agentId, url: vendor.url, ...fields })

describe('a vendor is not called', () => {
  async function expectRejection(agentId: string, code: string): Promise<void> {
    const before = vendor.received.length
    const { status, body } = await fetchFor(agentId)
    expect([status, body.status, body.decision]).toEqual([200, 'rejected', 'rejected'])
    expect(body).toMatchObject({ evaluationDetails: { code }, transactionId: null, amount: null })
    expect(vendor.received).toHaveLength(before)
  }

  test('for an agent that is paused', async () => {
    const { agentId } = await anActiveMandate(acme)
    await acme.patch(`/agents/${agentId}`, { status: 'paused' })
    await expectRejection(agentId, 'agent_paused')
  })

  test('for an agent without a mandate, or whose mandate was revoked', async () => {
    await expectRejection((await anAgent(acme)).id, 'no_active_mandate')
    await expectRejection((await aRevokedMandate(acme)).agentId, 'no_active_mandate')
  })

  test('where the mandate allows other vendors or other paths', async () => {
    const elsewhere = await anActiveMandate(acme, {
      rules: [{ type: 'vendors', allow: ['api.vendor.example'] }],
    })
    await expectRejection(elsewhere.agentId, 'vendor_not_allowed')
    const directly = await anActiveMandate(acme, {
      rules: [{ type: 'paths', allow: ['evaluate'] }],
    })
    await expectRejection(directly.agentId, 'path_not_allowed')
  })

  test('while the organization has stopped all spending', async () => {
    const globex = await app.organization('Globex')
    await globex.patch('/organization', { x402Fetch: true, frozen: true })
    const { agentId } = await anActiveMandate(globex)
    const before = vendor.received.length
    const { body } = await globex.post('/gateway/x402/pay', { agentId, url: vendor.url })
    expect(body).toMatchObject({ evaluationDetails: { code: 'organization_frozen' } })
    expect(vendor.received).toHaveLength(before)
  })

  test('for an agent that does not exist', async () => {
    const { status, body } = await fetchFor(NO_AGENT)
    expect([status, body.code]).toEqual([404, 'agent_not_found'])
  })
})

describe('a payment that has left', () => {
  test.each<[string, (owner: Owner, agentId: string) => Promise<unknown>]>([
    [
      'the organization stops all spending',
      (owner) => owner.patch('/organization', { frozen: true }),
    ],
    ['fetch is turned off', (owner) => owner.patch('/organization', { x402Fetch: false })],
    ['the agent is paused', (owner, id) => owner.patch(`/agents/${id}`, { status: 'paused' })],
  ])('is not sent again once %s', async (_, stop) => {
    const owner = await app.organization()
    await owner.patch('/organization', { x402Fetch: true })
    await aWallet(owner)
    const { agentId } = await anActiveMandate(owner)
    vendor.behave((response, { headers }) => {
      const isPaid = headers['payment-signature'] !== undefined
      const offer = { 'payment-required': toHeader(someDocument()) }
      response.writeHead(isPaid ? 500 : 402, isPaid ? {} : offer).end()
    })
    const buy = () =>
      owner.post('/gateway/x402/pay', { agentId, url: vendor.url }, { 'idempotency-key': 'once' })
    expect((await buy()).body.status).toBe('settlement_unknown')
    const sent = vendor.received.length
    expect((await buy()).body.status).toBe('settlement_unknown')
    expect(vendor.received).toHaveLength(sent + 1)

    await stop(owner, agentId)
    const { status, body } = await buy()
    expect([status, body.status, body.hold?.state]).toEqual([200, 'settlement_unknown', 'held'])
    expect(vendor.received).toHaveLength(sent + 1)
    vendor.behave((response) => response.end('free'))
  })
})

describe('a vendor is called', () => {
  test('where only the amount could stand in the way, which is not known yet', async () => {
    const rules = [
      { type: 'amount', min: 1 },
      { type: 'vendors', allow: ['127.0.0.1'] },
    ]
    const { agentId } = await anActiveMandate(acme, { rules })
    const { body } = await fetchFor(agentId)
    expect(body).toMatchObject({ status: 'no_payment_required', resource: { body: 'free' } })
  })

  test('by a bounded number of requests of an agent at a time, which leaves room to others', async () => {
    const { agentId } = await anActiveMandate(acme)
    const second = await anActiveMandate(acme)
    const waiting: (() => void)[] = []
    vendor.behave((response) => void waiting.push(() => response.end('free')))
    const answers = Array.from({ length: 20 }, () => fetchFor(agentId, { timeoutMs: 60_000 }))
    await waitUntil(() => waiting.length === 16)
    const refused = await Promise.race(answers)
    expect([refused.status, refused.body.code]).toEqual([503, 'overloaded'])
    const other = fetchFor(second.agentId, { timeoutMs: 60_000 })
    await waitUntil(() => waiting.length === 17)
    for (const release of waiting) release()
    const codes = (await Promise.all(answers)).map(({ status }) => status)
    expect(codes.filter((status) => status === 200)).toHaveLength(16)
    expect((await other).status).toBe(200)
    vendor.behave((response) => response.end('free'))
    expect((await fetchFor(agentId)).status).toBe(200)
  })

  test('and a document too large to be parsed for everybody is handed on as text', async () => {
    const { agentId } = await anActiveMandate(acme)
    const large = `[${'1,'.repeat(200_000)}1]`
    vendor.behave((response) => {
      response.setHeader('content-type', 'application/json').end(large)
    })
    const { body } = await fetchFor(agentId)
    expect(body.resource).toMatchObject({ bodyEncoding: 'utf8', truncated: false, body: large })
  })
})
