import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { createTestApp, type Owner, type TestApp } from '../../support/app.ts'
import { aKey, anActiveMandate, bodyOf, NO_AGENT } from '../../support/builders.ts'
import { aSpend, evaluate } from '../../support/spends.ts'

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
