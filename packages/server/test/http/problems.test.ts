import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { type Client, createTestApp, type TestApp } from '../support/app.ts'

let app: TestApp
let acme: Client

beforeAll(async () => {
  app = await createTestApp()
  acme = await app.organization()
})
afterAll(() => app.stop())

const bearer = () => ({ authorization: `Bearer ${acme.apiKey}` })

describe('a problem', () => {
  test('is an RFC 9457 document with a code, the request id and the fields', async () => {
    const { status, headers, body } = await acme.post('/agents', { name: 7, 'a/b~c': 1 })
    expect(status).toBe(400)
    expect(headers['content-type']).toBe('application/problem+json; charset=utf-8')
    expect(body).toEqual({
      type: 'urn:purser:problem:validation_failed',
      title: 'The request is not valid',
      status: 400,
      detail: expect.stringMatching(/^In the body, .+\.$/),
      instance: '/api/v1/agents',
      code: 'validation_failed',
      requestId: headers['x-request-id'],
      errors: [
        { path: '/a~1b~0c', code: 'unknown_field', message: 'is not a field of this request' },
        { path: '/name', code: 'type', message: 'must be a string' },
      ],
    })
  })

  test('says bounds and forms in words', async () => {
    const agentIds: string[] = []
    const instrument = { id: 'a', label: 'A', issuer: 'stripe', paymentMethod: 'pm_1' }
    const instruments = [{ ...instrument, credential: 'Bearer sk_test_1', agentIds }]
    const acp = { version: '2026-04-17', credential: 'a-credential', merchantIds: ['a'] }
    const shop = { ...acp, apiBaseUrl: 'https://a.example', webhookSecret: 'short' }
    const answers = await Promise.all([
      acme.get('/gateway/mandate-token?ttl=29'),
      acme.get('/gateway/mandate-token?ttl=901'),
      acme.patch('/organization', { acp: { instruments } }),
      acme.post('/vendors', { host: 'a.example', acp: shop }),
      acme.post('/gateway/mandate-token/revoke', {}),
    ])
    const sentences = answers.flatMap(({ body: { errors } }) =>
      errors.map(({ path, message }: { path: string; message: string }) => `${path} ${message}`),
    )
    expect(sentences).toEqual([
      '/ttl must be at least 30',
      '/ttl must be at most 900',
      '/acp/instruments/0/credential must have 8 to 1024 characters, and no spaces or characters beyond ASCII',
      '/acp/instruments/0/agentIds must not be empty',
      '/acp/webhookSecret must have at least 16 characters',
      ' must contain exactly one of jti, mandateId and agentId',
    ])
    expect(answers.at(-1)?.body.detail).toContain('The body must contain exactly one of')
  })

  test('leaves the query out of its instance', async () => {
    expect((await acme.get('/agents?limit=0')).body.instance).toBe('/api/v1/agents')
  })

  test('keeps the HTTP status as a number also where a mandate stands in the way', async () => {
    const agent = (await acme.post('/agents', { name: 'x' })).body
    const draft = (await acme.post('/mandates', { agentId: agent.id, budgetTotal: 1 })).body
    const { body } = await acme.post(`/mandates/${draft.id}/revoke`)
    expect(body).toMatchObject({ status: 409, mandateStatus: 'draft' })
  })

  test('says so when there is no such endpoint', async () => {
    const calls = [
      acme.get('/nothing'),
      app.app.inject({ url: '/' }).then((response) => ({
        status: response.statusCode,
        body: response.json<{ code: string }>(),
      })),
    ]
    for (const { status, body } of await Promise.all(calls)) {
      expect([status, body.code]).toEqual([404, 'route_not_found'])
    }
  })

  test.each([
    '/api/v1/%61gents',
    '/%61pi/v1/agents',
    '/api%2fv1/agents',
    '/api/v1/agents/..%2f..',
    '/api/v1/agents/..%2F..%2Fmandates',
    '/%68ealthz',
    '/openapi%2ejson',
  ])('an address that only means a route once it is decoded is none: %s', async (url) => {
    const { statusCode, body } = await app.app.inject({ url, headers: bearer() })
    expect([statusCode, JSON.parse(body).code]).toEqual([404, 'route_not_found'])
  })

  test('a query may be encoded', async () => {
    const url = '/api/v1/agents?externalId=crew%2F7'
    expect((await app.app.inject({ url, headers: bearer() })).statusCode).toBe(200)
  })

  test.each(['/api/v1/agents/%zz', '/api/v1/agents/%ff', '/%'])(
    'is answered also for the address %s, which cannot be decoded',
    async (url) => {
      const response = await app.app.inject({
        url,
        headers: { authorization: `Bearer ${acme.apiKey}` },
      })
      expect(response.headers['content-type']).toBe('application/problem+json; charset=utf-8')
      expect(response.statusCode).toBeGreaterThanOrEqual(400)
      expect(response.statusCode).toBeLessThan(500)
      expect(response.json()).toHaveProperty('code')
    },
  )

  test('of a missing key says how to authenticate', async () => {
    const { status, headers, body } = await app.client('').get('/agents')
    expect([status, body.code]).toEqual([401, 'unauthenticated'])
    expect(headers['www-authenticate']).toBe('Bearer')
  })

  test('of a defect tells nothing about the inside', async () => {
    await app.rows('alter table agents rename to agents_elsewhere')
    const { status, body, text } = await acme.get('/agents')
    await app.rows('alter table agents_elsewhere rename to agents')
    expect([status, body.code]).toEqual([500, 'internal_error'])
    expect(text).not.toMatch(/relation|select|at .*\.ts|agents_elsewhere/)
    expect(body.errors).toEqual([])
  })
})

describe('every answer', () => {
  test('carries a request id of its own and is not to be stored or sniffed', async () => {
    const answers = [await acme.get('/agents'), await acme.get('/nothing')]
    const ids = answers.map(({ headers }) => headers['x-request-id'])
    expect(new Set(ids).size).toBe(2)
    for (const { headers } of answers) {
      expect(headers['x-request-id']).toMatch(/^req_[\w-]{12,}$/)
      expect(headers['cache-control']).toBe('no-store')
      expect(headers['x-content-type-options']).toBe('nosniff')
    }
  })

  test('does not take its request id from the caller', async () => {
    const { headers } = await acme.get('/agents', { 'x-request-id': 'mine', 'request-id': 'mine' })
    expect(headers['x-request-id']).not.toBe('mine')
  })
})
