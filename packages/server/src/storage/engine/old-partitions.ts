import type { Instant } from '../../core/time/instant.ts'
import type { Queryable } from './database.ts'
import { sqlStateOf } from './storage-error.ts'

/** One month of a history table. */
export interface OldPartition {
  readonly table: string
  readonly name: string
}

/** No row is added to a month that ended this long ago, except results of old deliveries. */
const SETTLED_AFTER_MS = 31 * 86_400_000
/** The longest delay for other statements, which queue behind the statement that waits for the lock. */
const LOCK_TIMEOUT_MS = 200
const LOCK_NOT_AVAILABLE = '55P03'

/** The months of these tables that ended long ago, oldest first. */
export async function listOldPartitions(
  db: Queryable,
  tables: readonly string[],
  now: Instant,
): Promise<OldPartition[]> {
  const rows = await db.query<OldPartition>({
    text: `
      select parent.relname as table, child.relname as name
      from pg_inherits i
      join pg_class parent on parent.oid = i.inhparent
      join pg_class child on child.oid = i.inhrelid
      where parent.relnamespace = current_schema()::regnamespace and parent.relname = any($1::text[])
      order by child.relname`,
    values: [tables],
  })
  return rows.filter(({ name }) => (endOf(name) ?? now) < now - SETTLED_AFTER_MS)
}

/** The end of the month that the partition is named for; the default partition has none. */
function endOf(name: string): Instant | undefined {
  const [, year, month] = /_(\d{4})_(\d{2})$/.exec(name) ?? []
  return year === undefined ? undefined : Date.UTC(Number(year), Number(month), 1)
}

export type Dropping = 'dropped' | 'kept' | 'busy'

/**
 * Drops an empty partition (ADR 26). Decisions cannot store events while the lock is held, so this is a
 * single statement: a process that stops in the middle delays no decision. If the lock is not available
 * at once, it gives up, and the next round of retention tries again.
 */
export async function dropIfEmpty(db: Queryable, { table, name }: OldPartition): Promise<Dropping> {
  if (!(await isEmpty(db, name))) return 'kept'
  try {
    await db.query({
      text: `
        do $$ begin
          perform set_config('lock_timeout', '${LOCK_TIMEOUT_MS}ms', true);
          lock table only ${table} in access exclusive mode;
          lock table ${name} in access exclusive mode;
          if not exists (select 1 from ${name}) then
            drop table ${name};
          end if;
        end $$`,
    })
  } catch (error) {
    if (sqlStateOf(error) === LOCK_NOT_AVAILABLE) return 'busy'
    throw error
  }
  return (await exists(db, name)) ? 'kept' : 'dropped'
}

async function isEmpty(db: Queryable, name: string): Promise<boolean> {
  const rows = await db.query({ text: `select 1 from ${name} limit 1` })
  return rows.length === 0
}

async function exists(db: Queryable, name: string): Promise<boolean> {
  const rows = await db.query({
    text: 'select 1 where to_regclass($1) is not null',
    values: [name],
  })
  return rows.length > 0
}
