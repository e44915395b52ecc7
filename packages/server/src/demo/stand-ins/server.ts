import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'

/** A request to a stand-in. */
export interface Asked {
  readonly method: string
  /** The path below the prefix of the stand-in. */
  readonly path: string
  readonly headers: IncomingMessage['headers']
  /** The body as JSON; an empty object without one. */
  readonly body: Readonly<Record<string, unknown>>
}

export interface Told {
  readonly status: number
  readonly body: unknown
}

/** Answers every request below a prefix, such as /rpc. */
export type StandIn = (asked: Asked) => Told

export interface StandInServer {
  readonly port: number
  stop(): Promise<void>
}

const LOOPBACK = '127.0.0.1'

/**
 * Serves all stand-ins on one port of the loopback. It tries the port of the last start first,
 * because settings of the organization name it.
 */
export async function startStandIns(
  standIns: Readonly<Record<string, StandIn>>,
  lastPort: number | undefined,
): Promise<StandInServer> {
  const server = createServer((request, response) => {
    answer(standIns, request, response).catch(() => response.writeHead(500).end())
  })
  const listen = (port: number): Promise<void> =>
    new Promise((resolve, reject) => {
      server.once('error', reject)
      server.listen(port, LOOPBACK, () => {
        server.off('error', reject)
        resolve()
      })
    })
  await listen(lastPort ?? 0).catch(() => listen(0))
  const address = server.address()
  if (address === null || typeof address === 'string') throw new Error('No port was free.')
  return {
    port: address.port,
    stop: () =>
      new Promise((resolve) => {
        server.close(() => resolve())
        server.closeAllConnections()
      }),
  }
}

async function answer(
  standIns: Readonly<Record<string, StandIn>>,
  request: IncomingMessage,
  response: ServerResponse,
): Promise<void> {
  const [, prefix = '', path = '/'] = /^(\/[a-z]+)(\/.*)?$/.exec(request.url ?? '') ?? []
  const chunks: Buffer[] = []
  for await (const chunk of request) chunks.push(chunk)
  const text = Buffer.concat(chunks).toString()
  const { method = '', headers } = request
  const asked = { method, path, headers, body: text === '' ? {} : JSON.parse(text) }
  const { status, body } = standIns[prefix]?.(asked) ?? { status: 404, body: {} }
  response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(body))
}

/** The receiver of webhooks. It answers 200, unless it was asked to fail. */
export interface ReceiverStandIn {
  readonly answer: StandIn
  /** Fails the next new event this often; later attempts of the same event succeed. */
  failNext(times: number): void
  /** The events that it has received or failed, in the order of their first attempts. */
  readonly seen: readonly string[]
}

export function createReceiver(): ReceiverStandIn {
  const left = new Map<string, number>()
  const seen: string[] = []
  let planned = 0
  return {
    seen,
    failNext(times) {
      planned = times
    },
    answer({ headers }) {
      const id = String(headers['webhook-id'])
      if (!seen.includes(id)) {
        seen.push(id)
        left.set(id, planned)
        planned = 0
      }
      const failures = left.get(id) ?? 0
      left.set(id, failures - 1)
      return failures > 0
        ? { status: 503, body: { error: 'The bookkeeping service is restarting.' } }
        : { status: 200, body: { received: true } }
    },
  }
}
