import { countOf } from '../base/count-of.ts'
import type { Log } from '../base/log.ts'
import type { Config } from '../process/config.ts'
import { findStoreState } from '../storage/backup/store-state.ts'
import { distributeTables } from '../storage/distributed/distribute.ts'
import { type Distribution, readDistribution } from '../storage/distributed/distribution.ts'
import { undistributeTables } from '../storage/distributed/undistribute.ts'
import { type Database, openDatabase } from '../storage/engine/database.ts'
import { migrate, underMigrationLock } from '../storage/engine/migrate.ts'
import { listOtherConnections } from '../storage/engine/postgres-gateways.ts'

export interface DistributeOptions {
  /** How many parts each table gets; the default is that of Citus. It counts only for the first run. */
  readonly shardCount?: number
  readonly onTable?: (name: string) => void
}

export interface Migrated {
  /** How many migrations were applied. */
  readonly migrations: number
  /** The tables that were moved. */
  readonly moved: readonly string[]
  readonly distribution: Distribution
}

/** One connection keeps the lock of the migrations, and one moves the tables. */
const CONNECTIONS = 2

/** Applies the migrations that the store lacks. It leaves the tables where they are. */
export function migrateStore(config: Config, log: Log): Promise<Migrated> {
  return withStore(config, log, async (db) => {
    await requireComplete(db)
    const migrations = await migrate(db)
    return { migrations, moved: [], distribution: await readDistribution(db) }
  })
}

/** Applies missing migrations and moves the tables to the workers that are not there yet (ADR 64). */
export function distributeStore(
  config: Config,
  log: Log,
  { shardCount, onTable = () => {} }: DistributeOptions = {},
): Promise<Migrated> {
  return whileAlone(config, log, (db) => distributeTables(db, shardCount, onTable))
}

/** Applies missing migrations and moves all tables back to the coordinator. */
export function undistributeStore(
  config: Config,
  log: Log,
  onTable: (name: string) => void = () => {},
): Promise<Migrated> {
  return whileAlone(config, log, (db) => undistributeTables(db, onTable))
}

/** The places of the tables. It changes nothing, and gateways may run. */
export function readStoreDistribution(config: Config, log: Log): Promise<Distribution> {
  return withStore(config, log, readDistribution)
}

/**
 * Moves tables while no gateway is connected. One that starts meanwhile waits for the lock of the
 * migrations, and then finds the tables in their new places.
 */
async function whileAlone(
  config: Config,
  log: Log,
  move: (db: Database) => Promise<readonly string[]>,
): Promise<Migrated> {
  if (config.storage.databaseUrl === undefined) {
    throw new Error('The embedded database has no nodes. Set DATABASE_URL to the coordinator.')
  }
  return withStore(config, log, async (db) => {
    await requireOpen(db)
    const migrations = await migrate(db)
    return underMigrationLock(db, async (tx) => {
      await tx.query({ text: 'set local idle_in_transaction_session_timeout = 0' })
      const others = await listOtherConnections(tx)
      if (others.length > 0) throw new Error(connectedSentence(others.length))
      const moved = await move(db)
      return { migrations, moved, distribution: await readDistribution(db) }
    })
  })
}

function connectedSentence(count: number): string {
  return `Gateways or commands are connected to this database (${countOf(count, 'connection')}). Stop all of them, and repeat the command. No table was moved.`
}

async function requireComplete(db: Database): Promise<void> {
  const found = await findStoreState(db)
  if (found?.state !== 'restoring') return
  throw new Error(`A restore into this store was cut off: ${found.note}`)
}

/** A closed store refuses every row, also those that Citus copies. */
async function requireOpen(db: Database): Promise<void> {
  const found = await findStoreState(db)
  if (found === undefined) return
  throw new Error(
    `The store is not open (${found.state}), and a closed store cannot be moved. ${found.note}`,
  )
}

async function withStore<T>(
  { storage }: Config,
  log: Log,
  use: (db: Database) => Promise<T>,
): Promise<T> {
  const db = await openDatabase({ ...storage, connectionsMax: CONNECTIONS }, log)
  try {
    return await use(db)
  } finally {
    await db.close()
  }
}
