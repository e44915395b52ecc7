import { afterEach, describe, expect, test } from 'vitest'
import { okWith } from './raw-server.ts'
import { answerFine, aRequest, createStage } from './stage.ts'

const stage = createStage()
afterEach(() => stage.clear())

describe('a call', () => {
  test('sends the request and returns the response', async () => {
    const server = await stage.receiver((socket, text) => {
      if (text.endsWith('{"a":1}')) socket.write(okWith('fine'))
    })
    const result = await stage.client().call({
      ...aRequest(`${server.url}hooks/1?x=%20y`),
      method: 'POST',
      headers: { 'Content-Type': 'application/json', 'x-signature': 'abc' },
      body: Buffer.from('{"a":1}'),
    })
    expect(result).toEqual({
      kind: 'answer',
      status: 200,
      headers: { 'content-length': '4' },
      body: Buffer.from('fine'),
      cut: null,
      remoteAddress: '127.0.0.1',
    })
    const [line, ...rest] = server.received[0]?.split('\r\n') ?? []
    expect(line).toBe('POST /hooks/1?x=%20y HTTP/1.1')
    expect(rest.slice(0, -2).toSorted()).toEqual([
      'accept-encoding: identity',
      'connection: keep-alive',
      'content-length: 7',
      'content-type: application/json',
      `host: 127.0.0.1:${server.port}`,
      'x-signature: abc',
    ])
  })

  test('accepts compression only if the caller does', async () => {
    const server = await stage.receiver(answerFine)
    await stage.client().call(aRequest(server.url, { headers: { 'Accept-Encoding': 'gzip' } }))
    expect(server.received[0]).toContain('accept-encoding: gzip\r\n')
    expect(server.received[0]).not.toContain('identity')
  })

  test('sends the host of its URL, regardless of the headers', async () => {
    const server = await stage.receiver(answerFine)
    const client = stage.client({ resolve: async () => ['127.0.0.1'] })
    const url = `http://hooks.example.:${server.port}/`
    await client.call(aRequest(url, { headers: { Host: 'other.example' } }))
    expect(server.received[0]).toContain(`host: hooks.example:${server.port}\r\n`)
    expect(server.received[0]).not.toContain('other.example')
  })

  test.each(['GET', 'POST', 'PUT', 'PATCH', 'DELETE', 'HEAD'] as const)(
    'can be a %s',
    async (method) => {
      const server = await stage.receiver((socket) => socket.write('HTTP/1.1 204 Done\r\n\r\n'))
      const result = await stage.client().call(aRequest(server.url, { method }))
      expect(result).toMatchObject({ kind: 'answer', status: 204, cut: null })
      expect(server.received[0]).toMatch(new RegExp(`^${method} / HTTP/1.1`))
    },
  )

  test.each([400, 404, 410, 429, 500, 503])('takes status %i for an answer', async (status) => {
    const server = await stage.receiver((socket) =>
      socket.write(`HTTP/1.1 ${status} X\r\nretry-after: 7\r\ncontent-length: 0\r\n\r\n`),
    )
    const result = await stage.client().call(aRequest(server.url))
    expect(result).toMatchObject({ kind: 'answer', status, headers: { 'retry-after': '7' } })
  })

  test('returns headers with hostile names as plain fields, and joins repeated ones', async () => {
    const server = await stage.receiver((socket) =>
      socket.write(
        'HTTP/1.1 200 OK\r\n__proto__: a\r\nconstructor: b\r\nSet-Cookie: c\r\nset-cookie: d\r\ncontent-length: 0\r\n\r\n',
      ),
    )
    const result = await stage.client().call(aRequest(server.url))
    expect(result.kind === 'answer' && Object.entries(result.headers)).toEqual([
      ['__proto__', 'a'],
      ['constructor', 'b'],
      ['set-cookie', 'c, d'],
      ['content-length', '0'],
    ])
  })

  test.each([
    { 'x-bad': 'a\r\nb: c' },
    { 'bad name': 'a' },
    { 'transfer-encoding': 'chunked' },
    { 'content-length': '99' },
  ])('with the headers %j is a defect of the caller', async (headers) => {
    const server = await stage.receiver(answerFine)
    const request = aRequest(server.url, { method: 'POST', body: 'x', headers })
    await expect(stage.client().call(request)).rejects.toThrow()
    expect(server.received.join('')).toBe('')
  })
})

