import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'

export interface Received {
  readonly headers: IncomingMessage['headers']
  readonly body: string
  readonly at: number
}

/** Answers a request, or does something worse to it. */
export type Behaviour = (response: ServerResponse, received: Received, index: number) => void

/** A real webhook receiver on the loopback. */
export interface Receiver {
  readonly url: string
  readonly received: readonly Received[]
  behave(behaviour: Behaviour): void
  close(): Promise<void>
}

export async function startReceiver(
  behaviour: Behaviour = (response) => response.end(),
): Promise<Receiver> {
  const received: Received[] = []
  let current = behaviour
  const server = createServer((request, response) => {
    let body = ''
    request.setEncoding('utf8').on('data', (part: string) => {
      body += part
    })
    request.on('end', () => {
      const entry = { headers: request.headers, body, at: Date.now() }
      received.push(entry)
      current(response, entry, received.length - 1)
    })
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const { port } = server.address() as AddressInfo
  return {
    url: `http://127.0.0.1:${port}/hook`,
    received,
    behave(next) {
      current = next
    },
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve())
        server.closeAllConnections()
      }),
  }
}

export function answerWith(status: number, headers: Record<string, string> = {}): Behaviour {
  return (response) => response.writeHead(status, headers).end(`status ${status}`)
}
