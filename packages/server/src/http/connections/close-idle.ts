import type { Server } from 'node:http'
import type { Socket } from 'node:net'

/** How long a client may take to close its end of a connection that was closed here. */
const LINGER_MS = 1_000

/** Which connections have a request under way, and how the others are closed. */
export interface IdleConnections {
  /** A request was read whose connection takes an answer. False: it was closed before, so nobody reads it. */
  begin(socket: Socket): boolean
  end(socket: Socket): void
}

/**
 * Closes idle connections so that a client never sees a reset. Node would destroy them: whatever the client
 * has sent by then is answered by the kernel with a reset, and the client cannot know whether it was
 * carried out. Here the client is told the end of the connection first. What it sends until it has
 * heard of that is read and dropped, before anything of it is looked at.
 *
 * Node and Fastify call the server's own `closeIdleConnections` when they close, so this takes its place.
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
