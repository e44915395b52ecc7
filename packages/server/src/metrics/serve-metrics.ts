import { createServer } from 'node:http'
import { CONTENT_TYPE, toPage } from './page.ts'
import type { Snapshot } from './registry.ts'

export interface MetricsServer {
  /** Such as http://127.0.0.1:9464/metrics. */
  readonly url: string
  stop(): Promise<void>
}

interface Address {
  readonly host: string
  readonly port: number
}

/** The time limit for a client that sends its request slowly. */
const REQUEST_MS = 5_000
const HEADER_BYTES_MAX = 8_192
const CONNECTIONS_MAX = 32

/**
 * Serves `GET /metrics` on a port of its own, because these figures are for the operator, and the
 * port of the API may be public. Rejects with the system's error if the port cannot be used.
 */
export function serveMetrics(
  { host, port }: Address,
  read: () => Promise<Snapshot>,
): Promise<MetricsServer> {
  const options = { requestTimeout: REQUEST_MS, maxHeaderSize: HEADER_BYTES_MAX }
  const server = createServer(options, async (request, response) => {
    const isPage = request.url?.split('?', 1)[0] === '/metrics'
    const isRead = request.method === 'GET' || request.method === 'HEAD'
    if (!isPage || !isRead) {
      const headers = { 'content-type': 'text/plain; charset=utf-8', connection: 'close' }
      response.writeHead(404, headers).end('Only GET /metrics exists here.\n')
      return
    }
    const page = await read().then(toPage, () => undefined)
    if (page === undefined) return void response.writeHead(500).end()
    response.writeHead(200, { 'content-type': CONTENT_TYPE, 'cache-control': 'no-store' })
    response.end(request.method === 'HEAD' ? undefined : page)
  })
  server.maxConnections = CONNECTIONS_MAX
  return new Promise((resolve, reject) => {
    server.once('error', reject)
    server.listen({ host, port }, () => {
      const address = server.address()
      const taken = address !== null && typeof address === 'object' ? address.port : port
      const name = host.includes(':') ? `[${host}]` : host
      resolve({
        url: `http://${name}:${taken}/metrics`,
        stop: () =>
          new Promise((done) => {
            server.close(() => done())
            server.closeAllConnections()
          }),
      })
    })
  })
}
