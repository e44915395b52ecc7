import { logEvent } from '../../../base/log/log-event.ts'
import type { Log } from '../../../base/log.ts'
import { type Loop, startLoop } from '../../../base/loop.ts'
import type { Queryable } from '../queryable.ts'

export interface MaintenanceSettings {
  readonly checkEveryMs: number
  /** A checkpoint is due when this much log has been written since the last one. */
  readonly walBytesMax: number
  /** A checkpoint is due when the last one is this old and anything has been written since. */
  readonly checkpointEveryMs: number
  /** How often to look at the tables, if anything has been written since. */
  readonly vacuumEveryMs: number
  /** A table is vacuumed once it has this many dead rows plus a tenth of its live ones. */
  readonly deadRowsMin: number
}

interface MaintenanceParts {
  readonly db: Queryable
  /** Grows with every write, so a check without writes costs nothing. */
  readonly syncCount: () => number
  /** True when the connection is free and no statement waits for it. */
  readonly isFree: () => boolean
  readonly settings: Partial<MaintenanceSettings>
  readonly log: Log
}

/**
 * A checkpoint writes at most about as many bytes of pages as the log has grown by, so a small
 * bound keeps the pause short. But each checkpoint adds full pages to the log afterwards, so the
 * bound must not be too small.
 */
const DEFAULTS: MaintenanceSettings = {
  checkEveryMs: 1_000,
  walBytesMax: 32 * 1024 * 1024,
  checkpointEveryMs: 300_000,
  vacuumEveryMs: 10_000,
  deadRowsMin: 1_000,
}

/** If the load never pauses, a checkpoint waits until the log has grown to twice its bound. */
const OVERDUE_FACTOR = 2

/** If the load never pauses, a vacuum waits for this many checks. */
const POSTPONED_MAX = 10

/**
 * Runs checkpoints and vacuums, which nothing in PGlite does: without them the log, the dead rows
 * and the age of transaction ids would grow without end. It takes one small step at a time, in a
 * pause if there is one.
 */
export function startMaintenance(parts: MaintenanceParts): Loop {
  const steps = [createCheckpointer(parts), createVacuumer(parts)]
  return startLoop({
    async run() {
      for (const step of steps) await step()
    },
    everyMs: settingsOf(parts).checkEveryMs,
    // The next check tries again; until then the files only grow.
    failed: (err) => logEvent(parts.log, 'storage.maintenance_failed', { err }),
  })
}

function settingsOf({ settings }: MaintenanceParts): MaintenanceSettings {
  return { ...DEFAULTS, ...settings }
}

function createCheckpointer(parts: MaintenanceParts): () => Promise<void> {
  const { db, syncCount, isFree } = parts
  const { walBytesMax, checkpointEveryMs } = settingsOf(parts)
  // The state of an earlier run is unknown, so the first check reads its log.
  let last = { at: performance.now(), syncs: -1 }

  const isDue = async (): Promise<boolean> => {
    if (syncCount() === last.syncs) return false
    const bytes = await walBytes(db)
    if (bytes >= OVERDUE_FACTOR * walBytesMax) return true
    return isFree() && (bytes >= walBytesMax || performance.now() - last.at >= checkpointEveryMs)
  }
  return async () => {
    if (!(await isDue())) return
    await db.query({ text: 'checkpoint' })
    last = { at: performance.now(), syncs: syncCount() }
  }
}

function createVacuumer(parts: MaintenanceParts): () => Promise<void> {
  const { db, syncCount, isFree, log } = parts
  const { vacuumEveryMs, deadRowsMin } = settingsOf(parts)
  let last = { at: performance.now(), syncs: syncCount() }
  let tables: string[] = []
  let postponed = 0

  const lookForTables = async (): Promise<void> => {
    if (syncCount() === last.syncs || performance.now() - last.at < vacuumEveryMs) return
    tables = await findTablesToVacuum(db, deadRowsMin)
    last = { at: performance.now(), syncs: syncCount() }
    const risk = await findWrapRisk(db)
    if (risk === undefined) return
    logEvent(log, 'storage.transaction_ids_low', risk)
  }
  return async () => {
    if (tables.length === 0) await lookForTables()
    const [table, ...others] = tables
    if (table === undefined) return
    if (!isFree() && postponed < POSTPONED_MAX) {
      postponed += 1
      return
    }
    postponed = 0
    tables = others
    await db.query({ text: `vacuum (analyze) ${table}` })
  }
}

/** Counts from the recorded checkpoint, so it includes a log that an earlier run left. */
async function walBytes(db: Queryable): Promise<number> {
  const [row] = await db.query<{ bytes: number }>({
    name: 'wal_bytes_since_checkpoint',
    text: `select (pg_current_wal_insert_lsn() - redo_lsn)::float8 as bytes
           from pg_control_checkpoint()`,
  })
  return row?.bytes ?? 0
}

/** Postgres's default age at which it forces a vacuum, however few dead rows a table has. */
const FREEZE_AGE = 200_000_000

/** Half of all ids. Postgres stops accepting writes shortly before the end. */
const WRAP_RISK_AGE = 1_000_000_000

/**
 * Tables, quoted and with their schema, that need a vacuum or fresh statistics, worst first. They
 * include the tables of the catalogue.
 */
async function findTablesToVacuum(db: Queryable, deadRowsMin: number): Promise<string[]> {
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
async function findWrapRisk(db: Queryable): Promise<{ age: number } | undefined> {
  const [row] = await db.query<{ age: number }>({
    text: 'select max(age(datfrozenxid)) as age from pg_database',
  })
  return row !== undefined && row.age > WRAP_RISK_AGE ? row : undefined
}
