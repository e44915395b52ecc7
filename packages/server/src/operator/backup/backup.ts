import { VERSION } from '../../base/version.ts'
import { toIso } from '../../core/time/instant.ts'
import { listPartitions, listTables } from '../../storage/backup/catalog.ts'
import { dumpTable, readSnapshot } from '../../storage/backup/dump.ts'
import { hasTable, readStoreFacts } from '../../storage/backup/facts.ts'
import { findStoreState } from '../../storage/backup/store-state.ts'
import type { Database, Tx } from '../../storage/engine/database.ts'
import { findKeyChecks, keyIdOf } from '../../storage/secrets/master-key.ts'
import { type BackupWriter, createBackupFile } from './backup-file.ts'
import type { Manifest, TableSum } from './format.ts'

/** How far a backup or a restore has come. */
export interface Progress {
  readonly table: string
  /** Rows of all tables so far. */
  readonly rows: number
}

export interface BackupOptions {
  readonly file: string
  readonly isMove?: boolean
  readonly onProgress?: (progress: Progress) => void
}

/**
 * Writes a backup of the whole store to a file (ADR 59). Everything is read from one snapshot, so
 * gateways may go on deciding.
 */
export async function writeBackup(
  db: Database,
  { file, isMove = false, onProgress = () => {} }: BackupOptions,
): Promise<Manifest> {
  await requireWhole(db)
  const writer = createBackupFile(file)
  try {
    const manifest = await readSnapshot(db, async (tx) => {
      const { at, ...facts } = await readStoreFacts(tx)
      const checks = await findKeyChecks(tx)
      const partitions = await listPartitions(tx)
      const tables = await dumpTables(tx, writer, onProgress)
      const { engine } = db
      return {
        ...{ version: VERSION, createdAt: toIso(at), engine, isMove },
        ...facts,
        masterKeys: {
          current: checks ? keyIdOf(checks.current) : null,
          previous: checks?.previous ? keyIdOf(checks.previous) : null,
        },
        ...{ partitions, tables },
      }
    })
    await writer.finish(manifest)
    return manifest
  } catch (error) {
    await writer.abandon()
    throw error
  }
}

async function dumpTables(
  tx: Tx,
  writer: BackupWriter,
  onProgress: (progress: Progress) => void,
): Promise<TableSum[]> {
  const sums: TableSum[] = []
  let rows = 0
  for (const table of await listTables(tx)) {
    await writer.beginTable({ table: table.name, columns: table.columns })
    await dumpTable(tx, table, async (page) => {
      await writer.addRows(page)
      rows += page.length
      onProgress({ table: table.name, rows })
    })
    sums.push(writer.endTable())
  }
  return sums
}

/** The newest table stands for the whole schema of this version, and a store that is half restored has no use. */
async function requireWhole(db: Database): Promise<void> {
  if (!(await hasTable(db, 'store_backup'))) {
    throw new Error(
      'The database was not migrated to this version. Start the gateway once, or run the version that serves it; then repeat the backup.',
    )
  }
  if ((await findStoreState(db))?.state !== 'restoring') return
  throw new Error(
    'A restore into this store was cut off, so it is not complete. No backup was made.',
  )
}
