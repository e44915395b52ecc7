import type { IncomingMessage, ServerResponse } from 'node:http'
import { readBody, startLoopbackServer } from '../x402/loopback-server.ts'
import type { Handled } from './idempotency.ts'

/** A request as it arrived. */
export interface StandInRequest {
  readonly method: string
  readonly path: string
  readonly headers: IncomingMessage['headers']
  readonly text: string
  /** The body as JSON; undefined if it is not JSON. */
  // biome-ignore lint/suspicious/noExplicitAny: tests look into bodies of every shape.
  readonly body: any
}

export interface StandIn {
  readonly url: string
  readonly requests: readonly StandInRequest[]
  stop(): Promise<void>
}

/**
 * A third-party server on the loopback. It records its requests, and can answer late, never, or
 * with the connection cut.
 */
export async function startStandIn(
  handle: (request: StandInRequest) => Promise<Handled>,
): Promise<StandIn> {
  const requests: StandInRequest[] = []
  const server = await startLoopbackServer((incoming, response) => {
    receive(incoming)
      .then((request) => {
        requests.push(request)
        return handle(request)
      })
      .then((handled) => deliver(response, handled))
      // A bug in the stand-in itself must not look like one of a merchant.
      .catch((error: unknown) => response.writeHead(599).end(String(error)))
  })
  return { url: server.url, requests, stop: server.stop }
}

async function receive(incoming: IncomingMessage): Promise<StandInRequest> {
  const text = await readBody(incoming)
  const { method = '', url: path = '', headers } = incoming
  return { method, path, headers, text, body: parse(text) }
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}

function deliver(response: ServerResponse, { answer, delivery }: Handled): void {
  if (delivery === 'cut') response.destroy()
  if (delivery !== 'sent') return
  const { status, body, headers } = answer
  response.writeHead(status, { 'content-type': 'application/json', ...headers })
  response.end(typeof body === 'string' ? body : JSON.stringify(body))
}
