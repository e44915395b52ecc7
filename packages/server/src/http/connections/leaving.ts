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

/** How this process says goodbye to its clients. */
export interface Leaving {
  /**
   * From now on every answer closes its connection, so that the next request goes to a process that
   * stays. The listener still takes requests: whoever sends them here has not been told yet.
   */
  begin(): void
  isLeaving(): boolean
  /** How many requests were answered since it began. */
  answeredCount(): number
}

/** Closing the app begins it too, if nobody has before. */
export function prepareLeaving(app: Frame): Leaving {
  let isLeaving = false
  let isClosing = false
  let answered = 0
  const connections = prepareIdleConnections(app.server)
  app.addHook('preClose', (done) => {
    isLeaving = true
    isClosing = true
    // Two turns of the event loop, in which everything is accepted and read that has arrived by now.
    setImmediate(() => setImmediate(done))
  })
  app.addHook('onRequest', ({ raw }, reply, done) => {
    if (!connections.begin(raw.socket)) {
      // Nothing of it was carried out, and the client is told so by the end of the connection.
      reply.hijack()
      return
    }
    if (isLeaving) reply.header('connection', 'close')
    done()
  })
  app.addHook('onResponse', ({ raw }, _reply, done) => {
    connections.end(raw.socket)
    if (isLeaving) answered += 1
    // Without this, a connection that was busy when the process was asked to stop would stay open
    // after its answer for as long as an idle one may, more than a minute, and so would the process.
    // Node counts the connection as idle once it is done with the answer, which is after this hook.
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
