import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { createTestApp, type Owner, type TestApp } from '../../support/app.ts'
import { aKey, anActiveMandate, bodyOf, NO_AGENT } from '../../support/builders.ts'
import { aSpend, evaluate, readTransaction } from '../../support/spends.ts'

describe('a spend is not judged', () => {
  let app: TestApp
  let acme: Owner

  beforeAll(async () => {
    app = await createTestApp()
    acme = await app.organization()
  })
  afterAll(() => app.stop())

  const post = (fields: object) => acme.post('/gateway/evaluate', fields)

  test('for an agent that is not there, is deleted, or belongs to another organization', async () => {
    const other = await app.organization('Other')
    const foreign = await anActiveMandate(other)
    const deleted = await anActiveMandate(acme)
    bodyOf(await acme.delete(`/agents/${deleted.agentId}`))
    const before = await app.rows('select count(*)::int as n from transactions')
    for (const agentId of [NO_AGENT, foreign.agentId, deleted.agentId]) {
      const { status, body } = await post(aSpend(agentId))
      expect([status, body.code]).toEqual([404, 'agent_not_found'])
    }
    expect(await app.rows('select count(*)::int as n from transactions')).toEqual(before)
  })

  test('for an agent that the key is not bound to, as if there were none', async () => {
    const [own, foreign] = [await anActiveMandate(acme), await anActiveMandate(acme)]
    const { client } = await aKey(app, acme, { agentIds: [own.agentId] })
    expect((await evaluate(client, own.agentId)).decision).toBe('approved')
    const { status, body } = await client.post('/gateway/evaluate', aSpend(foreign.agentId))
    expect([status, body.code]).toEqual([404, 'agent_not_found'])
  })

  test('with a key that lacks the scope, or without a key', async () => {
    const { agentId } = await anActiveMandate(acme)
    const { client } = await aKey(app, acme, { scopes: ['gateway:read'] })
    const weak = await client.post('/gateway/evaluate', aSpend(agentId))
    expect([weak.status, weak.body.code]).toEqual([403, 'insufficient_scope'])
    expect((await app.client('').post('/gateway/evaluate', aSpend(agentId))).status).toBe(401)
  })

  test.each([
    ['a key of more than 64 characters', { ['k'.repeat(65)]: 'x' }],
    ['anything under such a key', { ['k'.repeat(65)]: { any: ['x'.repeat(100_000)] } }],
    ['an empty key', { '': 'x' }],
    ['a key with a line break', { 'a\nb': [[[]]] }],
    ['a key with an odd line break', { 'a\u2028b': 'x' }],
    ['a value that is not a text', { owner: 7 }],
    ['a value of more than 500 characters', { owner: 'x'.repeat(501) }],
    ['more than 20 entries', entries(21, 'k', 'v')],
  ])('with %s in its metadata, and nothing of it is kept', async (_, metadata) => {
    const { agentId } = await anActiveMandate(acme, { rules: [{ type: 'amount', max: 1 }] })
    const before = await app.rows('select count(*)::int as n from transactions')
    for (const url of ['/gateway/evaluate', '/gateway/simulate']) {
      const { status, body } = await acme.post(url, { ...aSpend(agentId), metadata })
      expect([status, body.code]).toEqual([400, 'validation_failed'])
      expect(body.errors[0]?.path).toMatch(/^\/metadata/)
    }
    expect(await app.rows('select count(*)::int as n from transactions')).toEqual(before)
  })

  test('for its metadata alone while that is as large as it may be', async () => {
    const { agentId } = await anActiveMandate(acme, { rules: [{ type: 'amount', max: 1 }] })
    const metadata = entries(20, 'ä'.repeat(62), '😀'.repeat(500))
    const { decision, transactionId } = await evaluate(acme, agentId, { metadata })
    expect(decision).toBe('rejected')
    expect((await readTransaction(acme, transactionId)).metadata).toEqual(metadata)
  })

  test.each([
    ['/amount', { amount: 0 }],
    ['/amount', { amount: -1 }],
    ['/amount', { amount: 0.0000001 }],
    ['/amount', { amount: '5' }],
    ['/vendor', { vendor: 'not a host' }],
    ['/vendor', { vendor: '' }],
    ['/category', { category: 'a b' }],
    ['/category', { category: null }],
    ['/currency', { currency: 'usd' }],
    ['/reason', { reason: '' }],
    ['/reference', { reference: '' }],
    ['/hold/expiresIn', { hold: { expiresIn: '9s' } }],
    ['/hold/expiresIn', { hold: { expiresIn: '31d' } }],
    ['/hold/expiresIn', { hold: { expiresIn: '1w' } }],
    ['/hold/expiresIn', { hold: {} }],
    ['/agentId', { agentId: 'agent' }],
    ['/surplus', { surplus: 1 }],
  ])('because %s is wrong in %j', async (path, fields) => {
    const { status, body } = await post(aSpend(NO_AGENT, fields))
    expect([status, body.code]).toEqual([400, 'validation_failed'])
    expect(body.errors.map((error) => error.path)).toContain(path)
  })

  test('because of three mistakes, which are named together', async () => {
    const fields = { vendor: 'no host', category: '!', hold: { expiresIn: '1s' } }
    const { body } = await post(aSpend(NO_AGENT, fields))
    const paths = body.errors.map((error) => error.path)
    expect(paths).toEqual(['/vendor', '/category', '/hold/expiresIn'])
  })

  test.each(['\u0000', '\u001e', '\u001f'])(
    'with the control character %j in a text',
    async (char) => {
      const { status } = await post(aSpend(NO_AGENT, { reference: `a${char}b` }))
      expect(status).toBe(400)
    },
  )
})

function entries(count: number, name: string, value: string): Record<string, string> {
  const numbers = Array.from({ length: count }, (_, index) => `${index}`.padStart(2, '0'))
  return Object.fromEntries(numbers.map((number) => [`${name}${number}`, value]))
}
