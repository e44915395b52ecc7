import { Readable } from 'node:stream'
import { pino } from 'pino'
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest'
import { type App, createApp } from '../../src/http/app.ts'
import { headOf, openConnection, type RawConnection } from '../support/raw-connection.ts'
import { withTimeEnough } from '../support/time-enough.ts'
import { waitUntil } from '../support/wait-until.ts'

const PATIENCE = { headMs: 500, requestMs: 800, stalledMs: 1_000, checkMs: 50 }

/** More than the buffers of both machines hold. */
const LARGE_BYTES = 30_000_000

let streams = 0
/** How often a stream was asked for more, because some of what it had said was taken. */
let pieces = 0

/** Has something to say whenever it is asked. */
function endless(): Readable {
  streams += 1
  const stream = new Readable({
    read() {
      pieces += 1
      stream.push('x'.repeat(65_536))
    },
  })
  return stream.once('close', () => {
    streams -= 1
  })
}

let app: App
let url: string
let client: RawConnection

beforeAll(async () => {
  app = createApp(pino({ level: 'silent' }), PATIENCE)
  app.post('/', async () => ({ status: 'taken' }))
  app.get('/large', async () => 'x'.repeat(LARGE_BYTES))
  app.get('/stream', async (_request, reply) => reply.send(endless()))
  app.get('/slow', async () => {
    await new Promise((resolve) => setTimeout(resolve, PATIENCE.stalledMs * 1.5))
    return 'late'
  })
  url = await app.listen({ port: 0 })
})
afterAll(() => app.close())
afterEach(() => client.end())

describe('a request ends with 408 and its connection', () => {
  test.each([
    ['if its head does not come', 'POST / HTTP/1.1\r\nhost: x\r\n'],
    [
      'if its body does not come',
      headOf('POST', '/', 'content-type: application/json', 'content-length: 9'),
    ],
    [
      'if its body does not end',
      `${headOf('POST', '/', 'content-type: application/json', 'transfer-encoding: chunked')}1\r\n{\r\n`,
    ],
  ])('%s', async (_, text) => {
    client = await openConnection(url)
    client.write(text)
    await waitUntil(() => client.received.isOver)
    expect(client.statuses()).toEqual(['408'])
  })
})

describe('a connection of which nothing is taken is closed', () => {
  const openCount = () =>
    new Promise<number>((resolve) => app.server.getConnections((_error, count) => resolve(count)))

  async function neverRead(path: string): Promise<void> {
    client = await openConnection(url)
    client.socket.pause()
    client.write(headOf('GET', path))
  }

  test('while a large answer waits', async () => {
    await neverRead('/large')
    await waitUntil(async () => (await openCount()) === 0)
  })

  test('while a stream waits, which ends with it', async () => {
    await neverRead('/stream')
    await waitUntil(() => streams === 1)
    await waitUntil(async () => (await openCount()) === 0)
    await waitUntil(() => streams === 0)
  })

  test('not while the answer is being made, nor after it', async () => {
    client = await openConnection(url)
    client.write(headOf('GET', '/slow'))
    await waitUntil(() => client.received.text.includes('late'))
    client.write(headOf('GET', '/slow'))
    await waitUntil(() => client.statuses().length === 2)
    expect(client.statuses()).toEqual(['200', '200'])
  })

  test('not while it is taken slowly, but steadily', async () => {
    const isOpen = await withTimeEnough(async (stalledMs) => {
      const patient = createApp(pino({ level: 'silent' }), { ...PATIENCE, stalledMs })
      patient.get('/stream', async (_request, reply) => reply.send(endless()))
      client = await openConnection(await patient.listen({ port: 0 }))
      client.write(headOf('GET', '/stream'))
      const longestMs = await takeSlowly(client, stalledMs)
      const isOpen = !client.received.isOver
      client.end()
      await patient.close()
      // A machine that was too busy for the client to be steady has shown nothing.
      return isOpen || longestMs < stalledMs / 2 ? isOpen : undefined
    })
    expect(isOpen).toBe(true)
  })

  /**
   * Takes a little now and then, for several times as long as nothing may be taken, or until the end.
   * Gives back the longest time in which the server got rid of nothing.
   */
  async function takeSlowly({ socket, received }: RawConnection, stalledMs: number) {
    socket.removeAllListeners('data').on('data', () => undefined)
    await waitUntil(() => streams === 1)
    let longestMs = 0
    let lastAt = performance.now()
    const endsAt = lastAt + stalledMs * 4
    while (performance.now() < endsAt && !received.isOver) {
      socket.pause()
      await new Promise((resolve) => setTimeout(resolve, stalledMs / 5))
      const before = pieces
      socket.resume()
      await waitUntil(() => pieces > before || received.isOver)
      longestMs = Math.max(longestMs, performance.now() - lastAt)
      lastAt = performance.now()
    }
    return longestMs
  }
})
