import { countOf } from '../../base/count-of.ts'
import type { Instant } from '../../core/time/instant.ts'
import { toIso } from '../../core/time/instant.ts'
import { readLastBackup } from '../../storage/backup/last-backup.ts'
import { readClockDifference } from '../../storage/engine/clock.ts'
import type { Database, Queryable } from '../../storage/engine/database.ts'
import { readMigrationState } from '../../storage/engine/migrate.ts'
import { type PostgresState, readPostgresState } from '../../storage/engine/postgres-state.ts'
import { type Check, fail, ok, toSize, warn } from './check.ts'

/** Processes judge by the database's clock. A difference of this size confuses readers of logs. */
const CLOCK_DIFFERENCE_MAX_MS = 2_000

/** From this share of the connections on, a further gateway may not find enough. */
const CONNECTIONS_SHARE_MAX = 0.8

/** A backup by archiving is late after this time. Idle servers archive every few minutes at most. */
const ARCHIVE_LATE_MS = 24 * 3_600_000
/** A daily backup may take an hour longer than the last one did. */
const BACKUP_LATE_MS = 25 * 3_600_000

export async function checkEngine(db: Queryable, engine: Database['engine']): Promise<Check> {
  if (engine === 'embedded') return ok('engine', 'The embedded database answers.')
  const state = await readPostgresState(db)
  const { version, databaseBytes, connections, connectionsMax } = state
  const text = `PostgreSQL ${version} answers; the database has ${toSize(databaseBytes)}, and ${connections} of ${connectionsMax} connections are in use.`
  if (state.fsync === 'off' || state.synchronousCommit === 'off') {
    return warn(
      'engine',
      `${text} It confirms commits before they are on disk, so a crash can lose decisions.`,
      'Set fsync and synchronous_commit to on.',
    )
  }
  if (connections > CONNECTIONS_SHARE_MAX * connectionsMax) {
    return warn('engine', text, 'Raise max_connections: each gateway process opens up to 32.')
  }
  return ok('engine', text)
}

export async function checkClock(db: Queryable): Promise<Check> {
  const difference = await readClockDifference(db)
  const seconds = (Math.abs(difference) / 1_000).toFixed(1)
  if (Math.abs(difference) <= CLOCK_DIFFERENCE_MAX_MS) {
    return ok('clock', `This machine and the database differ by ${seconds} s.`)
  }
  const direction = difference > 0 ? 'ahead of' : 'behind'
  return warn(
    'clock',
    `The clock of this machine is ${seconds} s ${direction} the database's. Decisions follow the database's clock.`,
    'Run NTP on both machines.',
  )
}

export async function checkMigrations(db: Queryable): Promise<Check> {
  const { applied, missing, mistake } = await readMigrationState(db)
  if (mistake !== undefined) {
    return fail('migrations', mistake, 'Run the version of Purser that fits this database.')
  }
  if (applied === 0) {
    return warn('migrations', 'The database is empty.', 'The first start of a gateway sets it up.')
  }
  if (missing.length === 0) return ok('migrations', `All ${applied} migrations are applied.`)
  return warn(
    'migrations',
    `The database lacks ${countOf(missing.length, 'migration')}, the first is ${missing[0]}.`,
    'The next start of a gateway of this version applies them. Read the guide docs/upgrade.md in the repository of Purser first.',
  )
}

/**
 * Reads when `purser backup` last wrote a file, and when PostgreSQL last archived its write-ahead
 * log, from which a base backup is brought up to date. Other backups are not known here.
 */
export async function checkBackups(
  db: Queryable,
  engine: Database['engine'],
  now: Instant,
): Promise<Check> {
  const takenAt = await readLastBackup(db)
  const archive = engine === 'embedded' ? undefined : await readPostgresState(db)
  if (archive !== undefined && archive.archiveMode !== 'off') {
    const check = judgeArchive(archive, now)
    if (check.status !== 'warn' || takenAt === null) return check
  }
  if (takenAt === null)
    return warn('backups', 'No backup of this store was taken with Purser.', BACK_UP)
  const text = `The last backup was taken at ${toIso(takenAt)}.`
  return now - takenAt > BACKUP_LATE_MS ? warn('backups', text, BACK_UP) : ok('backups', text)
}

const BACK_UP =
  'Run purser backup, or check that a recent backup exists that was restored once as a test.'

function judgeArchive(state: PostgresState, now: Instant): Check {
  const { archivedAt, archivingFailedAt } = state
  if (archivingFailedAt !== null && archivingFailedAt > (archivedAt ?? 0)) {
    const text = `PostgreSQL failed to archive its write-ahead log at ${toIso(archivingFailedAt)}.`
    return fail('backups', text, 'Read the log of PostgreSQL, and repair archive_command.')
  }
  const shown = archivedAt === null ? 'never' : `last at ${toIso(archivedAt)}`
  const text = `PostgreSQL archived its write-ahead log ${shown}.`
  if (archivedAt === null || now - archivedAt > ARCHIVE_LATE_MS) {
    return warn('backups', text, `${BACK_UP} Set archive_timeout, so that idle hours are archived.`)
  }
  return ok('backups', text)
}
