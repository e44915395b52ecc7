import { type Batcher, createBatcher } from '../../gateway/queue/batcher.ts'
import type { Database } from '../../storage/engine/database.ts'
import type { CardRequest } from './issuers/issuer.ts'
import type { OpenedConnection } from './registry/connection.ts'
import { type AskedContext, readAskedContexts } from './storage/asked-context.ts'

/** How many requests are read about at once. */
const TOGETHER_MAX = 256
/** For each connection: bounds the memory. Beyond it, an issuer is declined. */
const WAITING_MAX = 4_096
/**
 * A read takes a few milliseconds. One that takes this long is stuck, and issuers that ask meanwhile
 * have no time to wait for it.
 */
const PATIENCE = { ms: 100, atOnceMax: 4 }

export type ReadContext = (
  connection: OpenedConnection,
  request: CardRequest,
) => Promise<AskedContext>

type Reader = Batcher<CardRequest, AskedContext>

/**
 * Reads what is known of requests without a lock: for those that are not judged, for a card that this
 * process meets for the first time, and for a connection that fails open. What comes in while a read of its connection is under way is
 * read together in the next one: a statement costs far more than a row of it.
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
      // After all that has come in is parsed: issuers that were answered together ask together.
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
      // Connections come and go; what nobody waits for is forgotten.
      if (kept.users === 0) readers.delete(id)
    }
  }
}
