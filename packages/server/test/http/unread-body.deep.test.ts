import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest'
import { createTestApp, type Owner, type TestApp } from '../support/app.ts'
import { headOf, openConnection, type RawConnection } from '../support/raw-connection.ts'
import { waitUntil } from '../support/wait-until.ts'

const JSON_TYPE = 'content-type: application/json'
const CHUNKED = 'transfer-encoding: chunked'
const KEPT = /connection: keep-alive/i
const CLOSED = /connection: close/i

let app: TestApp
let acme: Owner
let url: string
const open: RawConnection[] = []

beforeAll(async () => {
  app = await createTestApp()
  acme = await app.organization()
  url = await app.app.listen({ port: 0 })
})
afterAll(() => app.stop())
afterEach(() => {
  for (const connection of open.splice(0)) connection.end()
})

async function connection(): Promise<RawConnection> {
  const opened = await openConnection(url)
  open.push(opened)
  return opened
}

/** Writes as fast as it is read, until it is closed; says how many bytes were written. */
function flood({ socket }: RawConnection, piece: string): { bytes: number } {
  const sent = { bytes: 0 }
  const write = (): void => {
    while (!socket.destroyed) {
      sent.bytes += piece.length
      if (!socket.write(piece)) return
    }
  }
  socket.on('drain', write)
  write()
  return sent
}

const own = () => `authorization: Bearer ${acme.apiKey}`

describe('a body that nobody wants', () => {
  const refused: [string, () => string, string][] = [
    ['without a key', () => headOf('POST', '/api/v1/agents', JSON_TYPE, CHUNKED), '401'],
    [
      'with a mistyped key',
      () =>
        headOf('POST', '/api/v1/gateway/evaluate', 'authorization: Bearer no', JSON_TYPE, CHUNKED),
      '401',
    ],
    ['of no endpoint', () => headOf('POST', '/nowhere', JSON_TYPE, CHUNKED), '404'],
    [
      'of another type',
      () => headOf('POST', '/api/v1/agents', own(), 'content-type: a/b', CHUNKED),
      '415',
    ],
    ['of a GET', () => headOf('GET', '/healthz', CHUNKED), '200'],
    ['of a GET without a key', () => headOf('GET', '/api/v1/agents', CHUNKED), '401'],
  ]

  test.each(refused)(
    '%s is answered at once, read in part, and closed',
    async (_, head, status) => {
      const client = await connection()
      client.write(head())
      await waitUntil(() => client.statuses().length === 1)
      expect(client.statuses()).toEqual([status])
      const sent = flood(client, `10000\r\n${'x'.repeat(65_536)}\r\n`)
      await waitUntil(() => client.received.isOver)
      // What the buffers of both sides hold comes on top of what was read.
      expect(sent.bytes).toBeLessThan(20_000_000)
      expect(client.statuses()).toEqual([status])
    },
  )

  test.each([refused[0], refused[4]].flatMap((one) => (one ? [one] : [])))(
    '%s in chunks of one byte ends soon',
    async (_, head, status) => {
      const client = await connection()
      client.write(head())
      flood(client, '1\r\nx\r\n'.repeat(1_000))
      await waitUntil(() => client.received.isOver)
      expect(client.statuses()).toEqual([status])
    },
  )

  test('does not keep a client that goes on sending from seeing the answer', async () => {
    const client = await connection()
    client.write(headOf('POST', '/api/v1/agents', JSON_TYPE, 'content-length: 200000'))
    for (let part = 0; part < 20; part++) client.write('x'.repeat(10_000))
    await waitUntil(() => client.received.isOver)
    expect(client.statuses()).toEqual(['401'])
    expect(client.received).toMatchObject({ isReset: false, text: expect.stringMatching(CLOSED) })
    expect(client.received.text).toContain('"code":"unauthenticated"')
  })

  test('is not read when the client expects what we do not know', async () => {
    const one = await connection()
    one.write(headOf('POST', '/api/v1/agents', JSON_TYPE, CHUNKED, 'expect: a-wonder'))
    const sent = flood(one, '1\r\na\r\n'.repeat(1_000))
    await waitUntil(() => one.received.isOver)
    expect(one.statuses().filter((status) => status !== '417')).toEqual([])
    expect(sent.bytes).toBeLessThan(16_000_000)
  })

  test('that has arrived leaves its connection open for the next request', async () => {
    const client = await connection()
    const head = headOf('POST', '/api/v1/agents', JSON_TYPE, 'content-length: 2')
    client.write(`${head}{}`)
    await waitUntil(() => client.statuses().length === 1)
    client.write(`${head}{}`)
    await waitUntil(() => client.statuses().length === 2)
    expect(client.statuses()).toEqual(['401', '401'])
    expect(client.received.text).toMatch(KEPT)
    expect(client.received.text).not.toMatch(CLOSED)
  })

  test('that has arrived and is not JSON leaves its connection open, too', async () => {
    const client = await connection()
    client.write(`${headOf('POST', '/api/v1/agents', own(), JSON_TYPE, 'content-length: 2')}{]`)
    await waitUntil(() => client.statuses().length === 1)
    client.write(headOf('GET', '/healthz'))
    await waitUntil(() => client.statuses().length === 2)
    expect(client.statuses()).toEqual(['400', '200'])
  })

  test.each([
    ['that is not JSON', '400', () => [own(), JSON_TYPE], '{]'],
    ['of another type', '415', () => [own(), 'content-type: a/b'], '{}'],
    ['without a key', '401', () => [JSON_TYPE], '{}'],
  ])('%s ends the connection where the client asks for that', async (_, status, headers, body) => {
    const client = await connection()
    const head = [...headers(), `content-length: ${body.length}`, 'connection: close']
    client.write(`${headOf('POST', '/api/v1/agents', ...head)}${body}`)
    await waitUntil(() => client.received.isOver)
    expect(client.statuses()).toEqual([status])
    expect(client.received.text).toMatch(CLOSED)
    expect(client.received.text).not.toMatch(KEPT)
  })

  test('that is announced as too large is not waited for', async () => {
    const client = await connection()
    client.write(headOf('POST', '/api/v1/agents', own(), JSON_TYPE, 'content-length: 262145'))
    await waitUntil(() => client.statuses().length === 1)
    expect(client.statuses()).toEqual(['413'])
    expect(client.received.text).toMatch(CLOSED)
  })
})

