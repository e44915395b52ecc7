import type { Server } from 'node:http'
import type { Socket } from 'node:net'

interface Stalling {
  /** How long a client may read nothing while data waits to be sent to it. */
  readonly stalledMs: number
  readonly checkMs: number
}

/**
 * Closes connections whose client has read nothing for a while: such a client would otherwise hold
 * memory, and a slot among the streams, for as long as it likes. The limit applies only while data
 * waits to be sent, so a client that waits for us is never cut off.
 *
 * Checking all connections once in a while costs a request nothing. Node's own timer is set only
 * for a connection that was found stalled. It also notices whether part of a large answer was read,
 * and its expiry closes the connection.
 */
export function closeStalledConnections(server: Server, { stalledMs, checkMs }: Stalling): void {
  const open = new Set<Socket>()
  server.on('connection', (socket) => {
    open.add(socket)
    socket.once('close', () => open.delete(socket))
  })
  const timer = setInterval(() => {
    for (const socket of open) watch(socket, stalledMs)
  }, checkMs)
  timer.unref()
  server.once('close', () => clearInterval(timer))
}

function watch(socket: Socket, stalledMs: number): void {
  const isWatched = socket.timeout === stalledMs
  const isWaiting = socket.writableLength > 0
  if (isWaiting === isWatched) return
  // Between two requests Node has set its own timeout, a different number, which stays.
  socket.setTimeout(isWaiting ? stalledMs : 0)
}
