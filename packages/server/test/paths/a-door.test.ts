import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { withSettings } from '../../src/paths/path.ts'
import { createTestApp, type Owner, type TestApp } from '../support/app.ts'
import { usualEngine } from '../support/database.ts'
import { listOperations, readDocument } from '../support/operations.ts'
import { pathsOn } from '../support/paths.ts'
import { recordLog } from '../support/recorded-log.ts'
import { waitUntil } from '../support/wait-until.ts'
import { SIGNATURE, signatureOf, tillPath } from './till.ts'

const SECRET = 'between the till and us'
const BODY_BYTES_MAX = 262_144

const settings = { callers: new Map(), secret: SECRET }
const { log, lines } = recordLog()
let app: TestApp
let acme: Owner

beforeAll(async () => {
  const paths = [...pathsOn([]), withSettings(tillPath, settings)]
  app = await createTestApp(usualEngine(), { paths }, log)
  acme = await app.organization()
  settings.callers.set('t1', { organizationId: acme.organizationId, kind: 'live' })
})
afterAll(() => app.stop())

type Headers = Readonly<Record<string, string>>

const tell = (payload: string | Buffer, headers: Headers = {}, url = '/ingest/till/t1/events') =>
  app.app.inject({
    method: 'POST',
    url,
    payload,
    headers: { [SIGNATURE]: signatureOf(SECRET, payload), ...headers },
  })

const order = (payload: string, headers: Headers = {}, url = '/till/orders/new') =>
  app.app.inject({
    method: 'POST',
    url,
    payload,
    headers: { authorization: 'Bearer t1', 'content-type': 'application/json', ...headers },
  })

