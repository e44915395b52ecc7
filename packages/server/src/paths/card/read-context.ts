import { type Batcher, createBatcher } from '../../gateway/queue/batcher.ts'
import type { Database } from '../../storage/engine/database.ts'
import type { CardRequest } from './issuers/issuer.ts'
import type { OpenedConnection } from './registry/connection.ts'
import { type AskedContext, readAskedContexts } from './storage/asked-context.ts'

/** The most requests in one read. */
const TOGETHER_MAX = 256
/** The most waiting requests per connection: bounds the memory. Requests beyond it are declined. */
const WAITING_MAX = 4_096
/**
 * A read takes a few milliseconds. One that takes this long is stuck, and new requests have no time to
 * wait for it.
 */
const PATIENCE = { ms: 100, atOnceMax: 4 }

export type ReadContext = (
  connection: OpenedConnection,
  request: CardRequest,
) => Promise<AskedContext>

type Reader = Batcher<CardRequest, AskedContext>

/**
 * Reads the context of requests without a lock. It serves requests that are not judged, cards that are
 * new to this process, and connections that fail open. Requests that arrive during a read of their
 * connection share the next read: a statement costs far more than one of its rows.
 */
export function createReadContext(db: Database): ReadContext {
  const readers = new Map<string, { readonly reader: Reader; users: number }>()

  function createReader({ organizationId, id }: OpenedConnection): Reader {
    return createBatcher({
      run: (requests) => {
        const asked = requests.map((request) => ({ connectionId: id, request }))
        return readAskedContexts(db, organizationId, asked)
      },
      isolates: () => false,
      batchSizeMax: TOGETHER_MAX,
      waitingMax: WAITING_MAX,
      patience: PATIENCE,
      // Runs after all arrived requests are parsed: issuers that were answered together ask together.
      defer: setImmediate,
    })
  }

  return async (connection, request) => {
    const { id } = connection
    const kept = readers.get(id) ?? { reader: createReader(connection), users: 0 }
    readers.set(id, kept)
    kept.users += 1
    try {
      return await kept.reader.submit(request)
    } finally {
      kept.users -= 1
      // Connections come and go, so a reader without waiting requests is dropped.
      if (kept.users === 0) readers.delete(id)
    }
  }
}
