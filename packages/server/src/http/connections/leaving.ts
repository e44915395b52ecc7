import type {
  FastifyBaseLogger,
  FastifyInstance,
  RawReplyDefaultExpression,
  RawRequestDefaultExpression,
  RawServerDefault,
} from 'fastify'
import { prepareIdleConnections } from './close-idle.ts'

/** The app before it has its type provider: `app.ts` imports this file. */
type Frame = Pick<
  FastifyInstance<
    RawServerDefault,
    RawRequestDefaultExpression,
    RawReplyDefaultExpression,
    FastifyBaseLogger
  >,
  'addHook' | 'server'
>

/** The shutdown of this process, as its clients see it. */
export interface Leaving {
  /**
   * From now on every answer closes its connection, so that the next request goes to a process that
   * stays. The listener still accepts requests, because the load balancer does not know of the
   * shutdown yet.
   */
  begin(): void
  isLeaving(): boolean
  /** How many requests were answered since the start of the shutdown. */
  answeredCount(): number
}

/** Closing the app starts the shutdown too, if it has not started yet. */
export function prepareLeaving(app: Frame): Leaving {
  let isLeaving = false
  let isClosing = false
  let answered = 0
  const connections = prepareIdleConnections(app.server)
  app.addHook('preClose', (done) => {
    isLeaving = true
    isClosing = true
    // In these two turns of the event loop, everything that has arrived by now is accepted and
    // read.
    setImmediate(() => setImmediate(done))
  })
  app.addHook('onRequest', ({ raw }, reply, done) => {
    if (!connections.begin(raw.socket)) {
      // Nothing of the request was carried out, and the closed connection tells the client so.
      reply.hijack()
      return
    }
    if (isLeaving) reply.header('connection', 'close')
    done()
  })
  app.addHook('onResponse', ({ raw }, _reply, done) => {
    connections.end(raw.socket)
    if (isLeaving) answered += 1
    // Without this, a connection that was busy when the shutdown began would stay open after its
    // answer as long as an idle one may, more than a minute, and so would the process. Node counts
    // the connection as idle once it is done with the answer, which is after this hook.
    if (isClosing) setImmediate(() => app.server.closeIdleConnections())
    done()
  })
  return {
    begin: () => {
      isLeaving = true
    },
    isLeaving: () => isLeaving,
    answeredCount: () => answered,
  }
}
