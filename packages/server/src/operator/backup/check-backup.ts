import type { Config } from '../../process/config.ts'
import type { AppliedMigration } from '../../storage/backup/facts.ts'
import { readMigrations } from '../../storage/engine/migrate.ts'
import { type KeyChecks, keyIdOf, loadMasterKeys, opens } from '../../storage/secrets/master-key.ts'
import type { Manifest, TableHead } from './format.ts'
import { readBackup } from './read-backup.ts'

/** A backup whose hashes, migrations and master key are right. */
export interface CheckedBackup {
  readonly manifest: Manifest
  readonly tables: readonly TableHead[]
}

/**
 * Reads the whole file once before anything is written: its hashes, whether this version knows its
 * migrations, and whether the master key opens the values that are sealed in it.
 */
export async function checkBackup(file: string, config: Config): Promise<CheckedBackup> {
  const tables: TableHead[] = []
  let checks: KeyChecks | undefined
  const manifest = await readBackup(file, {
    onTable: (head) => void tables.push(head),
    onRow: (row) => {
      const head = tables.at(-1)
      if (head?.table === 'installation') checks = toKeyChecks(head, row)
    },
  })
  await requireKnown(manifest.migrations)
  if (checks) await requireKeys(checks, config)
  return { manifest, tables }
}

function toKeyChecks({ columns }: TableHead, row: readonly (string | null)[]): KeyChecks {
  const bytesOf = (name: string): Buffer | null => {
    const text = row[columns.findIndex((column) => column.name === name)]
    return text ? Buffer.from(text.slice('\\x'.length), 'hex') : null
  }
  return {
    current: bytesOf('master_key_check') ?? Buffer.of(),
    previous: bytesOf('previous_master_key_check'),
  }
}

/** The migrations of the backup must be the first of ours, so that the rest can follow them. */
async function requireKnown(applied: readonly AppliedMigration[]): Promise<void> {
  const ours = await readMigrations()
  for (const [at, { id, name, checksum }] of applied.entries()) {
    const own = ours[at]
    if (own?.id === id && own.checksum === checksum) continue
    throw new Error(
      `The backup has migration ${id} (${name}), which this version of Purser does not have. Restore it with the version that wrote it, or a newer one. Nothing was restored.`,
    )
  }
}

async function requireKeys({ current, previous }: KeyChecks, config: Config): Promise<void> {
  const { masterKeys, storage } = config
  const keys = await loadMasterKeys({ ...masterKeys, dataDir: storage.dataDir }, false).catch(
    () => [],
  )
  for (const check of previous ? [current, previous] : [current]) {
    if (keys.some((key) => opens(key, check))) continue
    const id = keyIdOf(check)
    const which = id === null ? '' : ` (id ${id})`
    const source = masterKeys.given
      ? 'Set it in PURSER_MASTER_KEY'
      : `Copy the original's master.key to ${storage.dataDir}, or set PURSER_MASTER_KEY`
    const during = check === previous ? ', and during a rotation PURSER_MASTER_KEY_PREVIOUS' : ''
    throw new Error(
      `The secrets in the backup need the master key${which}, which is not set here. ${source}${during}. Nothing was restored.`,
    )
  }
}
