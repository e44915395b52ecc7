import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { createTestApp, type Owner, type TestApp } from '../support/app.ts'
import { anActiveMandate, bodyOf, NO_AGENT } from '../support/builders.ts'
import { aSpend } from '../support/spends.ts'

type Method = 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE' | 'HEAD' | 'OPTIONS'

let app: TestApp
let acme: Owner

beforeAll(async () => {
  app = await createTestApp()
  acme = await app.organization()
})
afterAll(() => app.stop())

const call = (method: Method, url: string, payload?: object) =>
  app.app.inject({
    method,
    url,
    ...(payload === undefined ? {} : { payload }),
    headers: { authorization: `Bearer ${acme.apiKey}` },
  })

describe('a method that an address does not support', () => {
  test.each<[Method, string, string]>([
    ['GET', '/api/v1/gateway/evaluate', 'POST'],
    ['DELETE', '/api/v1/organization', 'GET, PATCH'],
    ['PUT', `/api/v1/agents/${NO_AGENT}`, 'DELETE, GET, PATCH'],
    ['DELETE', '/api/v1/agents/', 'GET, POST'],
    ['HEAD', '/api/v1/agents', 'GET, POST'],
    ['POST', '/healthz', 'GET, HEAD'],
    ['POST', '/openapi.json?x=1', 'GET, HEAD'],
  ])('%s %s is answered with those that it takes', async (method, url, allowed) => {
    const { statusCode, headers, body } = await call(method, url)
    expect([statusCode, headers.allow]).toEqual([405, allowed])
    expect(JSON.parse(body)).toMatchObject({
      code: 'method_not_allowed',
      detail: `${url.split('?')[0]} does not support ${method}. It supports ${allowed}.`,
      allowed: allowed.split(', '),
    })
  })

  test('is told also without a key, and whatever the body is', async () => {
    const { statusCode, headers } = await app.app.inject({
      method: 'PUT',
      url: '/api/v1/agents',
      headers: { 'content-type': 'application/json' },
      payload: '{"name":',
    })
    expect([statusCode, headers.allow]).toEqual([405, 'GET, POST'])
  })

  test.each<[Method, string]>([
    ['POST', '/api/v1/nothing'],
    ['DELETE', '/api/v1/agents//x'],
    ['OPTIONS', '/api/v1/nothing'],
    ['GET', '/'],
  ])('%s %s leads nowhere, whatever the method', async (method, url) => {
    const { statusCode, headers, body } = await call(method, url)
    expect([statusCode, headers.allow]).toEqual([404, undefined])
    expect(JSON.parse(body).code).toBe('route_not_found')
  })
})

test('OPTIONS names the methods of an address', async () => {
  const { statusCode, headers, body } = await call('OPTIONS', '/api/v1/agents')
  expect([statusCode, headers.allow, body]).toEqual([200, 'GET, POST', ''])
})

test.each(['/healthz', '/readyz', '/version', '/openapi.json'])(
  'HEAD %s says what GET would',
  async (url) => {
    const [head, get] = [await call('HEAD', url), await call('GET', url)]
    expect([head.statusCode, head.body]).toEqual([get.statusCode, ''])
    expect(head.headers['content-length']).toBe(String(Buffer.byteLength(get.body)))
  },
)

describe('a slash at the end', () => {
  test('leads to the same endpoint', async () => {
    const created = await call('POST', '/api/v1/agents/', { name: 'Slash' })
    expect(created.statusCode).toBe(200)
    const { id } = created.json<{ id: string }>()
    expect((await call('GET', `/api/v1/agents/${id}/`)).json()).toMatchObject({ name: 'Slash' })
    expect((await call('GET', '/api/v1/agents/?limit=1')).json()).toMatchObject({ limit: 1 })
    expect((await call('GET', '/healthz/')).statusCode).toBe(200)
  })

  test('makes no second spend of a repeated one', async () => {
    const { agentId } = await anActiveMandate(acme)
    const headers = { 'idempotency-key': 'one-spend' }
    const first = bodyOf(await acme.post('/gateway/evaluate', aSpend(agentId), headers))
    const repeated = await app.app.inject({
      method: 'POST',
      url: '/api/v1/gateway/evaluate/',
      payload: aSpend(agentId),
      headers: { authorization: `Bearer ${acme.apiKey}`, ...headers },
    })
    expect(repeated.statusCode).toBe(200)
    expect(repeated.json()).toMatchObject({ transactionId: first.transactionId })
  })
})
