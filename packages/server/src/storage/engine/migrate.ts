import { createHash } from 'node:crypto'
import { readdir, readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { countOf } from '../../base/count-of.ts'
import { PACKAGE_FOLDER } from '../../base/package-folder.ts'
import { countOlderConnections } from './postgres-gateways.ts'
import type { Database, Queryable, Tx } from './queryable.ts'

interface Migration {
  readonly id: number
  readonly name: string
  readonly sql: string
  readonly checksum: string
  /** Whether programs that do not know it could not work with its result. */
  readonly refusesOlder: boolean
}

interface Applied {
  readonly id: number
  readonly name: string
  readonly checksum: string
}

export const MIGRATIONS_FOLDER = join(PACKAGE_FOLDER, 'migrations')

/** Any number will do, as long as every version of this program uses the same one. */
const LOCK_KEY = 7_203_119_845

/** A migration may rewrite a large table, while a second gateway waits for it. */
const MIGRATION_TIMEOUT_MS = 3_600_000

/**
 * A migration with this line waits until no gateway of an older version is live. CONTRIBUTING.md says
 * which migrations need it.
 */
const REFUSES_OLDER = /^-- refuses: older gateways$/m

const FILE_NAME = /^(\d{4})-([a-z0-9-]+)\.sql$/

/**
 * Applies the migrations that the database lacks, in order, each in a transaction together with its
 * record. Several processes may call it at once. Returns how many it applied.
 */
export async function migrate(
  db: Database,
  folder: string = MIGRATIONS_FOLDER,
  /** Only a restore passes it: it applies no migration with a larger number. */
  upTo: number = Number.POSITIVE_INFINITY,
): Promise<number> {
  const migrations = (await readMigrations(folder)).filter(({ id }) => id <= upTo)
  let count = 0
  while (await applyNext(db, migrations)) count += 1
  return count
}

/**
 * The lock belongs to the transaction, so it cannot outlive a killed process. The list of applied
 * migrations is read under it, so a process that waited sees the migrations that others applied.
 */
function applyNext(db: Database, migrations: readonly Migration[]): Promise<boolean> {
  return underMigrationLock(db, async (tx) => {
    const next = findNext(migrations, await listApplied(tx))
    if (next === undefined) return false
    if (next.refusesOlder && db.engine === 'postgres') await refuseOlder(tx, next)
    await apply(tx, next)
    return true
  })
}

/** Runs while no process can migrate. A gateway that starts meanwhile waits for it. */
export function underMigrationLock<T>(db: Database, run: (tx: Tx) => Promise<T>): Promise<T> {
  return db.transaction(async (tx) => {
    await tx.query({
      text: `select set_config(name, $1, true)
             from unnest(array['statement_timeout', 'lock_timeout']) as name`,
      values: [String(MIGRATION_TIMEOUT_MS)],
    })
    const text = 'select pg_advisory_xact_lock($1)'
    await tx.query({ text, values: [LOCK_KEY], timeoutMs: MIGRATION_TIMEOUT_MS })
    return run(tx)
  })
}

/**
 * An older gateway that starts meanwhile waits for the lock of the migrations, and then finds that
 * the database is ahead of it.
 */
async function refuseOlder(tx: Queryable, { id, name }: Migration): Promise<void> {
  const count = await countOlderConnections(tx, id)
  if (count === 0) return
  throw new Error(
    `Gateways of an older version are live (${countOf(count, 'connection')}), and they cannot work with the ` +
      `result of migration ${fileNameOf(id, name)}. Stop all of them, and start this version again. ` +
      'Nothing was changed. docs/upgrade.md says more.',
  )
}

async function apply(tx: Queryable, { id, name, sql, checksum }: Migration): Promise<void> {
  try {
    await tx.query({ text: sql, timeoutMs: MIGRATION_TIMEOUT_MS })
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error)
    throw new Error(
      `Migration ${fileNameOf(id, name)} failed and was rolled back. The database says: ${reason}`,
      { cause: error },
    )
  }
  await tx.query({
    text: `insert into schema_migrations (id, name, checksum, applied_at)
           values ($1, $2, $3, clock_timestamp())`,
    values: [id, name, checksum],
  })
}