describe('a redirect', () => {
  test.each([300, 301, 302, 303, 305, 307, 308])('with status %i is an answer', async (status) => {
    const elsewhere = await stage.receiver(answerFine)
    const server = await stage.receiver((socket) =>
      socket.write(
        `HTTP/1.1 ${status} X\r\nlocation: ${elsewhere.url}\r\nrefresh: 0; url=${elsewhere.url}\r\ncontent-length: 0\r\n\r\n`,
      ),
    )
    const result = await stage.client().call(aRequest(server.url))
    expect(result).toMatchObject({ kind: 'answer', status, headers: { location: elsewhere.url } })
    expect(elsewhere.received).toEqual([])
    expect(server.received).toHaveLength(1)
  })
})

describe('a name', () => {
  test('is resolved once per call, and a later change has no effect', async () => {
    const allowed = await stage.receiver(answerFine)
    const inside = await stage.receiver(answerFine, { host: '127.0.0.2', port: allowed.port })
    const answers = [['127.0.0.1'], ['127.0.0.2'], ['127.0.0.1', '127.0.0.2'], ['127.0.0.1']]
    const policy = { allowLoopback: false, allowedNetworks: ['127.0.0.1/32'] }
    const client = stage.client({ policy, resolve: async () => answers.shift() ?? [] })
    const request = aRequest(`http://rebinding.example:${allowed.port}/`)

    expect(await client.call(request)).toMatchObject({ status: 200, remoteAddress: '127.0.0.1' })
    expect(answers).toHaveLength(3)
    // There is now an idle connection to the good address, and it is not used.
    expect(await client.call(request)).toMatchObject({ reason: 'address_refused' })
    expect(await client.call(request)).toMatchObject({ reason: 'address_refused' })
    expect(answers).toHaveLength(1)
    expect(await client.call(request)).toMatchObject({ status: 200, remoteAddress: '127.0.0.1' })
    expect(inside.received).toEqual([])
  })

  test('is never looked up again by the connection', async () => {
    const server = await stage.receiver(answerFine)
    const client = stage.client({ resolve: async () => ['::ffff:127.0.0.1'] })
    // No name server knows this name.
    const result = await client.call(aRequest(`http://does-not-exist.invalid:${server.port}/`))
    expect(result).toMatchObject({ status: 200, remoteAddress: '127.0.0.1' })
  })

  test('that does not exist is reported as such', async () => {
    const error = Object.assign(new Error('queryA ENOTFOUND'), { code: 'ENOTFOUND' })
    const client = stage.client({ resolve: () => Promise.reject(error) })
    expect(await client.call(aRequest('https://unknown.example/'))).toEqual({
      kind: 'failure',
      reason: 'dns_failed',
      message: 'The name unknown.example was not resolved (ENOTFOUND).',
      remoteAddress: null,
    })
  })

  test('without addresses is reported as not resolved', async () => {
    const client = stage.client({ resolve: async () => [] })
    const result = await client.call(aRequest('https://empty.example/'))
    expect(result).toMatchObject({ reason: 'dns_failed', remoteAddress: null })
  })

  test.each(['localhost', 'app.localhost', 'localhost.'])(
    '%s is this machine, without a look-up',
    async (name) => {
      const server = await stage.receiver(answerFine)
      const client = stage.client({
        resolve: () => Promise.reject(new Error('It was looked up.')),
      })
      const result = await client.call(aRequest(`http://${name}:${server.port}/`))
      expect(result).toMatchObject({ status: 200, remoteAddress: '127.0.0.1' })
    },
  )
})
