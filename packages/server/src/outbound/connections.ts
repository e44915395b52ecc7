import { buildConnector, Client, type Dispatcher } from 'undici'
import { toConnectError } from './failures.ts'

/** The limit holds per address, so that a usual deadline leaves time to try a second address. */
const CONNECT_TIMEOUT_MS = 3_000
const IDLE_MS = 4_000
/** Receivers may ask for longer idle times, but must not keep our sockets open for minutes. */
const IDLE_MAX_MS = 10_000
const HEADER_BYTES_MAX = 16 * 1_024

/** A connection that one call borrows and returns in one of two ways. */
export interface Connection {
  send(request: Dispatcher.DispatchOptions, handler: Dispatcher.DispatchHandler): void
  /** For use after a complete response: the next call may reuse the connection. */
  release(): void
  /** For use in any other state. Data that is not sent yet is never sent. */
  destroy(): void
}

export interface Connections {
  lend(origin: string, address: string): Connection
  /** Closes all idle connections. */
  close(): Promise<void>
}

/**
 * Keeps connections per origin and address. They connect to the judged address and never to a name,
 * so no second DNS lookup can return a different result. The `Host` header, the TLS server name and
 * the certificate check still use the name.
 *
 * Each running call has its own connection, so there is no queue in which a deadline could pass
 * unnoticed. We do not use undici's pool, because it opens a new connection to the same receiver
 * after a request was aborted.
 */
export function createConnections(): Connections {
  const idle = new Map<string, Set<Client>>()
  // This is explicit, because NODE_TLS_REJECT_UNAUTHORIZED would otherwise switch the check off.
  const connect = buildConnector({
    timeout: CONNECT_TIMEOUT_MS,
    minVersion: 'TLSv1.2',
    rejectUnauthorized: true,
  })

  function connectTo(address: string): buildConnector.connector {
    return (options, callback) =>
      connect({ ...options, hostname: address }, (...[error, socket]) => {
        if (error) callback(toConnectError(error, options.protocol), null)
        else callback(null, socket)
      })
  }

  function open(key: string, origin: string, address: string): Client {
    // undici's client adds no proxies, redirects or retries. Its time limits are off, because the
    // caller's deadline covers everything that they would.
    const client = new Client(origin, {
      connect: connectTo(address),
      keepAliveTimeout: IDLE_MS,
      keepAliveMaxTimeout: IDLE_MAX_MS,
      maxHeaderSize: HEADER_BYTES_MAX,
      headersTimeout: 0,
      bodyTimeout: 0,
    })
    return client.on('disconnect', () => {
      if (remove(key, client)) void client.destroy()
    })
  }

  function remove(key: string, client: Client): boolean {
    const clients = idle.get(key)
    const wasIdle = clients?.delete(client) ?? false
    if (clients?.size === 0) idle.delete(key)
    return wasIdle
  }

  return {
    lend(origin, address) {
      const key = `${origin} ${address}`
      const [first] = idle.get(key) ?? []
      if (first) remove(key, first)
      const client = first ?? open(key, origin, address)
      return {
        send: (request, handler) => void client.dispatch(request, handler),
        release: () => {
          idle.set(key, (idle.get(key) ?? new Set()).add(client))
        },
        destroy: () => void client.destroy(),
      }
    },
    async close() {
      const clients = [...idle.values()].flatMap((some) => [...some])
      idle.clear()
      await Promise.all(clients.map((client) => client.destroy()))
    },
  }
}
