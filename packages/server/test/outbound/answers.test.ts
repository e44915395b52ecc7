import type { Socket } from 'node:net'
import { gzipSync } from 'node:zlib'
import { afterEach, describe, expect, test } from 'vitest'
import type { OutboundClient, OutboundResult } from '../../src/outbound/outbound-client.ts'
import { waitUntil } from '../support/wait-until.ts'
import { okWith, type RawServer } from './raw-server.ts'
import { aRequest, createStage, textOf } from './stage.ts'

const HEAD = 'HTTP/1.1 200 OK\r\n'

const stage = createStage()
afterEach(() => stage.clear())

let client: OutboundClient
let server: RawServer

async function callTo(
  misbehave: (socket: Socket) => void,
  answerBytesMax = 1_000,
): Promise<OutboundResult> {
  server = await stage.receiver(misbehave)
  client = stage.client()
  return client.call(aRequest(server.url, { answerBytesMax }))
}

/** Writes as fast as the peer reads, until it disconnects. */
function flood(socket: Socket, chunk: string): void {
  const write = (): void => {
    while (!socket.destroyed && socket.write(chunk));
  }
  socket.on('drain', write)
  write()
}

describe('the size limit cuts', () => {
  test.each<[string, (socket: Socket) => void]>([
    [
      '10 MB',
      (socket) => {
        socket.write(`${HEAD}content-length: 10000000\r\n\r\n`)
        socket.write('z'.repeat(10_000_000))
      },
    ],
    [
      'a body without an end',
      (socket) => {
        socket.write(`${HEAD}\r\n`)
        flood(socket, 'z'.repeat(65_536))
      },
    ],
    [
      'chunks without an end',
      (socket) => {
        socket.write(`${HEAD}transfer-encoding: chunked\r\n\r\n`)
        flood(socket, `1000\r\n${'z'.repeat(4_096)}\r\n`)
      },
    ],
    ['one byte more', (socket) => socket.write(okWith('z'.repeat(1_001)))],
  ])('%s, and the connection with it', async (_, misbehave) => {
    const result = await callTo(misbehave)
    expect(result).toMatchObject({ kind: 'answer', status: 200, cut: 'size' })
    expect(textOf(result)).toBe('z'.repeat(1_000))
    await waitUntil(() => server.open === 0)
  })

  const inChunks = (count: number, chunk: string): string =>
    `${HEAD}transfer-encoding: chunked\r\n\r\n${`${chunk.length.toString(16)}\r\n${chunk}\r\n`.repeat(count)}0\r\n\r\n`

  test('a body that arrives byte by byte, long before it is too large', async () => {
    const result = await callTo((socket) => socket.write(inChunks(60_000, 'z')), 5_000_000)
    expect(result).toMatchObject({ kind: 'answer', status: 200, cut: 'size' })
    expect(textOf(result).length).toBeLessThan(11_000)
    await waitUntil(() => server.open === 0)
  })

  test('no body that arrives word by word', async () => {
    const result = await callTo((socket) => socket.write(inChunks(9_000, 'word ')), 5_000_000)
    expect(result).toMatchObject({ cut: null })
    expect(textOf(result)).toBe('word '.repeat(9_000))
  })

  test('no body of exactly the limit', async () => {
    const result = await callTo((socket) => socket.write(okWith('z'.repeat(1_000))))
    expect(result).toMatchObject({ cut: null })
    expect(textOf(result)).toBe('z'.repeat(1_000))
  })

  test('every body if the limit is zero', async () => {
    const result = await callTo((socket) => socket.write(okWith('z')), 0)
    expect(result).toMatchObject({ cut: 'size', body: Buffer.alloc(0) })
  })

  test('a gzip bomb by its compressed size, because it is not decompressed', async () => {
    const bomb = gzipSync(Buffer.alloc(50_000_000))
    const head = `${HEAD}content-encoding: gzip\r\ncontent-length: ${bomb.length}\r\n\r\n`
    const result = await callTo((socket) => {
      socket.write(head)
      socket.write(bomb)
    }, bomb.length)
    expect(result).toMatchObject({ cut: null, headers: { 'content-encoding': 'gzip' } })
    expect(result.kind === 'answer' && result.body.equals(bomb)).toBe(true)
  })
})

