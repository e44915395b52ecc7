import { existsSync } from 'node:fs'
import { join } from 'node:path'
import type { Log } from '../../base/log.ts'
import type { Config } from '../../process/config.ts'
import { openDatabase } from '../../storage/engine/database.ts'
import { type BackupOptions, writeBackup } from './backup.ts'
import type { Manifest } from './format.ts'

/** Opens the configured store and writes a backup of it. It does not migrate or create a store. */
export async function backUpStore(
  config: Config,
  options: BackupOptions,
  log: Log,
): Promise<Manifest> {
  requireStore(config)
  const db = await openDatabase(config.storage, log)
  try {
    return await writeBackup(db, options)
  } finally {
    await db.close()
  }
}

function requireStore({ storage: { databaseUrl, dataDir } }: Config): void {
  if (databaseUrl !== undefined || existsSync(join(dataDir, 'db'))) return
  throw new Error(
    `There is no database in ${dataDir}. Set PURSER_DATA_DIR to the data folder of the gateway, or DATABASE_URL.`,
  )
}
