import type { Server } from 'node:http'
import type { Socket } from 'node:net'

interface Stalling {
  /** How long a client may take nothing of what is to be sent to it. */
  readonly stalledMs: number
  readonly checkMs: number
}

/**
 * Closes connections of which nothing was taken for a while: a client that does not read its answer
 * would otherwise hold memory, and a place among the streams, for as long as it likes. The limit
 * holds only while something waits to be sent, so that nobody is cut off who waits for us.
 *
 * Looking at all connections now and then costs a request nothing. Node's own timer, which is set only
 * for a connection that was found stalled, then sees also whether a part of a large answer was taken,
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
  // Between two requests Node has set its own limit, which is another number and stays.
  socket.setTimeout(isWaiting ? stalledMs : 0)
}