describe('a door for bytes', () => {
  test.each([
    ['application/json', '{ "a" : 1,  "a" : 2 }'],
    ['application/x-www-form-urlencoded', 'a=1&b=%ff'],
    ['text/plain; charset=iso-8859-1', 'no JSON at all'],
  ])('gives its handler what was sent, to the byte, of type %s', async (type, text) => {
    const answer = await tell(text, { 'content-type': type })
    expect([answer.statusCode, answer.json()]).toEqual([
      200,
      {
        organizationId: acme.organizationId,
        kind: 'live',
        text,
        isBytes: true,
        isRepeat: false,
      },
    ])
  })

  test('takes a body without a type, and none at all', async () => {
    expect((await tell(Buffer.from('untyped'))).json()).toMatchObject({ text: 'untyped' })
    const none = await app.app.inject({
      method: 'POST',
      url: '/ingest/till/t1/events',
      headers: { [SIGNATURE]: signatureOf(SECRET, '') },
    })
    expect(none.json()).toMatchObject({ text: '', isBytes: true })
  })

  const unknown: [string, Headers, string][] = [
    ['without a signature', { [SIGNATURE]: '' }, '/ingest/till/t1/events'],
    [
      'signed with another key',
      { [SIGNATURE]: signatureOf('x', 'hello') },
      '/ingest/till/t1/events',
    ],
    [
      'signed for other bytes',
      { [SIGNATURE]: signatureOf(SECRET, 'hello ') },
      '/ingest/till/t1/events',
    ],
    ['for a token that nobody has', {}, '/ingest/till/t2/events'],
  ]
  test.each(unknown)('refuses a request %s in its own words', async (_how, headers, url) => {
    const { statusCode, body, headers: answered } = await tell('hello', headers, url)
    expect([statusCode, body]).toEqual([401, 'till-error: unauthenticated'])
    expect(answered['content-type']).toBe('text/plain; charset=utf-8')
    expect(answered['www-authenticate']).toBeUndefined()
  })

  test('is not opened by an API key', async () => {
    const headers = { [SIGNATURE]: '', authorization: `Bearer ${acme.apiKey}` }
    expect((await tell('hello', headers)).body).toBe('till-error: unauthenticated')
  })

  test('takes bodies as large as any endpoint, and says in its own words what is too large', async () => {
    expect((await tell('x'.repeat(BODY_BYTES_MAX))).statusCode).toBe(200)
    const { statusCode, body } = await tell('x'.repeat(BODY_BYTES_MAX + 1))
    expect([statusCode, body]).toEqual([413, 'till-error: body_too_large'])
  })

  test('says in its own words that something broke, and tells only the log what', async () => {
    const { statusCode, body, headers } = await tell('break')
    expect([statusCode, body]).toEqual([500, 'till-error: internal_error'])
    const line = lines.find(({ requestId }) => requestId === headers['x-request-id'])
    expect(line).toMatchObject({ level: 50, err: { message: 'A secret of the inside.' } })
  })

  test.each([
    ['POST', '/ingest/till/t1/nothing'],
    ['POST', '/ingest/till/t1'],
    ['GET', '/ingest/till/t1/events'],
  ] as const)('says in its own words that there is no %s %s', async (method, url) => {
    const { statusCode, body } = await app.app.inject({ method, url })
    expect([statusCode, body]).toEqual([404, 'till-error: route_not_found'])
  })

  test.each([
    ['a token of 101 characters and no route', `/${'t'.repeat(101)}/nothing`, 404],
    ['a token of 201 characters and no route', `/${'t'.repeat(201)}/nothing`, 400],
    ['a token of 201 characters', `/${'t'.repeat(201)}/events`, 400],
    ['no token', '', 404],
    ['an empty token and a query', '/?a=1', 404],
    ['a token that cannot be decoded', '/%zz/events', 400],
  ])('answers in its own words below its fixed part: %s', async (_what, rest, status) => {
    for (const payload of ['hello', 'x'.repeat(BODY_BYTES_MAX + 1)]) {
      const type = { 'content-type': 'text/plain' }
      const { statusCode, body, headers } = await tell(payload, type, `/ingest/till${rest}`)
      const code = status === 404 ? 'route_not_found' : 'validation_failed'
      expect([statusCode, body]).toEqual([status, `till-error: ${code}`])
      expect(headers['content-type']).toBe('text/plain; charset=utf-8')
      expect(headers['x-request-id']).toMatch(/^req_/)
      expect(headers['cache-control']).toBe('no-store')
    }
  })

  test.each(['/ingest', '/ingest/tills/t1/nothing', '/other?at=/ingest/till/'])(
    'leaves what is not below its fixed part to us: %s',
    async (url) => {
      const answer = await tell('{}', { 'content-type': 'application/json' }, url)
      expect([answer.statusCode, answer.json().code]).toEqual([404, 'route_not_found'])
    },
  )

  test('decides by itself how a repeat is answered, whatever our own header says', async () => {
    const ours = { 'idempotency-key': '' }
    const answers = [await tell('once', ours), await tell('once', ours)]
    expect(answers.map((answer) => answer.json().isRepeat)).toEqual([false, true])
  })
})

