import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { logEvent } from '../base/log/log-event.ts'
import type { Log } from '../base/log.ts'
import { listRefusals } from '../paths/path.ts'
import { findStoreState } from '../storage/backup/store-state.ts'
import { requireWhole } from '../storage/distributed/distribution.ts'
import { type Database, openDatabase } from '../storage/engine/database.ts'
import { migrate } from '../storage/engine/migrate.ts'
import { explainMissingRights } from '../storage/engine/storage-error.ts'
import { openSealer } from '../storage/secrets/master-key.ts'
import type { Sealer } from '../storage/secrets/sealed.ts'
import type { Config } from './config.ts'

export interface Storage {
  readonly db: Database
  readonly sealer: Sealer
}

/**
 * Opens the storage for a command that reads or changes an existing store. It never creates one, so a
 * wrong PURSER_DATA_DIR cannot look like a store without organizations.
 */
export async function openExistingStorage(config: Config, log: Log): Promise<Storage> {
  const { databaseUrl, dataDir } = config.storage
  if (databaseUrl === undefined && !existsSync(join(dataDir, 'db'))) {
    throw new Error(
      `There is no database in ${dataDir}. Set PURSER_DATA_DIR to the data folder of the gateway, or DATABASE_URL to its database.`,
    )
  }
  return openStorage(config, log)
}

/** Opens the database, migrates it to this program's schema and checks the master key. */
export async function openStorage(config: Config, log: Log): Promise<Storage> {
  const { storage, masterKeys, paths } = config
  if (storage.databaseUrl !== undefined && existsSync(join(storage.dataDir, 'db'))) {
    logEvent(log, 'process.embedded_database_unused', { dataDir: storage.dataDir })
  }
  const db = await openDatabase({ ...storage, refusals: listRefusals(paths) }, log)
  try {
    await requireRestored(db)
    await migrate(db)
    await requireWhole(db)
    return { db, sealer: await openSealer(db, { ...masterKeys, dataDir: storage.dataDir }) }
  } catch (error) {
    await db.close()
    throw explainMissingRights(error, storage.databaseUrl)
  }
}

/**
 * Opens the database for a worker, whose primary has migrated it. A gateway of a newer version may
 * have migrated it further meanwhile: this version can still serve then (docs/upgrade.md).
 */
export async function joinStorage(config: Config, log: Log): Promise<Storage> {
  const { storage, masterKeys, paths } = config
  const db = await openDatabase({ ...storage, refusals: listRefusals(paths) }, log)
  try {
    return { db, sealer: await openSealer(db, { ...masterKeys, dataDir: storage.dataDir }) }
  } catch (error) {
    await db.close()
    throw error
  }
}

/** A store with a part of its rows must not decide anything. */
async function requireRestored(db: Database): Promise<void> {
  const found = await findStoreState(db)
  if (found?.state !== 'restoring') return
  throw new Error(
    `A restore into this store was cut off, so it is not complete: ${found.note} Restore the backup into an empty database or data folder.`,
  )
}
