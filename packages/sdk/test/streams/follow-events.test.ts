import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { setTimeout as wait } from 'node:timers/promises'
import { afterAll, describe, expect, test } from 'vitest'
import { Purser, type PurserError } from '../../src/index.ts'

/** What a gateway does only when something between it and us has gone wrong. */
type Answer = (response: ServerResponse, request: IncomingMessage) => void

/** Longer than a busy machine takes for an answer. */
const SILENCE_MS_MAX = 3_000

const servers: Server[] = []
afterAll(() => {
  for (const server of servers) {
    server.closeAllConnections()
    server.close()
  }
})

/** Gives its first answer to the first connection, and so on. */
async function startStandIn(...answers: Answer[]): Promise<{ url: string; seen: unknown[] }> {
  const seen: unknown[] = []
  const server = createServer((request, response) => {
    seen.push(new URL(request.url ?? '', 'http://x').searchParams.get('cursor'))
    answers[seen.length - 1]?.(response, request)
  })
  servers.push(server)
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const { port } = server.address() as AddressInfo
  return { url: `http://127.0.0.1:${port}`, seen }
}

function streamOf(text: string): Answer {
  return (response) => {
    response.writeHead(200, { 'content-type': 'text/event-stream; charset=utf-8' })
    response.write(text)
  }
}

const event = (id: string): string => `id: ${id}\nevent: transaction.approved\ndata: {}\n\n`

const causeOf = ({ code, status, cause }: PurserError): string =>
  cause instanceof Error && code === 'network_error' ? cause.message : `${code} ${status}`

/** Follows until this many events have come. */
async function follow(url: string, count: number, takeMs = 0, silenceTimeoutMs = SILENCE_MS_MAX) {
  const stop = new AbortController()
  const ids: string[] = []
  const reasons: string[] = []
  const connected: (string | null)[] = []
  const purser = new Purser({ apiKey: 'psr_test_x', baseUrl: url })
  const following = purser.events.stream(
    {
      silenceTimeoutMs,
      onConnected: (after) => connected.push(after),
      onDisconnected: (error) => reasons.push(error === null ? 'end' : causeOf(error)),
    },
    { signal: stop.signal },
  )
  for await (const { id } of following) {
    ids.push(id)
    await wait(takeMs)
    if (ids.length === count) stop.abort()
  }
  return { ids, reasons, connected }
}

// At once, because most of them wait for a silence or for the next try.
describe.concurrent('following events', () => {
  test('takes a connection that is silent for dead, and goes on behind the last event', async () => {
    const { url, seen } = await startStandIn(streamOf(event('evt_1')), streamOf(event('evt_2')))
    const { ids, reasons, connected } = await follow(url, 2)
    expect(ids).toEqual(['evt_1', 'evt_2'])
    expect(seen).toEqual([null, 'evt_1'])
    expect(connected).toEqual(seen)
    expect(reasons).toEqual(['no data for 3 s'])
  })

  test('does not take the time of a slow receiver for silence', async () => {
    const { url } = await startStandIn(streamOf(event('evt_1') + event('evt_2')))
    const { ids, reasons } = await follow(url, 2, SILENCE_MS_MAX + 500)
    expect(ids).toEqual(['evt_1', 'evt_2'])
    expect(reasons).toEqual([])
  })

  test('gives up an answer that never begins', async () => {
    const { url } = await startStandIn(() => {}, streamOf(event('evt_1')))
    const { reasons } = await follow(url, 1)
    expect(reasons).toEqual(['attempt_timeout null'])
  })

  test('goes on from the place that the stream names before the first event', async () => {
    const { url, seen } = await startStandIn(
      streamOf('retry: 2000\nid: evt_7\n\n'),
      streamOf(event('evt_8')),
    )
    await follow(url, 1)
    expect(seen).toEqual([null, 'evt_7'])
  })

  test('tries again when the gateway is overloaded', async () => {
    const { url } = await startStandIn(
      (response) => response.writeHead(503).end(),
      streamOf(event('evt_1')),
    )
    const { reasons } = await follow(url, 1, 0, 60_000)
    expect(reasons).toEqual(['http_503 503'])
  })

  test('does not carry the key to where a redirect points', async () => {
    const { url, seen } = await startStandIn((response) =>
      response.writeHead(307, { location: '/elsewhere' }).end(),
    )
    await expect(follow(url, 1)).rejects.toMatchObject({ code: 'redirect_refused' })
    expect(seen).toHaveLength(1)
  })

  test('reconnects when the gateway ends the stream', async () => {
    const { url } = await startStandIn(
      (response) => {
        streamOf('id: evt_3\n\n')(response, response.req)
        response.end()
      },
      streamOf(event('evt_4')),
    )
    const { reasons, connected } = await follow(url, 1)
    expect(reasons).toEqual(['end'])
    expect(connected).toEqual([null, 'evt_3'])
  })

  test('ends at once when it is told to, in the middle of many events', async () => {
    const many = Array.from({ length: 50 }, (_, index) => event(`evt_${index}`)).join('')
    const { url } = await startStandIn(streamOf(many))
    const { ids } = await follow(url, 2)
    expect(ids).toEqual(['evt_0', 'evt_1'])
  })
})