describe('the received part of a broken body is kept', () => {
  const breakOff = (socket: Socket, head: string, how: () => void): void => {
    socket.write(`${head}\r\nzz`)
    afterTurns(10, how)
  }

  /** The client reads once per turn of the event loop, which it shares with the receiver. */
  const afterTurns = (count: number, then: () => void): void => {
    setImmediate(() => (count === 0 ? then() : afterTurns(count - 1, then)))
  }

  test.each<[string, (socket: Socket) => void]>([
    [
      'by a reset',
      (socket) => breakOff(socket, `${HEAD}content-length: 9\r\n`, () => socket.resetAndDestroy()),
    ],
    [
      'by an end before the announced length',
      (socket) => breakOff(socket, `${HEAD}content-length: 9\r\n`, () => socket.end()),
    ],
    [
      'by an end before the announced length, of a connection that was to be closed',
      (socket) =>
        breakOff(socket, `${HEAD}connection: close\r\ncontent-length: 9\r\n`, () => socket.end()),
    ],
    [
      'by garbage between chunks',
      (socket) =>
        breakOff(socket, `${HEAD}transfer-encoding: chunked\r\n\r\n2`, () =>
          socket.write('\r\nNO CHUNK\r\n'),
        ),
    ],
  ])('%s', async (_, misbehave) => {
    const result = await callTo(misbehave)
    expect(result).toMatchObject({ kind: 'answer', status: 200, cut: 'reset' })
    expect(textOf(result)).toBe('zz')
  })

  test('but a body that ends with its connection is complete', async () => {
    const result = await callTo((socket) => socket.end(`${HEAD}\r\nzz`))
    expect(result).toMatchObject({ cut: null })
    expect(textOf(result)).toBe('zz')
  })
})

describe('no answer is', () => {
  test.each<[string, (socket: Socket) => void]>([
    ['an end without a word', (socket) => socket.end()],
    ['a reset', (socket) => socket.resetAndDestroy()],
    ['an end within the head', (socket) => socket.end(`${HEAD}content-le`)],
  ])('%s: the connection is lost', async (_, misbehave) => {
    const result = await callTo(misbehave)
    expect(result).toMatchObject({ reason: 'connection_lost', remoteAddress: '127.0.0.1' })
  })

  test.each([
    ['another protocol', 'SSH-2.0-OpenSSH_9.6\r\n'],
    ['bytes without meaning', '\x00\x01\x02\xff'.repeat(50)],
    ['HTTP/2', '\x00\x00\x06\x04\x00\x00\x00\x00\x00\x00\x03\x00\x00\x00\x64'],
    ['HTTP/0.9', '<html>hello</html>'],
    ['a status that is no number', 'HTTP/1.1 OK OK\r\n\r\n'],
    ['a head without a colon', `${HEAD}no colon\r\n\r\n`],
    ['a header of 64 KB', `${HEAD}x: ${'y'.repeat(65_536)}\r\n\r\n`],
    ['a thousand headers', `${HEAD}${`x: ${'y'.repeat(30)}\r\n`.repeat(1_000)}\r\n`],
    ['a header name of 64 KB', `${HEAD}${'y'.repeat(65_536)}: x\r\n\r\n`],
    ['two lengths', `${HEAD}content-length: 1\r\ncontent-length: 2\r\n\r\nzz`],
    ['a negative length', `${HEAD}content-length: -1\r\n\r\nzz`],
    ['a length without an end', `${HEAD}content-length: ${'9'.repeat(40)}\r\n\r\nzz`],
    [
      'a length and chunks',
      `${HEAD}content-length: 1\r\ntransfer-encoding: chunked\r\n\r\n0\r\n\r\n`,
    ],
    ['a switch of protocols', 'HTTP/1.1 101 X\r\nupgrade: ws\r\nconnection: upgrade\r\n\r\n'],
    ['a word to continue that nobody asked for', 'HTTP/1.1 100 Continue\r\n\r\n'],
  ])('%s: it is bad', async (_, text) => {
    const result = await callTo((socket) => socket.write(text, 'latin1'))
    expect(result).toMatchObject({ kind: 'failure', reason: 'bad_answer' })
    expect(result.kind === 'failure' && result.message).toMatch(
      /^The answer is not acceptable HTTP( \([A-Z_]+\))?\.$/,
    )
    await waitUntil(() => server.open === 0)
  })
})

describe('interim answers', () => {
  test('are skipped', async () => {
    const interim = 'HTTP/1.1 103 Early Hints\r\nlink: </x>\r\n\r\nHTTP/1.1 102 Processing\r\n\r\n'
    const result = await callTo((socket) => socket.write(interim + okWith('fine')))
    expect(result).toMatchObject({ status: 200, headers: { 'content-length': '4' }, cut: null })
    expect(textOf(result)).toBe('fine')
  })
})

describe('data after an answer', () => {
  test.each([
    ['bytes beyond the announced length', 'surplus'],
    ['a second answer that nobody asked for', okWith('forged')],
  ])('as %s does not count as the next answer', async (_, surplus) => {
    let answers = 0
    const misbehave = (socket: Socket): void => {
      socket.write(okWith(String(++answers)) + surplus)
    }
    expect(textOf(await callTo(misbehave))).toBe('1')
    for (const expected of ['2', '3', '4'])
      expect(textOf(await client.call(aRequest(server.url)))).toBe(expected)
  })
})
