import type { IncomingHttpHeaders, IncomingMessage, ServerResponse } from 'node:http'
import { setTimeout as sleep } from 'node:timers/promises'
import { gzipSync } from 'node:zlib'
import { readBody, startLoopbackServer } from './loopback-server.ts'
import { paymentRequired, type Terms } from './payment-required.ts'

export interface HostileRequest {
  readonly method: string
  /** The path without the query. */
  readonly path: string
  readonly headers: IncomingHttpHeaders
  readonly body: string
  /** The value of PAYMENT-SIGNATURE or X-PAYMENT, or an empty string. */
  readonly payment: string
}

export interface HostileAnswer {
  readonly status?: number
  readonly headers?: Readonly<Record<string, string | readonly string[]>>
  readonly body?: string | Buffer
  /** How long it waits before the first byte. */
  readonly delayMs?: number
  /**
   * `hang` sends nothing, `drip` sends the body one letter at a time without end, `cut` sends half
   * of the body.
   */
  readonly fault?: 'hang' | 'reset' | 'drip' | 'cut'
}

type Answering = HostileAnswer | ((request: HostileRequest) => HostileAnswer)

export interface HostileBehaviour {
  /** The answer to a request without a payment. */
  readonly unpaid?: Answering
  /**
   * The answer to a request with a payment, which is kept in `requests`; this vendor never settles
   * it.
   */
  readonly paid?: Answering
}

/** A vendor that does anything a test wants. It never checks a payment. */
export interface HostileVendor {
  readonly url: string
  /** Sets the behaviour of the path from now on, and returns its URL. */
  behave(path: string, behaviour: HostileBehaviour): string
  readonly requests: readonly HostileRequest[]
  /** The payments that arrived, as header values. */
  readonly payments: readonly string[]
  stop(): Promise<void>
}

const DRIP_EVERY_MS = 50

export async function startHostileVendor(): Promise<HostileVendor> {
  const behaviours = new Map<string, HostileBehaviour>()
  const requests: HostileRequest[] = []

  async function answer(incoming: IncomingMessage, response: ServerResponse): Promise<void> {
    const request = toRequest(incoming, await readBody(incoming))
    requests.push(request)
    const { unpaid, paid } = behaviours.get(request.path) ?? {}
    const answering = (request.payment === '' ? unpaid : paid) ?? { status: 404 }
    await give(typeof answering === 'function' ? answering(request) : answering, response)
  }

  const server = await startLoopbackServer((request, response) => {
    // Many of these tests are about a caller that disconnects in the middle.
    response.on('error', () => {})
    answer(request, response).catch(() => response.destroy())
  })
  return {
    url: server.url,
    behave: (path, behaviour) => {
      behaviours.set(path, behaviour)
      return `${server.url}${path}`
    },
    requests,
    get payments() {
      return requests.map(({ payment }) => payment).filter((payment) => payment !== '')
    },
    stop: server.stop,
  }
}

/** A 402 in the form of version 2: the offer in a header, nothing in the body. */
export function askV2(...offers: readonly [Terms, ...Terms[]]): HostileAnswer {
  return withPaymentRequired(paymentRequired(...offers).header)
}

/** A 402 with this value of PAYMENT-REQUIRED, valid or not. */
export function withPaymentRequired(header: string): HostileAnswer {
  return { status: 402, headers: { 'payment-required': header }, body: '{}' }
}

/** A 402 in the form of version 1: the offer in the body. */
export function askV1(...offers: readonly [Terms, ...Terms[]]): HostileAnswer {
  return { status: 402, ...json(paymentRequired(...offers).v1) }
}

export function json(document: unknown): Pick<HostileAnswer, 'headers' | 'body'> {
  return { headers: { 'content-type': 'application/json' }, body: JSON.stringify(document) }
}

/** This many megabytes of zeros, compressed to a thousandth of the size. */
export function gzipBomb(megabytes: number): HostileAnswer {
  const body = gzipSync(Buffer.alloc(megabytes * 1024 * 1024))
  return { headers: { 'content-encoding': 'gzip', 'content-type': 'text/plain' }, body }
}

function toRequest({ method = '', url = '', headers }: IncomingMessage, body: string) {
  const payment = headers['payment-signature'] ?? headers['x-payment']
  const path = url.split('?')[0] ?? ''
  return { method, path, headers, body, payment: typeof payment === 'string' ? payment : '' }
}

async function give(answer: HostileAnswer, response: ServerResponse): Promise<void> {
  const { status = 200, headers = {}, body = '', delayMs, fault } = answer
  if (delayMs !== undefined) await sleep(delayMs, undefined, { ref: false })
  for (const [name, value] of Object.entries(headers)) response.setHeader(name, value)
  response.statusCode = status
  switch (fault) {
    case undefined:
      response.end(body)
      return
    case 'hang':
      return
    case 'reset':
      response.socket?.resetAndDestroy()
      return
    case 'drip':
      drip(response, body)
      return
    case 'cut':
      response.setHeader('content-length', Buffer.byteLength(body) + 1)
      response.write(body, () => response.socket?.destroy())
  }
}

/** No pause is long enough for an idle timeout. */
function drip(response: ServerResponse, body: string | Buffer): void {
  const bytes = Buffer.from(body)
  let sent = 0
  const timer = setInterval(() => {
    response.write(bytes.subarray(sent, sent + 1).toString('latin1') || '.')
    sent += 1
  }, DRIP_EVERY_MS)
  timer.unref()
  response.on('close', () => clearInterval(timer))
}
