import { findTablesToVacuum, findWrapRisk } from './embedded-vacuum.ts'
import type { Queryable, StorageLog } from './queryable.ts'

export interface MaintenanceSettings {
  readonly checkEveryMs: number
  /** A checkpoint is due when this much log has been written since the last one. */
  readonly walBytesMax: number
  /** A checkpoint is due when the last one is this old and anything has been written since. */
  readonly checkpointEveryMs: number
  /** How often the tables are looked at, when anything has been written since. */
  readonly vacuumEveryMs: number
  /** A table is vacuumed from this many dead rows on, plus a tenth of its live ones. */
  readonly deadRowsMin: number
}

interface MaintenanceParts {
  readonly db: Queryable
  /** Grows with every write; telling that nothing was written must cost nothing. */
  readonly syncCount: () => number
  /** True when nobody uses or waits for the connection. */
  readonly isFree: () => boolean
  readonly settings: Partial<MaintenanceSettings>
  readonly log: StorageLog
}

/**
 * A checkpoint writes at most about as many bytes of pages as the log has grown by, so a small
 * bound keeps the pause short; each one costs full pages in the log afterwards, so not too small.
 */
const DEFAULTS: MaintenanceSettings = {
  checkEveryMs: 1_000,
  walBytesMax: 32 * 1024 * 1024,
  checkpointEveryMs: 300_000,
  vacuumEveryMs: 30_000,
  deadRowsMin: 1_000,
}

/** Under load that leaves no pause, work that has been due for so many checks is done anyway. */
const POSTPONED_MAX = 10

/**
 * Checkpoints and vacuums, which PGlite has nobody for: without them the log, dead rows and the age
 * of transaction ids grow without end. One small step at a time, and in a pause when there is one.
 */
export function startMaintenance(parts: MaintenanceParts): { stop(): Promise<void> } {
  const { db, syncCount, isFree, log } = parts
  const settings = { ...DEFAULTS, ...parts.settings }
  let seen = syncCount()
  let checkpoint = { at: Date.now(), syncs: seen }
  let vacuum = { at: Date.now(), syncs: seen }
  let tables: string[] = []
  let postponed = 0
  let running: Promise<void> | undefined

  const hasWork = (): boolean => tables.length > 0 || syncCount() !== seen || isCheckpointOld()
  const isCheckpointOld = (): boolean =>
    syncCount() !== checkpoint.syncs && Date.now() - checkpoint.at >= settings.checkpointEveryMs
  const isVacuumDue = (): boolean =>
    syncCount() !== vacuum.syncs && Date.now() - vacuum.at >= settings.vacuumEveryMs

  const runOneStep = async (): Promise<void> => {
    seen = syncCount()
    if (isCheckpointOld() || (await walBytes(db)) >= settings.walBytesMax) {
      await db.query({ text: 'checkpoint' })
      checkpoint = { at: Date.now(), syncs: syncCount() }
    }
    if (tables.length === 0 && isVacuumDue()) {
      tables = await findTablesToVacuum(db, settings.deadRowsMin)
      await reportWrapRisk(db, log)
      vacuum = { at: Date.now(), syncs: syncCount() }
    }
    const table = tables.shift()
    if (table !== undefined) await db.query({ text: `vacuum (analyze) ${table}` })
  }

  const check = (): void => {
    if (running !== undefined || !hasWork()) return
    if (!isFree() && postponed < POSTPONED_MAX) {
      postponed += 1
      return
    }
    postponed = 0
    running = runOneStep()
      // The next check tries again; until then the files only grow.
      .catch((error: unknown) => log.error({ err: error }, 'Maintenance of the database failed.'))
      .finally(() => {
        running = undefined
      })
  }
  const timer = setInterval(check, settings.checkEveryMs)
  timer.unref()
  return {
    stop: async () => {
      clearInterval(timer)
      await running
    },
  }
}

/** Counted from the checkpoint on record, so a log left by an earlier run is counted too. */
async function walBytes(db: Queryable): Promise<number> {
  const [row] = await db.query<{ bytes: number }>({
    name: 'wal_bytes_since_checkpoint',
    text: `select (pg_current_wal_insert_lsn() - redo_lsn)::float8 as bytes
           from pg_control_checkpoint()`,
  })
  return row?.bytes ?? 0
}

async function reportWrapRisk(db: Queryable, log: StorageLog): Promise<void> {
  const risk = await findWrapRisk(db)
  if (risk === undefined) return
  log.warn(risk, 'The embedded database is running out of transaction ids. Move to PostgreSQL.')
}
