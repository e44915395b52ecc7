import { existsSync } from 'node:fs'
import type { Database, Queryable } from '../engine/database.ts'
import { keyFileIn, makeKeyFile, nextKeyFileIn, readKeyFile } from './key-files.ts'
import { createSealer, INSTALLATION, MARK_BYTES, type Sealer, WITHOUT_ID } from './sealed.ts'

/** The sources of this process's master keys. */
export interface KeySource {
  readonly given: Buffer | undefined
  /** The previous key, during a rotation of the master key. */
  readonly previous: Buffer | undefined
  /** The folder of the key file, used if no key is given. */
  readonly dataDir: string
}

/** Sealed texts in the database that only its own keys open. */
export interface KeyChecks {
  readonly current: Buffer
  /** Set during a rotation, while values sealed under the previous key remain. */
  readonly previous: Buffer | null
}

const CHECK = 'purser master key check'

/**
 * Creates a sealer for this database. The database determines which of the keys seals; the others
 * only open. A key is created only for a database that has none, because a new key could not open
 * stored values. Throws if the keys are not the database's (ADR 29).
 */
export async function openSealer(db: Database, source: KeySource): Promise<Sealer> {
  const known = await findKeyChecks(db)
  const keys = await loadMasterKeys(source, known === undefined)
  const [first] = keys
  const checks = known ?? (first && (await storeFirstCheck(db, first)))
  const current = checks && keys.find((key) => opens(key, checks.current))
  if (!checks || !current) {
    throw new Error(
      'The master key is not the one this database was set up with. Set the right one in PURSER_MASTER_KEY, or set PURSER_DATA_DIR to the folder whose master.key was used.',
    )
  }
  const { previous } = checks
  if (previous && !keys.some((key) => opens(key, previous))) {
    throw new Error(
      'The rotation of the master key is not finished, and some values are still encrypted with the previous key. Set that key in PURSER_MASTER_KEY_PREVIOUS, or finish with purser rotate-master-key.',
    )
  }
  return createSealer(
    current,
    keys.filter((key) => key !== current),
  )
}

/**
 * The keys of this process; the first one seals in a new database. The configuration makes sure
 * that a production gateway has one.
 */
export async function loadMasterKeys(
  { given, previous, dataDir }: KeySource,
  mayMake: boolean,
): Promise<Buffer[]> {
  if (given) return previous ? [given, previous] : [given]
  const path = keyFileIn(dataDir)
  if (mayMake) await makeKeyFile(path)
  else if (!existsSync(path)) {
    throw new Error(
      `This database has a master key, but ${path} is missing. Restore that file from a backup, set PURSER_DATA_DIR to the folder that has it, or set the key in PURSER_MASTER_KEY. No new key was created: it could not decrypt the stored secrets.`,
    )
  }
  const next = nextKeyFileIn(dataDir)
  const others = existsSync(next) ? [await readKeyFile(next)] : []
  return [await readKeyFile(path), ...others]
}

export async function findKeyChecks(db: Queryable): Promise<KeyChecks | undefined> {
  const [row] = await db.query<KeyChecks>({
    text: `select master_key_check as current, previous_master_key_check as previous
           from installation`,
  })
  return row
}

/** Returns the stored check: a different process may have been first. */
async function storeFirstCheck(db: Queryable, key: Buffer): Promise<KeyChecks | undefined> {
  await db.query({
    text: 'insert into installation (master_key_check) values ($1) on conflict do nothing',
    values: [toCheck(key)],
  })
  return findKeyChecks(db)
}

/**
 * From here on, starting gateways seal under `next`, and none starts without the previous key.
 * Returns the check of `next`. Throws if the database's key has changed meanwhile: no gateway could
 * open the values that this run would seal.
 */
export async function beginRotation(
  db: Queryable,
  known: KeyChecks,
  next: Buffer,
): Promise<Buffer> {
  const check = toCheck(next)
  const rows = await db.query({
    text: `update installation
           set master_key_check = $1, previous_master_key_check = master_key_check
           where master_key_check = $2 and previous_master_key_check is not distinct from $3
           returning 1`,
    values: [check, known.current, known.previous],
  })
  if (rows.length > 0) return check
  throw new Error(
    'Another run is rotating the master key of this database. This run changed nothing.',
  )
}

/** Ends a rotation: no value is left under the previous key. `check` is that of the current key. */
export async function endRotation(db: Queryable, check: Buffer): Promise<void> {
  await db.query({
    text: 'update installation set previous_master_key_check = null where master_key_check = $1',
    values: [check],
  })
}

function toCheck(key: Buffer): Buffer {
  return createSealer(key).seal(INSTALLATION, 'check', CHECK)
}

export function opens(key: Buffer, check: Buffer): boolean {
  try {
    return createSealer(key).open(INSTALLATION, 'check', check) === CHECK
  } catch {
    // A wrong key ends here: its id differs, or the authentication tag does not match.
    return false
  }
}

/** The id of the master key that sealed a check, in hexadecimal. Null if the value has none. */
export function keyIdOf(check: Buffer): string | null {
  return check[0] === WITHOUT_ID ? null : check.subarray(1, MARK_BYTES).toString('hex')
}
