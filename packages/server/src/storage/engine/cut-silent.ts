import type { Pool, PoolClient } from 'pg'

const CHECKED_EVERY_MS = 1_000

/** The query that a connection waited for at the last check, and at how many checks before that. */
interface Waiting {
  query: unknown
  checks: number
}

/**
 * Ends connections whose server has been silent about a query for this long. Returns a function that
 * ends the checks.
 *
 * The driver can limit each query with a timer of its own. With such timers, objects of finished
 * queries stayed in memory until the next full collection (ADR 68). Checking all connections once a
 * second costs a query nothing. Checks are counted, not seconds: a process that was stopped for a
 * minute has not listened to the server meanwhile.
 */
export function cutSilent(pool: Pool, limitMs: number): () => void {
  const checksMax = Math.ceil(limitMs / CHECKED_EVERY_MS)
  const connections = new Map<PoolClient, Waiting>()
  pool.on('connect', (client) => connections.set(client, { query: undefined, checks: 0 }))
  pool.on('remove', (client) => connections.delete(client))
  const timer = setInterval(() => {
    for (const [client, waiting] of connections) check(client, waiting, checksMax)
  }, CHECKED_EVERY_MS)
  timer.unref()
  return () => clearInterval(timer)
}

function check(client: PoolClient, waiting: Waiting, checksMax: number): void {
  const query = queryOf(client)
  if (query === undefined || query !== waiting.query) {
    waiting.query = query
    waiting.checks = 0
    return
  }
  waiting.checks += 1
  if (waiting.checks < checksMax) return
  const { stream } = Reflect.get(client, 'connection')
  stream.destroy(new Error('Query read timeout'))
}

/** The query that the server works on, unless it has a limit of its own. The driver has no types for it. */
function queryOf(client: PoolClient): unknown {
  const query: { readonly query_timeout?: number } | null | undefined = Reflect.get(
    client,
    '_activeQuery',
  )
  return query && query.query_timeout === undefined ? query : undefined
}
