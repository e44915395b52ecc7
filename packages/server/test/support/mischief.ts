import type { ServerResponse } from 'node:http'
import { gzipSync } from 'node:zlib'

/** The possible behaviours of a receiver towards a request, by name. */
export interface Mischief {
  /** Whether a 2xx reaches the sender, whatever happens to the rest of the answer. */
  readonly isAck: boolean
  /** Whether it lasts until the sender gives up, after five seconds. */
  readonly isSlow: boolean
  act(response: ServerResponse): void
}

const HUGE = Buffer.alloc(10 * 1024 * 1024, 'x')
/** A hundred megabytes of zeros, compressed to a hundred kilobytes. */
const BOMB = gzipSync(Buffer.alloc(100 * 1024 * 1024))

const status = (code: number, headers: Record<string, string> = {}): Mischief => ({
  isAck: code >= 200 && code < 300,
  isSlow: false,
  act: (response) => response.writeHead(code, headers).end(`status ${code}`),
})

/** Writes these bytes unchanged and closes the connection normally. */
const raw = (isAck: boolean, bytes: string): Mischief => ({
  isAck,
  isSlow: false,
  act: ({ socket }) => socket?.end(bytes, 'latin1'),
})

const HEAD = 'HTTP/1.1 200 OK\r\ncontent-type: text/plain\r\n'

export const MISCHIEF = {
  ok: status(200),
  'no content': { ...status(204), act: (response) => response.writeHead(204).end() },
  redirect: status(302, { location: '/elsewhere' }),
  'bad request': status(400),
  gone: status(410, { 'retry-after': '1' }),
  busy: status(429, { 'retry-after': '1' }),
  broken: status(500),
  unavailable: status(503, { 'retry-after': 'soon' }),
  'no status at all': raw(false, 'HTTP/1.1 \r\n\r\n'),
  'no HTTP at all': raw(false, 'no such thing\r\n\r\n'),
  'a close without an answer': raw(false, ''),
  reset: { isAck: false, isSlow: false, act: ({ socket }) => socket?.resetAndDestroy() },
  // The status has arrived, and the sender needs nothing else from a receiver.
  'a body that is too short': raw(true, `${HEAD}content-length: 1000\r\n\r\nshort`),
  'a body that is too long': raw(true, `${HEAD}content-length: 5\r\n\r\nlonger than five`),
  'a body of 10 MB': {
    isAck: true,
    isSlow: false,
    act: (response) => {
      response.on('error', () => {})
      response.writeHead(200, { 'content-length': HUGE.length }).end(HUGE)
    },
  },
  'a gzip bomb': {
    isAck: true,
    isSlow: false,
    act: (response) => {
      response.on('error', () => {})
      response.writeHead(200, { 'content-encoding': 'gzip' }).end(BOMB)
    },
  },
  hang: { isAck: false, isSlow: true, act: () => {} },
  'a head drop by drop': {
    isAck: false,
    isSlow: true,
    act: (response) => drip(response, `${HEAD}x-slow: ${'.'.repeat(1_000)}`),
  },
  'a body drop by drop': {
    isAck: true,
    isSlow: true,
    act: (response) =>
      drip(response, `${'.'.repeat(1_000)}`, `${HEAD}content-length: 1000\r\n\r\n`),
  },
} as const satisfies Readonly<Record<string, Mischief>>

export type MischiefName = keyof typeof MISCHIEF

export const mischiefOf = (name: MischiefName): Mischief => MISCHIEF[name]

/** Sends a letter every fifth of a second: no pause is long enough for an idle timeout. */
function drip({ socket }: ServerResponse, text: string, atOnce = ''): void {
  if (!socket) return
  socket.on('error', () => {})
  socket.write(atOnce)
  let sent = 0
  const timer = setInterval(() => socket.write(text[sent++] ?? '.'), 200)
  timer.unref()
  socket.on('close', () => clearInterval(timer))
}
