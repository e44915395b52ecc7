import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { createTestApp, type Owner, type TestApp } from '../../support/app.ts'
import { aKey, anActiveMandate, bodyOf } from '../../support/builders.ts'
import { aSpend } from '../../support/spends.ts'

/* Whoever opens a hold should be able to close it, or be told that it cannot. */

let app: TestApp
let acme: Owner
let agentId: string

beforeAll(async () => {
  app = await createTestApp()
  acme = await app.organization()
  agentId = (await anActiveMandate(acme, { budgetTotal: 1_000 })).agentId
})
afterAll(() => app.stop())

const HOLD = { hold: { expiresIn: '15m' } }
const SPEND_SCOPES = ['gateway:write', 'transactions:read']

async function clientWith(scopes: readonly string[] | null, isBound = true) {
  const binding = isBound ? { agentIds: [agentId] } : {}
  return (await aKey(app, acme, { ...binding, scopes })).client
}

describe('a key for an agent, made without scopes', () => {
  test('settles and voids the holds that it opens, and is told of no missing scope', async () => {
    const client = await clientWith(null)
    for (const end of ['settle', 'void']) {
      const opened = bodyOf(await client.post('/gateway/evaluate', aSpend(agentId, HOLD)))
      expect([opened.status, 'missingScope' in opened]).toEqual(['held', false])
      expect((await client.post(`/transactions/${opened.transactionId}/${end}`)).status).toBe(200)
    }
  })

  test('can never refund', async () => {
    const client = await clientWith(null)
    const { transactionId } = bodyOf(await client.post('/gateway/evaluate', aSpend(agentId)))
    const { status, body } = await client.post(`/transactions/${transactionId}/refund`)
    expect([status, body.code]).toEqual([403, 'agent_bound_key'])
  })

  test('settles and voids no hold of another agent', async () => {
    const client = await clientWith(null)
    const other = await anActiveMandate(acme)
    const held = bodyOf(await acme.post('/gateway/evaluate', aSpend(other.agentId, HOLD)))
    for (const end of ['settle', 'void']) {
      const { status, body } = await client.post(`/transactions/${held.transactionId}/${end}`)
      expect([status, body.code]).toEqual([404, 'transaction_not_found'])
    }
  })
})

describe('a hold under a key that cannot close it', () => {
  test.each([
    ['a key for an agent', true],
    ['any other key', false],
  ])('is opened, and the answer to %s names the missing scope', async (_, isBound) => {
    const client = await clientWith(SPEND_SCOPES, isBound)
    const opened = bodyOf(await client.post('/gateway/evaluate', aSpend(agentId, HOLD)))
    expect(opened).toMatchObject({
      decision: 'approved',
      status: 'held',
      missingScope: 'transactions:write',
    })
    const { status, body } = await client.post(`/transactions/${opened.transactionId}/void`)
    expect([status, body.code]).toEqual([403, 'insufficient_scope'])
    bodyOf(await acme.post(`/transactions/${opened.transactionId}/void`))
  })

  test('answers a repeat with the same bytes, also once another key has closed it', async () => {
    const client = await clientWith(SPEND_SCOPES)
    const send = () =>
      client.post('/gateway/evaluate', aSpend(agentId, HOLD), { 'idempotency-key': 'a hold' })
    const first = await send()
    bodyOf(await acme.post(`/transactions/${first.body.transactionId}/settle`))
    const again = await send()
    expect([again.text, again.headers['idempotent-replayed']]).toEqual([first.text, 'true'])
  })

  test('is told in the answer alone: the record has nothing of it', async () => {
    const client = await clientWith(SPEND_SCOPES)
    const { transactionId } = bodyOf(await client.post('/gateway/evaluate', aSpend(agentId, HOLD)))
    const { text } = await acme.get(`/transactions/${transactionId}`)
    expect(text).not.toContain('missingScope')
  })
})

test('a spend that opens no hold is told of no scope', async () => {
  const client = await clientWith(SPEND_SCOPES)
  const settled = bodyOf(await client.post('/gateway/evaluate', aSpend(agentId)))
  const spend = aSpend(agentId, { ...HOLD, amount: 2_000 })
  const rejected = bodyOf(await client.post('/gateway/evaluate', spend))
  expect([settled, rejected].map((answer) => 'missingScope' in answer)).toEqual([false, false])
})

test('a key that cannot give the usual scopes is told to name others', async () => {
  const scopes = ['keys:write', 'gateway:write', 'transactions:read']
  const { client } = await aKey(app, acme, { scopes })
  const refused = await client.post('/api-keys', { name: 'Bound', agentIds: [agentId] })
  expect([refused.status, refused.body.code]).toEqual([403, 'insufficient_scope'])
  expect(refused.body.detail).toContain('`scopes`')
  const named = { name: 'Bound', agentIds: [agentId], scopes: SPEND_SCOPES }
  bodyOf(await client.post('/api-keys', named))
})
