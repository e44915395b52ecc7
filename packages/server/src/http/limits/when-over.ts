import type { Socket } from 'node:net'
import type { FastifyReply, FastifyRequest } from 'fastify'

/** Callbacks to run when a connection closes before all its answers are sent. */
const unanswered = new WeakMap<Socket, Set<() => void>>()

/**
 * Runs once, when the answer has been sent or can no longer be sent; at once if the client is
 * already gone. The response alone is not enough: a request may wait on its connection behind the
 * answer to an earlier one, and if the connection closes then, Node emits nothing on its response.
 */
export function whenOver({ raw }: FastifyRequest, reply: FastifyReply, run: () => void): void {
  const { socket } = raw
  if (reply.raw.destroyed || socket.destroyed) {
    run()
    return
  }
  const others = unanswered.get(socket) ?? watch(socket)
  others.add(run)
  reply.raw.once('close', () => {
    if (others.delete(run)) run()
  })
}

/** Adds one listener per connection, however many requests it carries. */
function watch(socket: Socket): Set<() => void> {
  const left = new Set<() => void>()
  unanswered.set(socket, left)
  socket.once('close', () => {
    for (const run of left) run()
    left.clear()
  })
  return left
}
