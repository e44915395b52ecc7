import type { Instant } from '../core/time.ts'
import type { Database } from './database.ts'
import { idAt } from './transactions.ts'

/** Tables that are history: partitioned by month, by the time in their ids. */
const TABLES = ['transactions', 'webhook_events']
/** This month and the next two: a gateway that nobody looks after for weeks is still prepared. */
const MONTHS_AHEAD = 3

/**
 * Makes the partitions of the coming months where they are missing. Under an advisory lock, because
 * several processes start at once and `if not exists` does not protect two that run in parallel.
 */
export async function ensurePartitions(db: Database, now: Instant): Promise<void> {
  await db.transaction(async (tx) => {
    await tx.query({
      text: `select pg_advisory_xact_lock(hashtextextended('purser partitions', 0))`,
    })
    for (const statement of partitionsFrom(now)) await tx.query({ text: statement })
  })
}

function partitionsFrom(now: Instant): string[] {
  const today = new Date(now)
  return Array.from({ length: MONTHS_AHEAD }, (_, ahead) => {
    const monthStart = (months: number): number =>
      Date.UTC(today.getUTCFullYear(), today.getUTCMonth() + months, 1)
    const [from, to] = [monthStart(ahead), monthStart(ahead + 1)]
    const suffix = new Date(from).toISOString().slice(0, 7).replace('-', '_')
    return TABLES.map(
      (table) => `
        create table if not exists ${table}_${suffix} partition of ${table}
        for values from ('${idAt(from)}') to ('${idAt(to)}')`,
    )
  }).flat()
}