describe('a door for JSON', () => {
  test('gives its handler what the body says, checked by its schema', async () => {
    const answer = await order('{"item":"tea","count":2}')
    expect([answer.statusCode, answer.json()]).toEqual([200, { item: 'tea', count: 2 }])
  })

  test('takes fields that it does not know, and a body where it described none', async () => {
    expect((await order('{"item":"tea","count":2,"new":true}')).statusCode).toBe(200)
    const any = await order('{"whatever":[1]}', {}, '/till/orders/any')
    expect(any.json()).toMatchObject({ body: { whatever: [1] }, kind: 'live' })
    expect((await order('', {}, '/till/orders/any')).json()).toMatchObject({ body: null })
  })

  test.each([
    ['malformed', '{"item":', 400, 'malformed_json'],
    ['twice in one object', '{"item":"a","item":"b","count":1}', 400, 'malformed_json'],
    ['against its schema', '{"item":"tea"}', 400, 'validation_failed'],
    ['too large', `{"item":"${'x'.repeat(BODY_BYTES_MAX)}"}`, 413, 'body_too_large'],
  ])('says in its own words what is %s', async (_how, payload, status, code) => {
    const { statusCode, headers, ...answer } = await order(payload)
    expect(statusCode).toBe(status)
    expect(headers['content-type']).toBe('application/json; charset=utf-8')
    expect(answer.json()).toEqual({
      error: code,
      text: expect.any(String),
      at: headers['x-request-id'],
    })
  })

  test('says in its own words that a body is not JSON', async () => {
    const { statusCode, ...answer } = await order('a=1', { 'content-type': 'text/plain' })
    expect([statusCode, answer.json().error]).toEqual([415, 'unsupported_media_type'])
  })

  test('says in its own words that the query cannot be taken', async () => {
    const answer = await order('{}', {}, '/till/orders/any?a=%00')
    expect([answer.statusCode, answer.json().error]).toEqual([400, 'validation_failed'])
  })

  test('asks who it is before it looks at what is said', async () => {
    const stranger = { authorization: 'Bearer nobody' }
    for (const [payload, url] of [
      ['{"item":"tea","count":2}', '/till/orders/new'],
      ['{"item":', '/till/orders/new'],
      ['{}', '/till/orders/any?a=%00'],
    ] as const) {
      const answer = await order(payload, stranger, url)
      expect([answer.statusCode, answer.json().error]).toEqual([403, 'unauthenticated'])
    }
  })

  test('answers an overload with a status and headers of its own', async () => {
    const { statusCode, headers, ...answer } = await order('{"item":"crowd","count":1}')
    expect([statusCode, headers['retry-after'], answer.json()]).toEqual([
      429,
      '7',
      { error: 'busy' },
    ])
  })

  test('says in its own words that finding out who it is broke', async () => {
    const answer = await order('{}', { authorization: 'Bearer break' })
    expect([answer.statusCode, answer.json().error]).toEqual([500, 'internal_error'])
    expect(answer.body).not.toContain('secret')
  })

  test('that has no answer for a problem leaves it to ours', async () => {
    const answer = await order('{"item":"unanswerable","count":1}')
    expect([answer.statusCode, answer.json().code]).toEqual([500, 'internal_error'])
    expect(answer.headers['content-type']).toBe('application/problem+json; charset=utf-8')
  })
})

describe('every door', () => {
  test('answers with a request id of ours and headers that keep answers from being stored', async () => {
    const answers = [
      await tell('headers'),
      await tell('headers', { [SIGNATURE]: '' }),
      await order('{"item":"tea","count":2}'),
      await order('{"item":'),
      await app.app.inject({ url: '/till/orders/nothing' }),
    ]
    for (const { headers } of answers) {
      expect(headers['x-request-id']).toMatch(/^req_/)
      expect(headers['cache-control']).toBe('no-store')
      expect(headers['x-content-type-options']).toBe('nosniff')
    }
  })

  test('knows no rate of ours', async () => {
    await app.rows(`update organizations set plan = 'free'`)
    await waitUntil(async () => 'ratelimit-limit' in (await acme.get('/agents')).headers)
    for (const answer of [await tell('rate'), await order('{"item":"tea","count":2}')]) {
      expect(answer.statusCode).toBe(200)
      expect(answer.headers['ratelimit-limit']).toBeUndefined()
    }
  })

  test('opens nothing under /api/v1, and nothing there is answered in its words', async () => {
    const { status, body } = await app.client('t1').get('/agents')
    expect([status, body.code]).toEqual([401, 'unauthenticated'])
    expect((await acme.get('/nothing')).body.code).toBe('route_not_found')
  })

  test('is in the document where it says so, without our key, and else is not', async () => {
    const document = await readDocument(app.app)
    const others = listOperations(document).filter(({ path }) => !path.startsWith('/api/v1/'))
    expect(others.map(({ method, path }) => `${method} ${path}`)).toEqual([
      'POST /till/orders/new',
      'POST /till/orders/any',
    ])
    expect(others[0]).toMatchObject({ operationId: 'tillOrder', security: [] })
    expect(Object.keys(others[0]?.responses ?? {})).toEqual(['200'])
    expect(others[0]?.parameters).toBeUndefined()
    expect(document.components.schemas).toHaveProperty('TillOrder')
  })
})