async function listApplied(tx: Queryable): Promise<Applied[]> {
  await tx.query({
    text: `create table if not exists schema_migrations (
             id int primary key,
             name text not null,
             checksum text not null,
             applied_at timestamptz not null)`,
  })
  return tx.query<Applied>({ text: 'select id, name, checksum from schema_migrations order by id' })
}

/**
 * The first migration that is not applied. Throws if the applied ones are not the first of ours.
 */
function findNext(
  migrations: readonly Migration[],
  applied: readonly Applied[],
): Migration | undefined {
  for (const [index, { id, name, checksum }] of applied.entries()) {
    const migration = migrations[index]
    if (migration === undefined) {
      throw new Error(
        `The database is ahead of this program: it has migration ${fileNameOf(id, name)}, which ` +
          'this version does not know. Start the version that applied it, or a newer one.',
      )
    }
    if (migration.id !== id) {
      throw new Error(
        `The database lacks migration ${fileNameOf(migration.id, migration.name)} but has ` +
          `${fileNameOf(id, name)}. Restore it from a backup.`,
      )
    }
    if (migration.checksum !== checksum) {
      throw new Error(
        `Migration ${fileNameOf(id, name)} was changed after it was applied. Restore the file as ` +
          'it was and make the change in a new migration.',
      )
    }
  }
  return migrations[applied.length]
}

/** The migrations of a database, compared with those of this program. */
export interface MigrationState {
  readonly applied: number
  /** The file names of migrations that the database lacks. */
  readonly missing: readonly string[]
  /** A sentence that says why this program cannot use the database. */
  readonly mistake: string | undefined
}

/** Compares the migrations without applying any. */
export async function readMigrationState(
  db: Queryable,
  folder: string = MIGRATIONS_FOLDER,
): Promise<MigrationState> {
  const migrations = await readMigrations(folder)
  const [table] = await db.query<{ isThere: boolean }>({
    text: `select to_regclass('schema_migrations') is not null as "isThere"`,
  })
  const applied = table?.isThere
    ? await db.query<Applied>({
        text: 'select id, name, checksum from schema_migrations order by id',
      })
    : []
  const missing = migrations.slice(applied.length).map(({ id, name }) => fileNameOf(id, name))
  try {
    findNext(migrations, applied)
    return { applied: applied.length, missing, mistake: undefined }
  } catch (error) {
    const mistake = error instanceof Error ? error.message : String(error)
    return { applied: applied.length, missing, mistake }
  }
}

/** All of them in their order. Throws if they are not numbered without gaps. */
export async function readMigrations(folder: string = MIGRATIONS_FOLDER): Promise<Migration[]> {
  const names = (await readdir(folder)).filter((name) => name.endsWith('.sql')).sort()
  const migrations = await Promise.all(names.map((name) => readMigration(folder, name)))
  for (const [index, { id, name }] of migrations.entries()) {
    if (id === index + 1) continue
    throw new Error(
      `The migrations in ${folder} are not numbered without gaps from 0001: found ` +
        `${fileNameOf(id, name)} in place ${index + 1}.`,
    )
  }
  return migrations
}

/** How many migrations this program knows. */
export async function countMigrations(folder: string = MIGRATIONS_FOLDER): Promise<number> {
  return (await readdir(folder)).filter((name) => FILE_NAME.test(name)).length
}

async function readMigration(folder: string, fileName: string): Promise<Migration> {
  const [, digits, name] = FILE_NAME.exec(fileName) ?? []
  if (digits === undefined || name === undefined) {
    throw new Error(`The migration ${fileName} is not named like 0001-what-it-does.sql.`)
  }
  const sql = await readFile(join(folder, fileName), 'utf8')
  // Git may check out the same file with different line endings on a different machine.
  const checksum = createHash('sha256').update(sql.replaceAll('\r\n', '\n')).digest('hex')
  return { id: Number(digits), name, sql, checksum, refusesOlder: REFUSES_OLDER.test(sql) }
}

function fileNameOf(id: number, name: string): string {
  return `${String(id).padStart(4, '0')}-${name}.sql`
}
