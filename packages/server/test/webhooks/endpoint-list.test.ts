import { describe, expect, test } from 'vitest'
import { anActiveMandate } from '../support/builders.ts'
import { evaluate } from '../support/spends.ts'
import { changeEndpoints, endpointsOf, stageEndpoints, twoEndpoints } from './endpoint-stage.ts'

describe('a list of endpoints', () => {
  const stage = stageEndpoints()

  const hook = 'https://hooks.example.com'
  test.each([
    [[{ events: [] }], '/webhookEndpoints/0/url', 'required'],
    [[{ id: `whe_${'0'.repeat(32)}`, url: hook }], '/webhookEndpoints/0/id', 'unknown'],
    [[{ url: hook }, { url: hook }], '/webhookEndpoints/1/url', 'duplicate'],
    [[{ url: 'http://10.0.0.1/hook' }], '/webhookEndpoints/0/url', 'address_refused'],
  ])('are refused if they are %j', async (webhookEndpoints, path, code) => {
    const { acme } = stage()
    const answer = await acme.patch('/organization', { webhookEndpoints })
    expect(answer).toMatchObject({ status: 400, body: { errors: [{ path, code }] } })
    expect(await endpointsOf(acme)).toEqual([])
  })

  test.each([
    ['an unknown id', 0, [{ id: `whe_${'0'.repeat(32)}` }], 'GET /organization lists the ids'],
    ['no id and no URL', 0, [{ events: [] }], 'to keep an existing one, name its id'],
    [
      'the URL of another',
      1,
      [{ url: hook }, { url: hook }],
      'one endpoint with the events of both',
    ],
  ])(
    'with %s have one error for the entry, which says what to do',
    async (_, index, list, words) => {
      const { body } = await stage().acme.patch('/organization', { webhookEndpoints: list })
      const path = expect.stringMatching(new RegExp(`^/webhookEndpoints/${index}/`))
      const message = expect.stringContaining(words)
      expect(body['errors']).toEqual([{ path, code: expect.any(String), message }])
    },
  )

  test('are refused twice, beside webhookUrl, and beyond ten', async () => {
    const { acme } = stage()
    const { other } = await twoEndpoints(stage())
    const twice = [{ id: other.id }, { id: other.id, url: hook }]
    expect(await acme.patch('/organization', { webhookEndpoints: twice })).toMatchObject({
      status: 400,
      body: { errors: [{ path: '/webhookEndpoints/1/id', code: 'duplicate' }] },
    })
    const both = { webhookUrl: hook, webhookEndpoints: [] }
    expect(await acme.patch('/organization', both)).toMatchObject({
      status: 400,
      body: { errors: [{ path: '/webhookUrl', code: 'not_allowed' }] },
    })
    const many = Array.from({ length: 11 }, (_, number) => ({ url: `${hook}/${number}` }))
    expect((await acme.patch('/organization', { webhookEndpoints: many })).status).toBe(400)
    expect(await endpointsOf(acme)).toHaveLength(2)
  })

  test('leave a change record that names receivers, and no path and no secret', async () => {
    const { app, acme, second } = stage()
    await changeEndpoints(acme, [{ url: `${second.url}/token-123?key=secret-456` }])
    const [row] = await app.rows<{ after: object }>(
      `select after from changes where organization_id = $1 order by number desc limit 1`,
      [acme.organizationId],
    )
    const text = JSON.stringify(row)
    expect(text).toContain('webhookEndpoints')
    for (const secret of ['token-123', 'secret-456', 'whsec_']) expect(text).not.toContain(secret)
    const stored = await app.rows('select url from webhook_endpoints where organization_id = $1', [
      acme.organizationId,
    ])
    expect(JSON.stringify(stored)).not.toContain('token-123')
  })

  test('that are removed all leave nothing that decisions queue', async () => {
    const { app, acme } = stage()
    await twoEndpoints(stage())
    await changeEndpoints(acme, [])
    const { agentId } = await anActiveMandate(acme)
    await evaluate(acme, agentId)
    const queued = 'select 1 from webhook_queue where organization_id = $1'
    expect(await app.rows(queued, [acme.organizationId])).toEqual([])
  })
})
