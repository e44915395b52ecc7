import type { Queryable } from '../engine/database.ts'
import { readMigrations } from '../engine/migrate.ts'

/** A table of the store, without the partitions that it consists of. */
export interface Table {
  readonly name: string
  /** In the order of the table. `type` is the type as SQL names it. */
  readonly columns: readonly Column[]
}

export interface Column {
  readonly name: string
  readonly type: string
}

/** A month of a history table. */
export interface Partition {
  readonly table: string
  readonly name: string
  /** The bounds as SQL writes them, such as `FOR VALUES FROM ('…') TO ('…')`. */
  readonly bounds: string
}

/** Tables about the store itself: its schema, whether it may be written, and its last backup. */
const OF_THE_STORE = new Set(['schema_migrations', 'store_state', 'store_backup'])

const CREATED = /^create table (?:if not exists )?(\w+)/gm

/**
 * The tables of this program that hold data, sorted by name. Other programs may have tables in the
 * same schema, so only names from the migrations count.
 */
export async function listTables(db: Queryable): Promise<Table[]> {
  const known = await listKnownNames()
  const rows = await db.query<{ table: string; name: string; type: string }>({
    text: `
      select c.relname as table, a.attname as name, format_type(a.atttypid, a.atttypmod) as type
      from pg_class c join pg_attribute a on a.attrelid = c.oid
      where c.relnamespace = current_schema()::regnamespace and c.relkind in ('r', 'p')
        and not c.relispartition and c.relname = any($1::text[])
        and a.attnum > 0 and not a.attisdropped
      order by c.relname collate "C", a.attnum`,
    values: [known],
  })
  const tables = new Map<string, Column[]>()
  for (const { table, name, type } of rows) {
    const columns = tables.get(table) ?? []
    columns.push({ name, type })
    tables.set(table, columns)
  }
  return [...tables].map(([name, columns]) => ({ name, columns }))
}

async function listKnownNames(): Promise<string[]> {
  const migrations = await readMigrations()
  const names = migrations.flatMap(({ sql }) =>
    [...sql.matchAll(CREATED)].map(([, name = '']) => name),
  )
  return names.filter((name) => !OF_THE_STORE.has(name))
}

/** The months of the history tables; the default partitions come with the migrations. */
export function listPartitions(db: Queryable): Promise<Partition[]> {
  return db.query<Partition>({
    text: `
      select parent.relname as table, child.relname as name,
             pg_get_expr(child.relpartbound, child.oid) as bounds
      from pg_inherits i
      join pg_class parent on parent.oid = i.inhparent
      join pg_class child on child.oid = i.inhrelid
      where parent.relnamespace = current_schema()::regnamespace
        and pg_get_expr(child.relpartbound, child.oid) <> 'DEFAULT'
      order by child.relname collate "C"`,
  })
}

/** The name of the first table in the schema that has a row, whichever program it belongs to. */
export async function findTableWithRows(db: Queryable): Promise<string | undefined> {
  const tables = await db.query<{ name: string }>({
    text: `
      select relname as name from pg_class
      where relnamespace = current_schema()::regnamespace and relkind in ('r', 'p')
        and not relispartition
      order by relname`,
  })
  for (const { name } of tables) {
    if (OF_THE_STORE.has(name)) continue
    const rows = await db.query({ text: `select 1 from ${quoted(name)} limit 1` })
    if (rows.length > 0) return name
  }
  return undefined
}

/** Quotes a name that came from the catalog. */
export function quoted(name: string): string {
  return `"${name.replaceAll('"', '""')}"`
}
