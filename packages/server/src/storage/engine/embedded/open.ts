import { existsSync } from 'node:fs'
import { mkdir, rename, rm } from 'node:fs/promises'
import { join } from 'node:path'
import { escapeIdentifier, Pool } from 'pg'
import { logEvent } from '../../../base/log/log-event.ts'
import type { Log } from '../../../base/log.ts'
import { columnTypes } from '../column-types.ts'
import type { Refusals } from '../constraint.ts'
import { createOutage } from '../outage.ts'
import { createPooled, SESSION_SETTINGS } from '../pooled.ts'
import type { Database, Queryable } from '../queryable.ts'
import { requireUsable } from '../usable-folder.ts'
import { createChannels } from './channels.ts'
import { type Copied, copyChanged, requireRoomForCopy } from './copy-files.ts'
import { lockDataFolder } from './data-folder.ts'
import { type CreateFiles, type EmbeddedEngine, startEngine } from './engine.ts'
import { watchFreeSpace } from './free-space.ts'
import { type MaintenanceSettings, startMaintenance } from './maintenance.ts'
import { readPrepared, unpackPrepared } from './prepared.ts'
import { createEmbeddedSocket } from './socket.ts'
import { syncFolder, syncTree } from './synced-files.ts'

export interface EmbeddedSettings {
  readonly dataDir: string
  /** Where a prepared database may be, with which a new folder starts. */
  readonly preparedFolder?: string
  readonly createFiles?: CreateFiles
  readonly maintenance?: Partial<MaintenanceSettings>
  /** Below this much free space, new work is refused. */
  readonly freeBytesMin?: number
  /** The refusals of the payment paths. */
  readonly refusals?: Refusals
}

export interface EmbeddedDatabase extends Database {
  readonly engine: 'embedded'
  /** How many files have been synced to disk since the start. */
  syncCount(): number
}

/** How long a statement waits for the only connection before its caller has to retry. */
const WAIT_MAX_MS = 10_000

/**
 * Opens the embedded engine on the folder for this process alone: a second process is refused. It
 * refuses to start if it cannot prove that a commit reaches the disk.
 */
export async function openEmbedded(
  settings: EmbeddedSettings,
  log: Log,
): Promise<EmbeddedDatabase> {
  const unlock = await lockDataFolder(settings.dataDir)
  try {
    const folder = join(settings.dataDir, 'db')
    const { died, onDeath } = createDeath(log)
    const { createFiles } = settings
    const engineSettings = { folder, onDeath, ...(createFiles && { createFiles }) }
    if (existsSync(folder)) await requireUsable(folder)
    else await createFolder(engineSettings, settings.preparedFolder, log)
    const engine = await startEngine(engineSettings).catch((error: unknown) => {
      throw damaged(folder, error)
    })
    const database = createEmbedded(engine, settings, log)
    await proveDurable(database).catch(async (error: unknown) => {
      await database.close()
      throw error
    })
    const space = watchFreeSpace({ folder, bytesMin: settings.freeBytesMin ?? 0, log })
    // A file system that cannot report it must not prevent the start; the next check tries again.
    await space.round().catch(() => {})
    const close = async (): Promise<void> => {
      await space.stop()
      await database.close().finally(unlock)
    }
    const { requireRoom, isFull } = space
    const copyFiles = async (target: string): Promise<number> => {
      await requireRoomForCopy(folder, settings.freeBytesMin ?? 0)
      return copyBetweenTransactions(database, folder, target)
    }
    return { ...database, died, requireRoom, isFull, copyFiles, close }
  } catch (error) {
    await unlock()
    throw error
  }
}

/**
 * Nothing runs in the engine while a transaction is open and sends no statement, so its files do not
 * change. They are those of an engine that was killed at this point: the copy recovers when it starts.
 */
async function copyBetweenTransactions(
  db: Pick<Database, 'transaction'>,
  folder: string,
  target: string,
): Promise<number> {
  await mkdir(target, { recursive: true, mode: 0o700 })
  const copied: Copied = new Map()
  for (const _pass of ['all', 'changed meanwhile']) await copyChanged(folder, target, copied)
  return db.transaction(async (tx) => {
    await tx.query({ text: 'select 1' })
    const began = performance.now()
    await copyChanged(folder, target, copied)
    return performance.now() - began
  })
}

/** Logs the death of the engine, once. Later failures only follow from it. */
function createDeath(log: Log): { died: Promise<Error>; onDeath(reason: Error): void } {
  let onDeath: (reason: Error) => void = () => {}
  const died = new Promise<Error>((resolve) => {
    onDeath = (reason) => {
      const cause = reason.cause instanceof Error ? ` ${reason.cause.message}` : ''
      const why = `${reason.message}${cause}`
      logEvent(log, 'storage.engine_stopped', { why })
      resolve(reason)
    }
  })
  return { died, onDeath: (reason) => onDeath(reason) }
}

