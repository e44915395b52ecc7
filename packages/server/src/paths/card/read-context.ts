import { overloaded } from '../../gateway/queue/carry-out.ts'
import type { Database } from '../../storage/engine/database.ts'
import type { CardRequest } from './issuers/issuer.ts'
import type { OpenedConnection } from './registry/connection.ts'
import { type AskedContext, readAskedContexts } from './storage/asked-context.ts'

/** How many requests are read about at once. */
const TOGETHER_MAX = 100
/** How many reads a connection has under way: one that is stuck must not hold up all others. */
const AT_ONCE = 4

/** For each connection: bounds the memory. Beyond it, an issuer is declined. */
const WAITING_MAX = 4_096

interface Waiting {
  readonly request: CardRequest
  resolve(context: AskedContext): void
  reject(error: unknown): void
}

interface Queue {
  readonly connection: OpenedConnection
  readonly waiting: Waiting[]
  underWay: number
}

export type ReadContext = (
  connection: OpenedConnection,
  request: CardRequest,
) => Promise<AskedContext>

/**
 * Reads what requests need to be judged. There is no timer: what comes in while reads of its
 * connection are under way is read together in the next one.
 */
export function createReadContext(db: Database): ReadContext {
  const queues = new Map<string, Queue>()

  function start(queue: Queue): void {
    const batch = queue.waiting.splice(0, TOGETHER_MAX)
    if (batch.length === 0) {
      if (queue.underWay === 0) queues.delete(queue.connection.id)
      return
    }
    queue.underWay += 1
    void read(queue.connection, batch).finally(() => {
      queue.underWay -= 1
      start(queue)
    })
  }

  async function read(
    { organizationId, id }: OpenedConnection,
    batch: readonly Waiting[],
  ): Promise<void> {
    const requests = batch.map(({ request }) => request)
    try {
      const contexts = await readAskedContexts(db, organizationId, id, requests)
      for (const [at, context] of contexts.entries()) batch[at]?.resolve(context)
    } catch (error) {
      for (const { reject } of batch) reject(error)
    }
  }

  return (connection, request) =>
    new Promise((resolve, reject) => {
      const queue = queues.get(connection.id) ?? { connection, waiting: [], underWay: 0 }
      queues.set(connection.id, queue)
      if (queue.waiting.length >= WAITING_MAX) return reject(overloaded())
      queue.waiting.push({ request, resolve, reject })
      if (queue.underWay < AT_ONCE) start(queue)
    })
}
