import type { Database, Queryable, Tx } from '../engine/database.ts'
import { STATISTICS_SETTING } from '../engine/statistics.ts'
import { type Partition, quoted, type Table } from './catalog.ts'
import type { TextRow } from './dump.ts'

/** A reference from one table to another, as SQL defines it. */
export interface ForeignKey {
  readonly table: string
  readonly name: string
  readonly definition: string
}

/** Checking a reference reads both tables whole. */
const LONG_MS = 3_600_000

/**
 * Removes the references between tables, and returns them. Rows then load in any order: a mandate
 * may come before its parent.
 */
export async function dropForeignKeys(tx: Tx): Promise<ForeignKey[]> {
  const keys = await tx.query<ForeignKey>({
    text: `
      select conrelid::regclass::text as table, conname as name, pg_get_constraintdef(oid) as definition
      from pg_constraint
      where contype = 'f' and conparentid = 0
        and connamespace = current_schema()::regnamespace
      order by conname`,
  })
  for (const { table, name } of keys) {
    await tx.query({ text: `alter table ${table} drop constraint ${quoted(name)}` })
  }
  return keys
}

/** Puts the references back. The database checks that every row has the row that it refers to. */
export async function addForeignKeys(db: Database, keys: readonly ForeignKey[]): Promise<void> {
  for (const { table, name, definition } of keys) {
    await takingLong(db, async (tx) => {
      const text = `alter table ${table} add constraint ${quoted(name)} ${definition}`
      await tx.query({ text, timeoutMs: LONG_MS })
    })
  }
}

export async function createPartitions(
  tx: Queryable,
  partitions: readonly Partition[],
): Promise<void> {
  for (const { table, name, bounds } of partitions) {
    await tx.query({
      text: `create table if not exists ${quoted(name)} partition of ${quoted(table)} ${bounds}`,
    })
  }
}

/** Inserts rows whose values are text as `dumpTable` reads them. */
export async function loadRows(
  tx: Queryable,
  { name, columns }: Table,
  rows: readonly TextRow[],
): Promise<void> {
  const targets = columns.map((column) => quoted(column.name)).join(', ')
  const arrays = columns.map((_, at) => `$${at + 1}::text[]`).join(', ')
  const sources = columns.map((_, at) => `c${at}`).join(', ')
  const values = columns.map(({ type }, at) => `r.c${at}::${type}`).join(', ')
  await tx.query({
    text: `insert into ${quoted(name)} (${targets})
           select ${values} from unnest(${arrays}) as r (${sources})`,
    values: columns.map((_, at) => rows.map((row) => row[at] ?? null)),
  })
}

/** Gives the planner statistics of the new rows: without them, its plans fit empty tables. */
export async function analyzeTables(db: Database, tables: readonly Table[]): Promise<void> {
  for (const { name } of tables) {
    await takingLong(db, async (tx) => {
      tx.send({ text: `set local ${STATISTICS_SETTING}` })
      await tx.query({ text: `analyze ${quoted(name)}`, timeoutMs: LONG_MS })
    })
  }
}

function takingLong(db: Database, run: (tx: Tx) => Promise<void>): Promise<void> {
  return db.transaction(async (tx) => {
    await tx.query({ text: `select set_config('statement_timeout', '0', true)` })
    await run(tx)
  })
}
