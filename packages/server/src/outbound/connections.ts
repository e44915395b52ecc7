import { buildConnector, Client, type Dispatcher } from 'undici'
import { toConnectError } from './failures.ts'

/** Per address, so that a second address of the name can still be tried within a usual deadline. */
const CONNECT_TIMEOUT_MS = 3_000
const IDLE_MS = 4_000
/** Receivers may ask for longer idle times, and are not to keep our sockets for minutes. */
const IDLE_MAX_MS = 10_000
const HEADER_BYTES_MAX = 16 * 1_024

/** Lent to one call, which gives it back in one of two ways. */
export interface Connection {
  send(request: Dispatcher.DispatchOptions, handler: Dispatcher.DispatchHandler): void
  /** After a whole answer: the next call may have it. */
  release(): void
  /** In any other state. What has not been sent by then never will be. */
  destroy(): void
}

export interface Connections {
  lend(origin: string, address: string): Connection
  /** Ends all that are idle. */
  close(): Promise<void>
}

/**
 * Connections are kept per origin and address. They are opened to the address that was judged and
 * never to a name, so there is no second look-up that could say something else; the `Host` header,
 * the TLS server name and the check of the certificate are still about the name.
 *
 * There are as many as there are calls under way, and so no queue in which a deadline could pass
 * unseen. They are lent here instead of by undici's pool, which follows the abort of a request with
 * a new connection to the same receiver.
 */
export function createConnections(): Connections {
  const idle = new Map<string, Set<Client>>()
  // Said explicitly, because NODE_TLS_REJECT_UNAUTHORIZED would otherwise switch the check off.
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
    // undici's client has no opinion on proxies, redirects and retries. Its time limits are off
    // because the caller's deadline covers all that they would.
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
