import { existsSync } from 'node:fs'
import { rm } from 'node:fs/promises'
import { join } from 'node:path'
import type { Log } from '../../base/log.ts'
import type { Config } from '../../process/config.ts'
import { type Answered, askGateway } from '../../process/control/ask-control.ts'
import { openDatabase } from '../../storage/engine/database.ts'
import { type BackupOptions, writeBackup } from './backup.ts'
import type { Manifest } from './format.ts'

export interface BackedUp {
  readonly manifest: Manifest
  /** How long decisions waited, in milliseconds. Undefined if they did not wait at all. */
  readonly waitedMs: number | undefined
}

/**
 * Writes a backup of the configured store. It does not migrate or create a store. If a gateway has
 * the embedded database open, that gateway copies its files and the backup is made from the copy.
 */
export async function backUpStore(
  config: Config,
  options: BackupOptions,
  log: Log,
): Promise<BackedUp> {
  const { storage } = config
  requireStore(config)
  const isEmbedded = storage.databaseUrl === undefined
  const copy = isEmbedded
    ? await askGateway(storage.dataDir, { command: 'backup-copy' })
    : undefined
  if (!copy) return { manifest: await backUpOpened(storage, options, log), waitedMs: undefined }
  const { folder, waitedMs } = readCopy(copy)
  try {
    const manifest = await backUpOpened({ ...storage, dataDir: folder }, options, log)
    return { manifest, waitedMs }
  } finally {
    await rm(folder, { recursive: true, force: true })
    copy.close()
  }
}

function readCopy({ result: { folder, waitedMs } }: Answered) {
  if (typeof folder === 'string' && typeof waitedMs === 'number') return { folder, waitedMs }
  throw new Error('The running gateway has a different version. Restart it with this version.')
}

async function backUpOpened(
  storage: Config['storage'],
  options: BackupOptions,
  log: Log,
): Promise<Manifest> {
  const db = await openDatabase(storage, log)
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
