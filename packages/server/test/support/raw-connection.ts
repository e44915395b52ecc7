import { connect, type Socket } from 'node:net'

export interface RawConnection {
  readonly socket: Socket
  /** The data received so far. */
  readonly received: { text: string; isOver: boolean; isReset: boolean }
  write(text: string | Buffer): boolean
  statuses(): string[]
  end(): void
}

/** A connection on which a test writes bytes that no client would write. */
export async function openConnection(url: string): Promise<RawConnection> {
  const { hostname, port } = new URL(url)
  const socket = connect(Number(port), hostname)
  await new Promise((resolve, reject) => socket.once('connect', resolve).once('error', reject))
  const received = { text: '', isOver: false, isReset: false }
  socket.on('data', (bytes) => {
    received.text += bytes
  })
  socket.on('error', () => {
    received.isReset = true
  })
  socket.on('close', () => {
    received.isOver = true
  })
  return {
    socket,
    received,
    write: (text) => socket.write(text),
    statuses: () => [...received.text.matchAll(/HTTP\/1\.1 (\d+)/g)].map(([, code]) => code ?? ''),
    end: () => socket.destroy(),
  }
}

/** The head of a request with a body. */
export function headOf(method: string, path: string, ...headers: readonly string[]): string {
  return [`${method} ${path} HTTP/1.1`, 'host: purser', ...headers, '', ''].join('\r\n')
}
