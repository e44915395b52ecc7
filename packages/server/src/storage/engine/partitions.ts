import { idAt } from '../../core/id.ts'
import type { Instant } from '../../core/time/instant.ts'
import type { Database, Queryable } from './database.ts'

/** Tables of history, partitioned by month according to the time in their ids. */
const TABLES = ['transactions', 'webhook_events', 'webhook_deliveries', 'webhook_attempts']
/** This month and the next two: a gateway that runs unattended for weeks still has its partitions. */
const MONTHS_AHEAD = 3

/**
 * Creates missing partitions of the coming months. Almost always none is missing, which one query
 * shows. Otherwise it takes an advisory lock, because several processes start at once and `if not
 * exists` does not protect two that run in parallel. A process that waited for the lock checks again.
 *
 * Postgres refuses a partition while the default partition has rows of that month, for example from a
 * clock that ran ahead. Such a month stays in the default partition: a gateway that cannot start would
 * be worse.
 */
export async function ensurePartitions(db: Database, now: Instant): Promise<void> {
  const missing = await findMissing(db, partitionsFrom(now))
  if (missing.length === 0) return
  await db.transaction(async (tx) => {
    await tx.query({
      text: `select pg_advisory_xact_lock(hashtextextended('purser partitions', 0))`,
    })
    for (const { table, name, from, to } of await findMissing(tx, missing)) {
      const [stray] = await tx.query({
        text: `select 1 from ${table}_rest where id >= '${from}' and id < '${to}' limit 1`,
      })
      if (stray) continue
      await tx.query({
        text: `create table ${name} partition of ${table}
               for values from ('${from}') to ('${to}')`,
      })
    }
  })
}

interface Partition {
  readonly table: string
  readonly name: string
  readonly from: string
  readonly to: string
}

/**
 * Reads the catalog itself: `to_regclass` may answer from the connection's cache, from before it waited
 * for the lock.
 */
async function findMissing(db: Queryable, partitions: readonly Partition[]): Promise<Partition[]> {
  const rows = await db.query<{ name: string }>({
    text: `
      select name from unnest($1::text[]) as name
      where not exists (
        select from pg_class
        where relname = name and relnamespace = current_schema()::regnamespace)`,
    values: [partitions.map(({ name }) => name)],
  })
  const missing = new Set(rows.map(({ name }) => name))
  return partitions.filter(({ name }) => missing.has(name))
}

function partitionsFrom(now: Instant): Partition[] {
  const today = new Date(now)
  const monthStart = (months: number): number =>
    Date.UTC(today.getUTCFullYear(), today.getUTCMonth() + months, 1)
  return Array.from({ length: MONTHS_AHEAD }, (_, ahead) => {
    const start = monthStart(ahead)
    const suffix = new Date(start).toISOString().slice(0, 7).replace('-', '_')
    const range = { from: idAt(start), to: idAt(monthStart(ahead + 1)) }
    return TABLES.map((table) => ({ table, name: `${table}_${suffix}`, ...range }))
  }).flat()
}