describe('a body in small pieces', () => {
  const pay = () => headOf('POST', '/api/v1/gateway/x402/pay', own(), JSON_TYPE, CHUNKED)

  test('is refused once there are more than it needs', async () => {
    const client = await connection()
    client.write(pay())
    flood(client, '1\r\n \r\n'.repeat(100))
    await waitUntil(() => client.statuses().length === 1 || client.received.isOver)
    await waitUntil(() => client.received.isOver)
    expect(client.statuses()).toEqual(['413'])
    expect(client.received.text).toContain('too many small chunks')
  })

  test('is taken if they are of a usual size', async () => {
    const client = await connection()
    client.write(headOf('POST', '/api/v1/agents', own(), JSON_TYPE, CHUNKED))
    const text = JSON.stringify({ name: 'In pieces' }).padEnd(200_000)
    for (let at = 0; at < text.length; at += 400) {
      const piece = text.slice(at, at + 400)
      client.write(`${piece.length.toString(16)}\r\n${piece}\r\n`)
    }
    client.write('0\r\n\r\n')
    await waitUntil(() => client.statuses().length === 1)
    expect(client.statuses()).toEqual(['200'])
  })

  test('is taken byte by byte if it is small', async () => {
    const client = await connection()
    client.write(headOf('POST', '/api/v1/agents', own(), JSON_TYPE, CHUNKED))
    for (const byte of '{"name":"Byte by byte"}') client.write(`1\r\n${byte}\r\n`)
    client.write('0\r\n\r\n')
    await waitUntil(() => client.statuses().length === 1)
    expect(client.statuses()).toEqual(['200'])
  })
})
