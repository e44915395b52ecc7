import { networkInterfaces } from 'node:os'
import { afterEach, describe, expect, test, vi } from 'vitest'
import type { Resolve } from '../../src/outbound/resolver.ts'
import { waitUntil } from '../support/wait-until.ts'
import { okWith } from './raw-server.ts'
import { answerFine, aRequest, createStage } from './stage.ts'

const interfaces = Object.values(networkInterfaces()).flat()
const hasIpv6 = interfaces.some((entry) => entry?.address === '::1')

const stage = createStage()
afterEach(() => stage.clear())

describe('of several addresses', () => {
  const two: Resolve = async () => ['127.0.0.2', '127.0.0.1']

  test('the second is called when the first does not accept connections', async () => {
    const server = await stage.receiver(answerFine)
    const client = stage.client({ resolve: two })
    const result = await client.call(aRequest(`http://two.example:${server.port}/`))
    expect(result).toMatchObject({ status: 200, remoteAddress: '127.0.0.1' })
  })

  test('the second is called when the first does not answer for a while', async () => {
    const second = await stage.receiver((socket) => socket.destroy())
    await stage.receiver(() => {}, { host: '127.0.0.2', port: second.port })
    const client = stage.client({ resolve: two })
    const result = await client.call(aRequest(`https://two.example:${second.port}/`))
    expect(result).toMatchObject({ reason: 'tls_failed', remoteAddress: '127.0.0.1' })
  })

  test('the second is not called when the first accepted the request and did not answer', async () => {
    const second = await stage.receiver(answerFine)
    const { port } = second
    const first = await stage.receiver((socket) => socket.destroy(), { host: '127.0.0.2', port })
    const client = stage.client({ resolve: two })
    const result = await client.call(aRequest(`http://two.example:${port}/`))
    expect(result).toMatchObject({ reason: 'connection_lost', remoteAddress: '127.0.0.2' })
    expect(first.received).toHaveLength(1)
    expect(second.received).toEqual([])
  })

  test('none is called twice, and the last failure is reported', async () => {
    const server = await stage.receiver(answerFine)
    await server.close()
    const client = stage.client({
      resolve: async () => ['127.0.0.2', '127.0.0.3', '127.0.0.4', '127.0.0.5'],
    })
    expect(await client.call(aRequest(`http://many.example:${server.port}/`))).toEqual({
      kind: 'failure',
      reason: 'connect_failed',
      message: 'Could not connect (ECONNREFUSED).',
      remoteAddress: '127.0.0.4',
    })
  })
})

describe.runIf(hasIpv6)('over IPv6', () => {
  test.each(['[::1]', 'localhost', '[0:0::1]'])('%s can be called', async (host) => {
    const server = await stage.receiver(answerFine, { host: '::1' })
    const result = await stage.client().call(aRequest(`http://${host}:${server.port}/`))
    expect(result).toMatchObject({ status: 200, remoteAddress: '::1' })
    expect(server.received[0]).toContain(`host: ${host.replace('0:0', '')}:${server.port}\r\n`)
  })
})

