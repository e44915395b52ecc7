import { subscribe, unsubscribe } from 'node:diagnostics_channel'
import { createServer } from 'node:net'
import { portOf } from './raw-server.ts'

export interface Trap {
  readonly port: number
  /** Connections that arrived at the listener. */
  readonly arrived: number
  /** Connections that this process tried to open, to any address. */
  readonly attempted: number
  close(): Promise<void>
}

/**
 * A listener on every address of this machine, which no call should reach. Most hostile addresses
 * lead elsewhere, so the attempts to connect are counted at their source as well.
 */
export async function startTrap(): Promise<Trap> {
  let arrived = 0
  let attempted = 0
  const count = (): void => {
    attempted++
  }
  subscribe('net.client.socket', count)
  const server = createServer((socket) => {
    arrived++
    socket
      .on('error', () => {})
      .resume()
      .end('HTTP/1.1 200 OK\r\ncontent-length: 6\r\n\r\ncaught')
  })
  await new Promise<void>((resolve) => server.listen(0, resolve))
  return {
    port: portOf(server),
    get arrived() {
      return arrived
    },
    get attempted() {
      return attempted
    },
    close: () => {
      unsubscribe('net.client.socket', count)
      return new Promise((resolve) => server.close(() => resolve()))
    },
  }
}
