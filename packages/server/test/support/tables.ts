import { createHash } from 'node:crypto'
import type { Queryable } from '../../src/storage/engine/database.ts'

/**
 * Returns all rows of all tables as text, for tests that check that nothing changed, or that a
 * secret is nowhere. The last use of a key or an agent is left out, because every request may write
 * it at any later time. A usage of zero is left out too, because it means the same as no row.
 */
export async function dumpTables(db: Queryable, { leaveOut = /^$/ } = {}): Promise<string> {
  const tables = await db.query<{ name: string }>({
    // Without partitions: their rows are rows of the table that they belong to.
    name: 'dump-names',
    text: `select relname as name from pg_class
           where relnamespace = 'public'::regnamespace and relkind in ('r', 'p')
             and not relispartition
           order by relname`,
  })
  const dumped = tables.filter(({ name }) => !leaveOut.test(name))
  const selects = dumped.map(
    ({ name }) =>
      `select '${name} ' || (to_jsonb(t) - 'last_used_at' - 'last_seen_at')::text as row from ${name} t`,
  )
  const text = `${selects.join(' union all ')} order by row`
  // With a name, PostgreSQL plans it once per connection.
  const name = `dump-${createHash('sha256').update(text).digest('hex').slice(0, 16)}`
  const rows = await db.query<{ row: string }>({ name, text })
  const isNothing = (row: string) =>
    row.startsWith('plan_usage') && row.includes('"evaluations": 0')
  return rows
    .map(({ row }) => row)
    .filter((row) => !isNothing(row))
    .join('\n')
}
