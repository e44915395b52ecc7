import { createServer, type Server, type Socket } from 'node:net'

export interface RawServer {
  readonly port: number
  readonly url: string
  /** The data that each connection has sent so far, oldest connection first. */
  readonly received: readonly string[]
  /** Connections that are open now. */
  readonly open: number
  close(): Promise<void>
}

type Misbehave = (socket: Socket, received: string) => void

/**
 * A receiver that can misbehave: it gets everything that arrives, and writes HTTP itself. It
 * is on the loopback, by default on 127.0.0.1.
 */
export async function startRawServer(
  onData: Misbehave,
  { host = '127.0.0.1', port = 0 }: { readonly host?: string; readonly port?: number } = {},
): Promise<RawServer> {
  const received: string[] = []
  const sockets = new Set<Socket>()
  const server = createServer((socket) => {
    const index = received.push('') - 1
    sockets.add(socket)
    socket.on('error', () => {})
    socket.on('close', () => sockets.delete(socket))
    socket.setEncoding('latin1').on('data', (text: string) => {
      received[index] += text
      onData(socket, received[index] ?? '')
    })
  })
  await new Promise<void>((resolve) => server.listen(port, host, resolve))
  return {
    port: portOf(server),
    url: `http://${host}:${portOf(server)}/`,
    received,
    get open() {
      return sockets.size
    },
    close: () =>
      new Promise((resolve) => {
        for (const socket of sockets) socket.destroy()
        server.close(() => resolve())
      }),
  }
}

export function portOf(server: Server): number {
  const address = server.address()
  return typeof address === 'object' && address !== null ? address.port : 0
}

/** For servers that behave: a complete answer with this body, on a connection that stays open. */
export function okWith(body: string): string {
  return `HTTP/1.1 200 OK\r\ncontent-length: ${body.length}\r\n\r\n${body}`
}
