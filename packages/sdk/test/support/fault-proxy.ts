import { createServer, type IncomingMessage, request, type ServerResponse } from 'node:http'
import { onTestFinished } from 'vitest'

/** What the proxy does to one request. */
export type Fault =
  /** Passes the request and its answer on. */
  | 'none'
  /** Closes the connection; the gateway gets nothing. */
  | 'reset before'
  /** Closes the connection after the gateway has answered; the client gets nothing. */
  | 'reset after'
  /** Passes the request on, and answers nothing. */
  | 'stall'
  /** Passes on a part of the answer, and closes the connection. */
  | { readonly cutAfterBytes: number }
  /** Answers in place of the gateway. */
  | { readonly status: number; readonly headers?: Record<string, string>; readonly body?: string }

export interface FaultProxy {
  readonly url: string
  /** The faults of the next requests, in order. Requests without one are passed on. */
  readonly faults: Fault[]
  /** `METHOD /path key` of each request that arrived. */
  readonly seen: {
    method: string
    path: string
    key: string | undefined
    after: string | undefined
  }[]
}

/** Starts a proxy before a gateway, whose faults the test chooses. */
export async function startFaultProxy(gatewayUrl: string): Promise<FaultProxy> {
  const faults: Fault[] = []
  const seen: FaultProxy['seen'] = []
  const server = createServer((incoming, outgoing) => {
    const { method = '', url = '', headers } = incoming
    const key = headers['idempotency-key']
    const after = headers['last-event-id']
    seen.push({ method, path: url, key: key?.toString(), after: after?.toString() })
    answer(gatewayUrl, incoming, outgoing, faults.shift() ?? 'none')
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  onTestFinished(() => {
    server.closeAllConnections()
    server.close()
  })
  const address = server.address()
  const port = typeof address === 'object' ? address?.port : undefined
  return { url: `http://127.0.0.1:${port}`, faults, seen }
}

function answer(
  gatewayUrl: string,
  incoming: IncomingMessage,
  outgoing: ServerResponse,
  fault: Fault,
): void {
  if (fault === 'reset before') return void incoming.socket.destroy()
  if (typeof fault === 'object' && 'status' in fault) {
    outgoing.writeHead(fault.status, fault.headers).end(fault.body ?? '')
    return
  }
  const { method, headers } = incoming
  const upstream = request(gatewayUrl + incoming.url, { method, headers }, (response) => {
    if (fault === 'reset after' || fault === 'stall') {
      response.resume()
      response.once('end', () => fault === 'reset after' && incoming.socket.destroy())
      return
    }
    outgoing.writeHead(response.statusCode ?? 502, response.headers)
    if (fault === 'none') return void response.pipe(outgoing)
    cut(response, outgoing, fault.cutAfterBytes)
  })
  upstream.on('error', () => incoming.socket.destroy())
  outgoing.once('close', () => upstream.destroy())
  incoming.pipe(upstream)
}

function cut(response: IncomingMessage, outgoing: ServerResponse, bytes: number): void {
  let left = bytes
  response.on('data', (chunk: Buffer) => {
    outgoing.write(chunk.subarray(0, left), () => {
      if (left <= 0) outgoing.destroy()
    })
    left -= chunk.length
  })
  response.once('end', () => outgoing.destroy())
}
