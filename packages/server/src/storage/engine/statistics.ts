import type { Queryable } from './database.ts'

/** Below this, any plan is a good one. */
const ROWS_MIN = 200

/**
 * Gives the planner fresh figures of tables that have grown to a multiple of what it knows.
 *
 * Prepared statements keep the plan that was made when a table was nearly empty, in which reading all of
 * an organization's rows looks as cheap as finding one, until somebody analyzes the table. The server's
 * own daemon would, but only once a minute, and the embedded engine has none; in a minute a new
 * installation, or a new month's partition, takes a hundred thousand rows. A table is met here each time
 * it has tripled, so about a dozen times in its life.
 */
export async function analyzeGrownTables(db: Queryable): Promise<void> {
  const tables = await db.query<{ name: string }>({
    text: `
      select format('%I.%I', s.schemaname, s.relname) as name
      from pg_stat_user_tables s join pg_class c on c.oid = s.relid
      where s.schemaname = current_schema() and s.n_live_tup > $1
        and s.n_live_tup > 3 * c.reltuples`,
    values: [ROWS_MIN],
  })
  // Skipped where it is locked: another process is at it.
  for (const { name } of tables) await db.query({ text: `analyze (skip_locked) ${name}` })
}
