import type { Writable } from 'node:stream'
import type { PoolClient } from 'pg'

/** Streams whose writes are held back until the end of this turn. */
const held = new WeakSet<Writable>()

/**
 * What is sent on a connection in one turn of the event loop leaves in one write. The driver would
 * write each statement by itself, and each write costs a system call that may also wake the server
 * before it has everything. Called before a statement is sent.
 */
export function writeTogether(client: PoolClient): void {
  const stream = streamOf(client)
  if (!stream || held.has(stream)) return
  held.add(stream)
  stream.cork()
  // After all promises of this turn, so that a commit leaves with what comes before it.
  process.nextTick(() => {
    held.delete(stream)
    stream.uncork()
  })
}

/** The driver's types do not tell of the connection, which every client has. */
function streamOf(client: PoolClient): Writable | undefined {
  const { connection } = client as { connection?: { stream?: Writable } }
  return connection?.stream
}
