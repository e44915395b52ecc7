import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest'
import { toUuid } from '../../../src/core/id.ts'
import { createTestApp, type Owner, type TestApp } from '../../support/app.ts'
import { aKey, anActiveMandate, bodyOf } from '../../support/builders.ts'
import { copyRows } from '../../support/copy-rows.ts'
import { readWork } from '../../support/read-plans.ts'
import { seed } from '../../support/seed.ts'
import { aSpend } from '../../support/spends.ts'

describe('a vendor of one word', () => {
  let app: TestApp
  let acme: Owner
  let agentId: string

  beforeAll(async () => {
    app = await createTestApp()
    acme = await app.organization()
    agentId = (await anActiveMandate(acme)).agentId
    for (const host of ['api.openai.com', 'intranet', 'shop.example.org', 'anthropic.com']) {
      bodyOf(await acme.post('/vendors', { host }))
    }
  })
  afterAll(() => app.stop())

  const ask = (path: string, vendor: string, headers = {}) =>
    acme.post(`/gateway/${path}`, aSpend(agentId, { vendor }), headers)

  describe.each(['evaluate', 'simulate'])('on %s', (path) => {
    test.each([
      ['openai', 'api.openai.com'],
      ['OpenAI', 'api.openai.com'],
      ['https://openai/v1', 'api.openai.com'],
      ['opnai', 'api.openai.com'],
      ['antropic', 'anthropic.com'],
      ['intranett', 'intranet'],
    ])('%s is refused, and the directory has %s', async (vendor, nearest) => {
      const { status, body } = await ask(path, vendor)
      expect([status, body.code]).toEqual([400, 'validation_failed'])
      expect(body.errors).toMatchObject([{ path: '/vendor', code: 'one_label' }])
      expect(body.detail).toContain('must be a whole host name such as api.example.com')
      expect(body.detail).toContain(`(did you mean ${nearest}?)`)
    })

    test('is refused without a guess where nothing is near', async () => {
      const { status, body } = await ask(path, 'zzzzzzzz')
      expect(status).toBe(400)
      expect(body.detail).not.toContain('did you mean')
      const globex = await app.organization('Globex')
      const { agentId: spender } = await anActiveMandate(globex)
      const spend = aSpend(spender, { vendor: 'openai' })
      const foreign = await globex.post(`/gateway/${path}`, spend)
      expect([foreign.status, foreign.body.detail]).toEqual([
        400,
        expect.not.stringContaining('api.openai.com'),
      ])
    })

    test('is refused without a guess for a key that may not read the directory', async () => {
      const { client } = await aKey(app, acme, { agentIds: [agentId] })
      const { status, body, text } = await client.post(
        `/gateway/${path}`,
        aSpend(agentId, { vendor: 'openai' }),
      )
      expect([status, body.errors]).toMatchObject([400, [{ code: 'one_label' }]])
      expect(text).not.toContain('api.openai.com')
      const known = await client.post(
        `/gateway/${path}`,
        aSpend(agentId, { vendor: 'intranet', amount: 1 }),
      )
      expect(bodyOf(known).decision).toBe('approved')
    })

    test.each(['localhost', 'intranet', 'http://localhost:4021/x', '[::1]', '10.0.0.1', 'b.com'])(
      '%s is taken',
      async (vendor) => {
        expect(bodyOf(await ask(path, vendor)).decision).toBe('approved')
      },
    )
  })

  test('leaves no trace where it is refused', async () => {
    const count = async () => bodyOf(await acme.get('/transactions?vendor=openai')).total
    await ask('evaluate', 'openai', { 'idempotency-key': 'refused' })
    expect(await count()).toBe(0)
    const again = await ask('evaluate', 'api.openai.com', { 'idempotency-key': 'refused' })
    expect(bodyOf(again).decision).toBe('approved')
  })

  test('is answered once more where it was taken before', async () => {
    const headers = { 'idempotency-key': 'earlier' }
    const first = await ask('evaluate', 'intranet', headers)
    // As an entry of the directory from before, which is there no more.
    await app.rows(`update vendors set host = 'renamed.com' where host = 'intranet'`)
    try {
      const again = await ask('evaluate', 'intranet', headers)
      expect([again.status, again.text]).toEqual([200, first.text])
      expect(again.headers['idempotent-replayed']).toBe('true')
      expect((await ask('evaluate', 'intranet')).status).toBe(400)
    } finally {
      await app.rows(`update vendors set host = 'intranet' where host = 'renamed.com'`)
    }
    expect(toUuid('txn', first.body.transactionId)).toBeDefined()
  })

  test('is looked up without reading the whole directory', async () => {
    const globex = await app.organization('Many vendors')
    const { agentId: spender } = await anActiveMandate(globex)
    bodyOf(await globex.post('/vendors', { host: 'zebra' }))
    await seed(
      app,
      copyRows(
        'vendors',
        `jsonb_build_object('id', gen_random_uuid(), 'host', 'h' || n)`,
        'generate_series(1, 5000) as n',
        'r.organization_id = $1',
      ),
      [globex.organizationId],
    )
    await app.rows('analyze vendors')
    const spy = vi.spyOn(app.database.db, 'query')
    const askFor = (vendor: string) => globex.post('/gateway/evaluate', aSpend(spender, { vendor }))
    expect(bodyOf(await askFor('zebra')).decision).toBe('approved')
    expect((await askFor('zzz')).status).toBe(400)
    const asked = spy.mock.calls.flatMap(([query]) => query)
    spy.mockRestore()
    const lookUps = asked.filter(({ text }) => text.includes('from vendors'))
    expect(lookUps).toHaveLength(3)
    for (const { wholeTables, plan } of await readWork(app.database.db, lookUps)) {
      expect(wholeTables).toEqual([])
      expect(plan).not.toContain('Sort')
    }
  })

  test('costs the common vendor no statement', async () => {
    const spy = vi.spyOn(app.database.db, 'query')
    const lookUps = () => spy.mock.calls.filter(([{ text }]) => text.includes('from vendors'))
    try {
      await ask('evaluate', 'b.com')
      expect(lookUps()).toEqual([])
      await ask('evaluate', 'openai')
      expect(lookUps()).toHaveLength(2)
    } finally {
      spy.mockRestore()
    }
  })
})
