import type { Server } from 'node:http'
import type { Socket } from 'node:net'

/** How long a client may take to close its side of a connection that we have closed. */
const LINGER_MS = 1_000

/** Tracks which connections have a request in progress, and closes the others. */
export interface IdleConnections {
  /**
   * Registers a request on its connection. Returns false if the connection was already closed, so
   * no client would read the answer.
   */
  begin(socket: Socket): boolean
  end(socket: Socket): void
}

/**
 * Closes idle connections so that a client never sees a reset. Node would destroy them: the kernel
 * answers bytes that the client has sent by then with a reset, and the client cannot know whether
 * its request was carried out. Here the client receives the end of the connection first. Bytes that
 * it sends until then are read and dropped unprocessed.
 *
 * Node and Fastify call the server's own `closeIdleConnections` when they close, so this replaces
 * it.
 */
export function prepareIdleConnections(server: Server): IdleConnections {
  const open = new Set<Socket>()
  const underWay = new WeakMap<Socket, number>()
  const ended = new WeakSet<Socket>()
  server.on('connection', (socket) => {
    open.add(socket)
    socket.once('close', () => open.delete(socket))
  })

  function endCleanly(socket: Socket): void {
    if (ended.has(socket)) return
    ended.add(socket)
    const timer = setTimeout(() => socket.destroy(), LINGER_MS)
    socket.once('close', () => clearTimeout(timer))
    socket.end()
  }

  server.closeIdleConnections = () => {
    for (const socket of open) if (!underWay.get(socket)) endCleanly(socket)
  }
  return {
    begin(socket) {
      if (ended.has(socket)) return false
      underWay.set(socket, (underWay.get(socket) ?? 0) + 1)
      return true
    },
    end(socket) {
      underWay.set(socket, Math.max(0, (underWay.get(socket) ?? 0) - 1))
    },
  }
}
