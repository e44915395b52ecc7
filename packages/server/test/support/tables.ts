import type { Queryable } from '../../src/storage/engine/database.ts'

/**
 * Returns all rows of all tables as text, for tests that check that nothing changed, or that a
 * secret is nowhere. The last use of a key or an agent is left out, because every request may write
 * it at any later time. A usage of zero is left out too, because it means the same as no row.
 */
export async function dumpTables(db: Queryable, { leaveOut = /^$/ } = {}): Promise<string> {
  const tables = await db.query<{ name: string }>({
    text: `select table_name as name from information_schema.tables
           where table_schema = 'public' and table_type = 'BASE TABLE' order by table_name`,
  })
  const dumped = tables.filter(({ name }) => !leaveOut.test(name))
  const selects = dumped.map(
    ({ name }) =>
      `select '${name} ' || (to_jsonb(t) - 'last_used_at' - 'last_seen_at')::text as row from ${name} t`,
  )
  const rows = await db.query<{ row: string }>({
    text: `${selects.join(' union all ')} order by row`,
  })
  const isNothing = (row: string) =>
    row.startsWith('plan_usage') && row.includes('"evaluations": 0')
  return rows
    .map(({ row }) => row)
    .filter((row) => !isNothing(row))
    .join('\n')
}
