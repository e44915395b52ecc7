import type { Database } from './queryable.ts'

/** With fewer rows, any plan is good. */
const ROWS_MIN = 200

/**
 * The planner's default of 100 reads 30,000 rows and takes a third of a second for a month of
 * transactions. A tenth of that still shows which index fits (ADR 14).
 */
export const STATISTICS_SETTING = 'default_statistics_target=10'

/**
 * Gives the planner fresh statistics of tables that have grown to a multiple of what it knows.
 *
 * Prepared statements keep the plan that was made when a table was nearly empty. In that plan,
 * reading all rows of an organization looks as cheap as finding one, until the table is analyzed.
 * Autovacuum analyzes only once a minute, and the embedded engine has no autovacuum. Within a minute,
 * a new installation or a new month's partition can get a hundred thousand rows. This function
 * analyzes a table each time it has tripled, so about a dozen times in its life.
 */
export async function analyzeGrownTables(db: Database): Promise<void> {
  const tables = await db.query<{ name: string }>({
    text: `
      select format('%I.%I', s.schemaname, s.relname) as name
      from pg_stat_user_tables s join pg_class c on c.oid = s.relid
      where s.schemaname = current_schema() and s.n_live_tup > $1
        and s.n_live_tup > 3 * c.reltuples`,
    values: [ROWS_MIN],
  })
  for (const { name } of tables) {
    await db.transaction(async (tx) => {
      tx.send({ text: `set local ${STATISTICS_SETTING}` })
      // Skips a locked table, because a different process is analyzing it.
      tx.send({ text: `analyze (skip_locked) ${name}` })
    })
  }
}
