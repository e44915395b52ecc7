import type { Socket } from 'node:net'
import type { FastifyReply, FastifyRequest } from 'fastify'

/** What is to be done when a connection closes, because some answers on it are not over. */
const unanswered = new WeakMap<Socket, Set<() => void>>()

/**
 * Runs once, when the answer has been sent or nobody can be sent it any more; at once if the client
 * has gone already. The response alone does not tell: a request may wait on its connection behind
 * another one's answer, and if the connection closes then, Node says nothing of its response.
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

/** One listener for each connection, however many requests it carries. */
function watch(socket: Socket): Set<() => void> {
  const left = new Set<() => void>()
  unanswered.set(socket, left)
  socket.once('close', () => {
    for (const run of left) run()
    left.clear()
  })
  return left
}
