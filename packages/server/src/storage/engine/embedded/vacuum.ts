import type { Queryable } from '../queryable.ts'

/** Postgres's default age at which it forces a vacuum, however few dead rows a table has. */
const FREEZE_AGE = 200_000_000

/** Half of all ids. Postgres stops accepting writes shortly before the end. */
const WRAP_RISK_AGE = 1_000_000_000

/**
 * Tables, quoted and with their schema, that need a vacuum or fresh statistics, worst first. They
 * include the tables of the catalogue.
 */
export async function findTablesToVacuum(db: Queryable, deadRowsMin: number): Promise<string[]> {
  // A session's counters reach the view only now and then; this makes them reach it now.
  await db.query({ text: 'select pg_stat_force_next_flush()' })
  const rows = await db.query<{ name: string }>({
    text: `
      select format('%I.%I', s.schemaname, s.relname) as name
      from pg_stat_all_tables s join pg_class c on c.oid = s.relid
      where c.relkind in ('r', 'm') and s.schemaname <> 'pg_toast'
        and (s.n_dead_tup > $1 + s.n_live_tup / 10
          or s.n_ins_since_vacuum > 10 * $1 + s.n_live_tup / 5
          or s.n_mod_since_analyze > $1 + s.n_live_tup / 10
          or age(c.relfrozenxid) > $2)
      order by s.n_dead_tup desc`,
    values: [deadRowsMin, FREEZE_AGE],
  })
  return rows.map(({ name }) => name)
}

/** The age of the oldest transaction id, if vacuums have not kept up with it. */
export async function findWrapRisk(db: Queryable): Promise<{ age: number } | undefined> {
  const [row] = await db.query<{ age: number }>({
    text: 'select max(age(datfrozenxid)) as age from pg_database',
  })
  return row !== undefined && row.age > WRAP_RISK_AGE ? row : undefined
}
