import type { Log } from '../../base/log.ts'
import type { Config } from '../../process/config.ts'
import {
  findTableWithRows,
  listTables,
  type Partition,
  type Table,
} from '../../storage/backup/catalog.ts'
import { closeStore } from '../../storage/backup/closed-store.ts'
import type { TextRow } from '../../storage/backup/dump.ts'
import { listAuditHeads, listMigrations } from '../../storage/backup/facts.ts'
import {
  addForeignKeys,
  analyzeTables,
  createPartitions,
  dropForeignKeys,
  loadRows,
} from '../../storage/backup/load.ts'
import { clearStoreState, findStoreState, setStoreState } from '../../storage/backup/store-state.ts'
import { isDistributed } from '../../storage/distributed/distribution.ts'
import { type Database, openDatabase } from '../../storage/engine/database.ts'
import { MIGRATIONS_FOLDER, migrate, readMigrations } from '../../storage/engine/migrate.ts'
import type { Progress } from './backup.ts'
import { type CheckedBackup, checkBackup } from './check-backup.ts'
import type { Manifest, TableHead } from './format.ts'
import { readBackup } from './read-backup.ts'

export interface RestoreOptions {
  readonly file: string
  /** Called once the file is checked, before anything is written. */
  readonly onChecked?: (manifest: Manifest) => void
  readonly onProgress?: (progress: Progress) => void
}

/** One insert has at most this many rows, and about this many characters. */
const ROWS_PER_INSERT = 500
const CHARACTERS_PER_INSERT = 1_000_000

/**
 * Restores a backup into an empty store of either engine (ADR 59). The file is read twice: nothing
 * is written unless all of it is right. While rows are loaded the store says so, and no gateway
 * starts on it.
 */
export async function restoreBackup(
  config: Config,
  { file, onChecked = () => {}, onProgress = () => {} }: RestoreOptions,
  log: Log,
): Promise<Manifest> {
  const backup = await checkBackup(file, config)
  const { manifest } = backup
  onChecked(manifest)
  const isCurrent = manifest.migrations.length === (await readMigrations()).length
  const db = await openDatabase({ ...config.storage, isUnprepared: !isCurrent }, log)
  try {
    await requireEmpty(db, manifest, config)
    await migrate(db, MIGRATIONS_FOLDER, manifest.migrations.length)
    const tables = await matchTables(db, backup)
    const foreignKeys = await db.transaction(async (tx) => {
      await setStoreState(tx, 'restoring', `A restore of ${file} began.`)
      await createPartitions(tx, manifest.partitions)
      return dropForeignKeys(tx)
    })
    await loadAll(db, file, manifest, onProgress)
    await addForeignKeys(db, foreignKeys)
    await migrate(db)
    await analyzeTables(db, tables)
    await requireSameHeads(db, manifest)
    const note = `The store was restored from a backup of ${manifest.createdAt}, whose original may still run.`
    await db.transaction((tx) =>
      manifest.isMove ? clearStoreState(tx) : closeStore(tx, 'restored', note),
    )
    return manifest
  } finally {
    await db.close()
  }
}

async function requireEmpty(db: Database, manifest: Manifest, config: Config): Promise<void> {
  const { databaseUrl, dataDir } = config.storage
  const place = databaseUrl === undefined ? `The data folder ${dataDir}` : 'The database'
  const empty =
    databaseUrl === undefined
      ? 'Set PURSER_DATA_DIR to a folder without a database'
      : 'Create an empty database and set DATABASE_URL to it'
  if (await isDistributed(db)) {
    throw new Error(
      `${place} is distributed, and rows are loaded on one machine. ${empty}, finish the restore there, and run  purser migrate --distributed  afterwards. Nothing was restored.`,
    )
  }
  if ((await findStoreState(db))?.state === 'restoring') {
    throw new Error(`${place} has the rows of a restore that was cut off. ${empty}.`)
  }
  const found = await findTableWithRows(db)
  if (found !== undefined) {
    throw new Error(
      `${place} is not empty: the table ${found} has rows. ${empty}; a restore never replaces data. Nothing was restored.`,
    )
  }
  if ((await listMigrations(db)).length > manifest.migrations.length) {
    throw new Error(
      `${place} has no rows, but tables of a newer version than the backup. ${empty}. Nothing was restored.`,
    )
  }
}

/** The tables of the store at this level of migrations must be those of the backup. */
async function matchTables(db: Database, { tables, manifest }: CheckedBackup): Promise<Table[]> {
  const own = await listTables(db)
  const text = (all: readonly Table[]): string =>
    JSON.stringify(all.map(({ name, columns }) => [name, columns.map((c) => [c.name, c.type])]))
  const isMonth = ({ table, name, bounds }: Partition): boolean =>
    own.some((one) => one.name === table) && NAME.test(name) && BOUNDS.test(bounds)
  if (text(own) === text(tables.map(toTable)) && manifest.partitions.every(isMonth)) return own
  throw new Error(
    'The tables of the backup differ from those that its migrations create, so something else changed them. Nothing was restored.',
  )
}

/** These become part of statements, so their form is checked. */
const NAME = /^[a-z0-9_]+$/
const BOUNDS = /^FOR VALUES FROM \('[0-9a-f-]{36}'\) TO \('[0-9a-f-]{36}'\)$/

function toTable({ table, columns }: TableHead): Table {
  return { name: table, columns }
}

async function loadAll(
  db: Database,
  file: string,
  manifest: Manifest,
  onProgress: (progress: Progress) => void,
): Promise<void> {
  let table: Table | undefined
  let page: TextRow[] = []
  let characters = 0
  let rows = 0
  const flush = async (): Promise<void> => {
    if (!table || page.length === 0) return
    const [into, loaded] = [table, page]
    page = []
    characters = 0
    await db.transaction((tx) => loadRows(tx, into, loaded))
    rows += loaded.length
    onProgress({ table: into.name, rows })
  }
  const again = await readBackup(file, {
    async onTable(head) {
      await flush()
      table = toTable(head)
    },
    async onRow(row) {
      page.push(row)
      for (const value of row) characters += value?.length ?? 0
      if (page.length >= ROWS_PER_INSERT || characters >= CHARACTERS_PER_INSERT) await flush()
    },
  })
  await flush()
  if (JSON.stringify(again) === JSON.stringify(manifest)) return
  throw new Error(`The file ${file} changed during the restore, so the store is not complete.`)
}

/** The audit logs must end where they ended in the original. */
async function requireSameHeads(db: Database, { auditHeads }: Manifest): Promise<void> {
  if (JSON.stringify(await listAuditHeads(db)) === JSON.stringify(auditHeads)) return
  throw new Error('The audit logs of the restored store differ from those of the manifest.')
}
