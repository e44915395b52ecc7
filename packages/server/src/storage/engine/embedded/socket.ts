import { Duplex } from 'node:stream'

type Done = (error?: Error) => void

/**
 * The part of the embedded engine that the socket needs: it takes and returns Postgres protocol
 * bytes.
 */
export interface ProtocolEngine {
  /** Runs the messages to their end before it returns, and throws if the engine is dead. */
  exchange(messages: Uint8Array, onAnswer: (bytes: Uint8Array) => void): void
  /** Ends the transaction and the prepared statements that the previous connection left behind. */
  reset(): void
}

/**
 * A socket to a database in the same process, so that the driver works as it does with a server:
 * the same types, prepared statements, errors and pipelining on both engines.
 */
export function createEmbeddedSocket(engine: ProtocolEngine): Duplex {
  const exchange = (messages: Uint8Array, done: Done): void =>
    runLater(done, () => {
      if (socket.destroyed) return
      const answers: Uint8Array[] = []
      engine.exchange(messages, (bytes) => answers.push(bytes))
      // No bytes are passed on before the engine has finished: an engine that dies during a sync may
      // already have written that the commit is complete.
      if (answers.length > 0) socket.push(Buffer.concat(answers))
    })
  const socket = new Duplex({
    read() {},
    write: (chunk: Buffer, _encoding, done) => exchange(chunk, done),
    writev: (chunks, done) => exchange(Buffer.concat(chunks.map(({ chunk }) => chunk)), done),
    final(done) {
      socket.push(null)
      done()
    },
  })
  const connect = (): Duplex => {
    runLater((error) => (error ? socket.destroy(error) : socket.emit('connect')), engine.reset)
    return socket
  }
  const self = (): Duplex => socket
  return Object.assign(socket, {
    connect,
    setNoDelay: self,
    setKeepAlive: self,
    setTimeout: self,
    ref: self,
    unref: self,
  })
}

/**
 * Answering inside write() would re-enter the driver before it has noted what it sent. The next
 * tick would be late enough for that, but a caller that sends one statement after another would
 * then block the event loop: no request, no timer and no maintenance would run.
 */
function runLater(done: Done, run: () => void): void {
  setImmediate(() => {
    try {
      run()
    } catch (error) {
      done(error instanceof Error ? error : new Error(String(error)))
      return
    }
    done()
  })
}
