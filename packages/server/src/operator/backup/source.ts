import { existsSync } from 'node:fs'
import { rm } from 'node:fs/promises'
import { join } from 'node:path'
import type { Log } from '../../base/log.ts'
import type { Config } from '../../process/config.ts'
import { type Answered, askGateway } from '../../process/control/ask-control.ts'
import { noteBackup } from '../../storage/backup/last-backup.ts'
import { cancelMove, closeForMove, endMove } from '../../storage/backup/move.ts'
import { type Database, openDatabase } from '../../storage/engine/database.ts'
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
 * For a move the store is closed before it is read, and stays closed once the file is complete.
 */
export async function backUpStore(
  config: Config,
  options: BackupOptions,
  log: Log,
): Promise<BackedUp> {
  const { storage } = config
  requireStore(config)
  const { isMove = false } = options
  const copy = await askGateway(storage, { command: 'backup-copy', isMove })
  if (copy) return backUpCopy(config, copy, options, log)
  return withStore(storage, log, async (db) => {
    if (isMove) await closeForMove(db)
    const manifest = await orCancel(writeBackup(db, options), async () => {
      if (isMove) await cancelMove(db)
    })
    if (isMove) await endMove(db)
    else await noteBackup(db)
    return { manifest, waitedMs: undefined }
  })
}

async function backUpCopy(
  { storage }: Config,
  copy: Answered,
  options: BackupOptions,
  log: Log,
): Promise<BackedUp> {
  const { folder, waitedMs } = readCopy(copy)
  const end = async (isCancelled: boolean): Promise<void> => {
    if (!options.isMove) {
      if (!isCancelled) await noteInGateway(storage)
      return
    }
    const ended = await askGateway(storage, { command: 'end-move', isCancelled })
    if (!ended) throw new Error('The gateway stopped during the move. Repeat the command.')
    ended.close()
  }
  try {
    const place = { ...storage, dataDir: folder }
    const written = withStore(place, log, (db) => writeBackup(db, options))
    const manifest = await orCancel(written, () => end(true))
    await end(false)
    return { manifest, waitedMs }
  } finally {
    await rm(folder, { recursive: true, force: true })
    copy.close()
  }
}

/** If the gateway has stopped since the copy, the file is complete all the same. */
async function noteInGateway(storage: Config['storage']): Promise<void> {
  const noted = await askGateway(storage, { command: 'note-backup' })
  noted?.close()
}

/** Opens the configured store after a move that did not happen. */
export async function cancelStoreMove({ storage }: Config, log: Log): Promise<void> {
  const request = { command: 'end-move', isCancelled: true }
  const asked = await askGateway(storage, request)
  if (asked) asked.close()
  else await withStore(storage, log, cancelMove)
}

/** Without a file there is no move, so the store opens again; the first error is the one to tell. */
async function orCancel<T>(written: Promise<T>, cancel: () => Promise<void>): Promise<T> {
  try {
    return await written
  } catch (error) {
    await cancel().catch(() => {})
    throw error
  }
}

function readCopy({ result: { folder, waitedMs } }: Answered) {
  if (typeof folder === 'string' && typeof waitedMs === 'number') return { folder, waitedMs }
  throw new Error('The running gateway has a different version. Restart it with this version.')
}

async function withStore<T>(
  storage: Config['storage'],
  log: Log,
  use: (db: Database) => Promise<T>,
): Promise<T> {
  const db = await openDatabase(storage, log)
  try {
    return await use(db)
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
