import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { type Client, createTestApp, type Owner, type TestApp } from '../../support/app.ts'
import { aKey, anActiveMandate, bodyOf } from '../../support/builders.ts'

/* A key that is bound to one agent need not name it. */

let app: TestApp
let acme: Owner
let agentId: string
let bound: Client
let boundToTwo: Client

beforeAll(async () => {
  app = await createTestApp()
  acme = await app.organization()
  agentId = (await anActiveMandate(acme)).agentId
  const { agentId: other } = await anActiveMandate(acme)
  bound = (await aKey(app, acme, { agentIds: [agentId] })).client
  boundToTwo = (await aKey(app, acme, { agentIds: [agentId, other] })).client
})
afterAll(() => app.stop())

const SPEND = { amount: 1, vendor: 'api.openai.com', category: 'llm' }
const PAYMENT = { url: 'https://api.example.com/data', paymentRequired: 'bm9uZQ==' }

describe('without agentId', () => {
  test.each(['/gateway/evaluate', '/gateway/simulate'])(
    '%s is about the only agent',
    async (url) => {
      expect(bodyOf(await bound.post(url, SPEND))).toMatchObject({ agentId, decision: 'approved' })
    },
  )

  test('a repeat with the same Idempotency-Key finds the first answer', async () => {
    const headers = { 'idempotency-key': 'not-named' }
    const [first, again] = [
      await bound.post('/gateway/evaluate', SPEND, headers),
      await bound.post('/gateway/evaluate', SPEND, headers),
    ]
    expect([again.text, again.headers['idempotent-replayed']]).toEqual([first.text, 'true'])
  })

  test.each([
    ['/gateway/evaluate', SPEND],
    ['/gateway/simulate', SPEND],
    ['/gateway/x402/pay', PAYMENT],
  ])('%s is refused for a key of several agents, or of none', async (url, fields) => {
    for (const client of [acme, boundToTwo]) {
      const { status, body } = await client.post(url, fields)
      expect([status, body.code]).toEqual([400, 'validation_failed'])
      expect(body.errors[0]).toEqual({
        path: '/agentId',
        code: 'required',
        message: 'is required',
      })
    }
  })

  test('an x402 payment goes on to its offer', async () => {
    const { status, body } = await bound.post('/gateway/x402/pay', PAYMENT)
    expect([status, body.code]).toEqual([400, 'x402_malformed'])
  })
})
