import { once } from 'node:events'
import { connect, type Socket } from 'node:net'
import { afterEach, describe, expect, test } from 'vitest'
import type { OutboundResult } from '../../src/outbound/outbound-client.ts'
import { type LeashedProcess, spawnOnLeash } from '../support/leash.ts'
import { waitUntil } from '../support/wait-until.ts'
import { answerFine, aRequest, createStage, textOf } from './stage.ts'

const DRIP_EVERY_MS = 10
const SOON_MS = 250
/** On a busy machine, the steps before the deadline may take longer than the deadline. */
const LATER_MS = [SOON_MS, 10 * SOON_MS, 100 * SOON_MS]
const HEAD = 'HTTP/1.1 200 OK\r\n'

const stage = createStage()
afterEach(() => stage.clear())

/** Sends the text one character at a time, and starts over at the end. */
function drip(socket: Socket, text: string): void {
  let sent = 0
  const timer = setInterval(() => socket.write(text[sent++ % text.length] ?? ''), DRIP_EVERY_MS)
  socket.on('close', () => clearInterval(timer))
}

/** Calls with longer and longer deadlines, until the call reaches the step under test. */
async function callUntil(
  url: string,
  isFarEnough: (result: OutboundResult) => boolean,
): Promise<{ readonly result: OutboundResult; readonly timeoutMs: number }> {
  for (const timeoutMs of LATER_MS) {
    const result = await stage.client().call(aRequest(url, { timeoutMs }))
    if (isFarEnough(result)) return { result, timeoutMs }
  }
  throw new Error(`No call to ${url} got far enough.`)
}

const isConnected = ({ remoteAddress }: OutboundResult): boolean => remoteAddress !== null

describe('the deadline cuts', () => {
  test('a resolver that never answers', async () => {
    const client = stage.client({ resolve: () => new Promise(() => {}) })
    const result = await client.call(aRequest('https://slow.example/', { timeoutMs: SOON_MS }))
    expect(result).toEqual({
      kind: 'failure',
      reason: 'timeout',
      message: `The name was not resolved within ${SOON_MS} ms.`,
      remoteAddress: null,
    })
  })

  test('a resolver that answers too late, and nothing is sent', async () => {
    const receiver = await stage.receiver(answerFine)
    let answer = (_addresses: string[]): void => {}
    let isCancelled = false
    const client = stage.client({
      resolve: (_hostname, signal) => {
        signal.addEventListener('abort', () => {
          isCancelled = true
        })
        return new Promise((resolve) => {
          answer = resolve
        })
      },
    })
    const url = `http://late.example:${receiver.port}/`
    const result = await client.call(aRequest(url, { timeoutMs: SOON_MS }))
    expect(result).toMatchObject({ reason: 'timeout' })
    expect(isCancelled).toBe(true)
    answer(['127.0.0.1'])
    await client.close()
    expect(receiver.received).toEqual([])
  })

  test('a listener that no longer accepts connections', async () => {
    const { port, child } = await startDeafListener()
    stage.afterwards(() => child.kill('SIGKILL'))
    // Its queue is short, and these fill it.
    for (let filler = 0; filler < 8; filler++) {
      const socket = connect(port, '127.0.0.1').on('error', () => {})
      stage.afterwards(() => socket.destroy())
    }
    const url = `http://127.0.0.1:${port}/`
    const { result } = await callUntil(url, isConnected)
    expect(result).toMatchObject({ reason: 'timeout', remoteAddress: '127.0.0.1' })
  })

  test('a TLS handshake that is not answered', async () => {
    const receiver = await stage.receiver(() => {})
    const url = `https://127.0.0.1:${receiver.port}/`
    const { result } = await callUntil(url, isConnected)
    expect(result).toMatchObject({ reason: 'timeout', remoteAddress: '127.0.0.1' })
  })

  test.each<[string, (socket: Socket) => void]>([
    ['a receiver that says nothing', () => {}],
    ['a head that comes drop by drop', (socket) => drip(socket, `${HEAD}x: ${'y'.repeat(9_000)}`)],
    [
      'a status line that arrives byte by byte',
      (socket) => drip(socket, HEAD.trimEnd().padEnd(9_000, 'K')),
    ],
    ['interim answers without an end', (socket) => drip(socket, 'HTTP/1.1 103 Wait\r\n\r\n')],
    ['an interim answer and nothing more', (socket) => socket.write('HTTP/1.1 102 Wait\r\n\r\n')],
  ])('%s', async (_, misbehave) => {
    const receiver = await stage.receiver(misbehave)
    const { result, timeoutMs } = await callUntil(receiver.url, isConnected)
    expect(result).toEqual({
      kind: 'failure',
      reason: 'timeout',
      message: `No answer came within ${timeoutMs} ms.`,
      remoteAddress: '127.0.0.1',
    })
    await waitUntil(() => receiver.open === 0)
  })

  test.each<[string, (socket: Socket) => void]>([
    [
      'a body that arrives byte by byte',
      (socket) => {
        socket.write(`${HEAD}content-length: 100000\r\n\r\n`)
        drip(socket, 'z')
      },
    ],
    [
      'chunks that arrive byte by byte',
      (socket) => {
        socket.write(`${HEAD}transfer-encoding: chunked\r\n\r\n`)
        drip(socket, '1\r\nz\r\n')
      },
    ],
    ['a body that stops', (socket) => socket.write(`${HEAD}content-length: 100000\r\n\r\nzz`)],
    [
      'a chunk extension without an end',
      (socket) => {
        socket.write(`${HEAD}transfer-encoding: chunked\r\n\r\n2\r\nzz\r\n1;`)
        drip(socket, 'z')
      },
    ],
  ])('%s, and keeps the data from before', async (_, misbehave) => {
    const receiver = await stage.receiver(misbehave)
    const { result } = await callUntil(receiver.url, (far) => textOf(far) !== '')
    expect(result).toMatchObject({ kind: 'answer', status: 200, cut: 'timeout' })
    expect(textOf(result)).toMatch(/^z+$/)
    await waitUntil(() => receiver.open === 0)
  })
})

/** A process that listens and never accepts its connections. */
async function startDeafListener(): Promise<{ port: number; child: LeashedProcess }> {
  const program = `
    const address = { port: 0, host: '127.0.0.1', backlog: 1 }
    const server = require('node:net').createServer().listen(address, () => {
      require('node:fs').writeSync(1, String(server.address().port))
      Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0)
    })`
  const child = spawnOnLeash(process.execPath, ['-e', program])
  const [port] = await once(child.stdout, 'data')
  return { port: Number(port), child }
}