/** The engine's own message says little: it reports most damage as an abort. */
function damaged(folder: string, error: unknown): Error {
  const reason = error instanceof Error ? error.message : String(error)
  return new Error(
    `The embedded database in ${folder} cannot be started; its files are damaged, or another program created them (${reason.slice(0, 200)}). Restore the data folder from a backup, or move it away to begin with an empty one.`,
    { cause: error },
  )
}

/**
 * Creates the files under a temporary name and renames them once they are complete and on disk, so
 * that a start that is killed halfway leaves nothing that looks like a database.
 */
async function createFolder(
  settings: Parameters<typeof startEngine>[0],
  preparedFolder: string | undefined,
  log: Log,
): Promise<void> {
  const prepared = preparedFolder && (await findPrepared(preparedFolder, log))
  const unfinished = `${settings.folder}.unfinished`
  await rm(unfinished, { recursive: true, force: true })
  await mkdir(unfinished, { mode: 0o700 })
  if (prepared) unpackPrepared(prepared, unfinished)
  else await createFiles({ ...settings, folder: unfinished })
  await syncTree(unfinished)
  await rename(unfinished, settings.folder)
  await syncFolder(join(settings.folder, '..'))
}

/** A damaged prepared database costs only time: the database is created without it. */
function findPrepared(folder: string, log: Log): ReturnType<typeof readPrepared> {
  return readPrepared(folder).catch((err: unknown) => {
    logEvent(log, 'storage.prepared_damaged', { err })
    return undefined
  })
}

/** Does what initdb does for a server. In WASM it takes seconds. */
async function createFiles(settings: Parameters<typeof startEngine>[0]): Promise<void> {
  const engine = await startEngine(settings)
  dropTemplates(engine)
  await engine.stop()
}

/**
 * A vacuum reaches only the database it runs in. The template databases would keep the age they
 * were created with, and after two thousand million transactions Postgres would stop accepting
 * writes.
 */
function dropTemplates(engine: EmbeddedEngine): void {
  engine.run("update pg_database set datistemplate = false where datname <> 'postgres'")
  engine.run('drop database template0')
  engine.run('drop database template1')
}

function createEmbedded(
  engine: EmbeddedEngine,
  settings: EmbeddedSettings,
  log: Log,
): EmbeddedDatabase {
  const channels = createChannels()
  const pool = new Pool({
    stream: () => createEmbeddedSocket(engine),
    user: 'postgres',
    database: 'postgres',
    ssl: false,
    // The engine has one session; a second connection would be the same session.
    max: 1,
    idleTimeoutMillis: 0,
    connectionTimeoutMillis: WAIT_MAX_MS,
    pipeline: true,
    types: columnTypes,
    onConnect: async (client) => {
      await client.query(SESSION_SETTINGS)
      for (const channel of channels.names()) {
        await client.query(`listen ${escapeIdentifier(channel)}`)
      }
      client.on('notification', ({ channel, payload }) => channels.deliver(channel, payload ?? ''))
      channels.reportGap()
    },
  })
  const pooled = createPooled(pool, log, {
    outage: createOutage(log, engine.isDead),
    refusals: settings.refusals,
  })
  const maintenance = startMaintenance({
    db: pooled,
    syncCount: engine.syncCount,
    isFree: () => pool.waitingCount === 0 && pool.idleCount === pool.totalCount,
    settings: settings.maintenance ?? {},
    log,
  })
  return {
    engine: 'embedded',
    ...pooled,
    listen: (channel, listener) => channels.listen(pooled, channel, listener),
    isReady: async () => !engine.isDead() && (await pooled.isReady()),
    syncCount: engine.syncCount,
    close: async () => {
      await maintenance.stop()
      await pool.end()
      await engine.stop()
    },
  }
}

/**
 * The settings could be right and the hook still never be called, so one real commit is observed.
 */
async function proveDurable(db: EmbeddedDatabase): Promise<void> {
  await requireSetting(db, 'fsync', 'on')
  await requireSetting(db, 'wal_sync_method', 'fsync')
  await requireSetting(db, 'synchronous_commit', 'on')
  await requireSetting(db, 'full_page_writes', 'on')
  const before = db.syncCount()
  await db.query({ text: "select pg_logical_emit_message(true, 'purser', 'durable')" })
  if (db.syncCount() > before) return
  throw new Error(
    'The embedded database did not sync a commit to disk, so a power cut could lose acknowledged ' +
      'spends. It was not started. Install the version of PGlite named in package.json.',
  )
}

async function requireSetting(db: Queryable, name: string, value: string): Promise<void> {
  const text = 'select current_setting($1) as value'
  const [row] = await db.query<{ value: string }>({ text, values: [name] })
  if (row?.value === value) return
  throw new Error(
    `The embedded database runs with ${name} = ${row?.value} instead of ${value}, so it would not ` +
      'be durable. It was not started.',
  )
}