describe('a connection', () => {
  test('is reused for the same name and address', async () => {
    const server = await stage.receiver(answerFine)
    const client = stage.client()
    for (let call = 0; call < 5; call++) await client.call(aRequest(server.url))
    expect(server.received).toHaveLength(1)
    expect(server.received[0]?.match(/^GET /gm)).toHaveLength(5)
  })

  test('is not shared between two names of one address', async () => {
    const server = await stage.receiver(answerFine)
    const client = stage.client({ resolve: async () => ['127.0.0.1'] })
    for (const name of ['a', 'b', 'a', 'b']) {
      await client.call(aRequest(`http://${name}.example:${server.port}/`))
    }
    const namesOf = (text: string) => text.match(/(?<=host: )./g) ?? []
    expect(server.received.flatMap(namesOf).toSorted()).toEqual(['a', 'a', 'b', 'b'])
    expect(server.received.every((text) => new Set(namesOf(text)).size === 1)).toBe(true)
  })

  test('to the previous address of a name is no longer used', async () => {
    const before = await stage.receiver(answerFine)
    const after = await stage.receiver(answerFine, { host: '127.0.0.2', port: before.port })
    let address = '127.0.0.1'
    const client = stage.client({ resolve: async () => [address] })
    const request = aRequest(`http://moving.example:${before.port}/`)
    expect(await client.call(request)).toMatchObject({ status: 200, remoteAddress: '127.0.0.1' })
    address = '127.0.0.2'
    expect(await client.call(request)).toMatchObject({ status: 200, remoteAddress: '127.0.0.2' })
    expect([before.received, after.received]).toEqual([[expect.any(String)], [expect.any(String)]])
  })

  test('that was closed is not replaced before it is needed', async () => {
    const server = await stage.receiver((socket) => socket.write(okWith('too long')))
    const client = stage.client()
    for (let call = 0; call < 3; call++) {
      const result = await client.call(aRequest(server.url, { answerBytesMax: 3 }))
      expect(result).toMatchObject({ cut: 'size' })
      await waitUntil(() => server.open === 0)
    }
    expect(server.received).toHaveLength(3)
  })

  test('that the receiver closed while idle is replaced', async () => {
    const server = await stage.receiver((socket) => socket.end(okWith('fine')))
    const client = stage.client()
    for (let call = 0; call < 3; call++) {
      expect(await client.call(aRequest(server.url))).toMatchObject({ status: 200 })
      await waitUntil(() => server.open === 0)
    }
    expect(server.received).toHaveLength(3)
  })

  test('carries one call at a time, so there are as many connections as calls', async () => {
    const waiting: (() => void)[] = []
    const server = await stage.receiver((socket) => {
      waiting.push(() => socket.write(okWith('fine')))
      if (waiting.length === 50) for (const answer of waiting) answer()
    })
    const client = stage.client()
    const results = await Promise.all(
      Array.from({ length: 50 }, () => client.call(aRequest(server.url))),
    )
    expect(results.every((result) => result.kind === 'answer')).toBe(true)
    expect(server.received).toHaveLength(50)
  })

  test('never goes through a proxy of the environment', async () => {
    const proxy = await stage.receiver(answerFine)
    const names = 'HTTP_PROXY HTTPS_PROXY ALL_PROXY http_proxy https_proxy all_proxy'.split(' ')
    for (const name of names) vi.stubEnv(name, proxy.url)
    vi.stubEnv('NODE_USE_ENV_PROXY', '1')
    stage.afterwards(() => vi.unstubAllEnvs())

    const server = await stage.receiver(answerFine)
    const client = stage.client({ resolve: async () => ['127.0.0.1'] })
    const result = await client.call(aRequest(`http://hooks.example:${server.port}/`))
    expect(result).toMatchObject({ status: 200 })
    await client.call(aRequest(`https://hooks.example:${server.port}/`))
    expect(server.received).toHaveLength(2)
    expect(proxy.received).toEqual([])
  })
})

describe('closing', () => {
  test('ends idle connections', async () => {
    const hint = okWith('fine').replace('OK\r\n', 'OK\r\nkeep-alive: timeout=600\r\n')
    const [older, server] = [
      await stage.receiver((socket) => socket.write(hint)),
      await stage.receiver((socket) => socket.write(hint)),
    ]
    await stage.client().call(aRequest(older.url))
    const client = stage.client()
    await client.call(aRequest(server.url))
    expect(server.open).toBe(1)
    await client.close()
    await waitUntil(() => server.open === 0)
    // They also time out, and then the older one would have ended first.
    expect(older.open).toBe(1)
  })

  test('waits for calls in progress', async () => {
    let answer = (): unknown => undefined
    const server = await stage.receiver((socket) => {
      answer = () => socket.write(okWith('fine'))
    })
    const client = stage.client()
    const call = client.call(aRequest(server.url))
    await waitUntil(() => server.received[0] !== undefined && server.received[0] !== '')
    const closed = client.close()
    answer()
    expect(await call).toMatchObject({ status: 200, cut: null })
    await closed
    await waitUntil(() => server.open === 0)
  })

  test('allows no further call, and can be repeated', async () => {
    const server = await stage.receiver(answerFine)
    const client = stage.client()
    await client.close()
    await client.close()
    await expect(client.call(aRequest(server.url))).rejects.toThrow('closed')
    expect(server.received).toEqual([])
  })
})
