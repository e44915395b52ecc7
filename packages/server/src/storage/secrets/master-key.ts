import { existsSync } from 'node:fs'
import type { Database, Queryable } from '../engine/database.ts'
import { keyFileIn, makeKeyFile, nextKeyFileIn, readKeyFile } from './key-files.ts'
import { createSealer, INSTALLATION, type Sealer } from './sealed.ts'

/** Where the master keys of this process come from. */
export interface KeySource {
  readonly given: Buffer | undefined
  /** The key before, while the master key is changed. */
  readonly previous: Buffer | undefined
  /** Where the key is kept if none is given. */
  readonly dataDir: string
}

/** What the database remembers of its keys: a text that only the right one opens. */
interface KeyChecks {
  readonly current: Buffer
  /** Set while values under the key before are still there. */
  readonly previous: Buffer | null
}

const CHECK = 'purser master key check'

/**
 * A sealer for this database. The database says which of the keys seals; the others only open. A key
 * is made only for a database that has none: another one could not open what is stored. Throws if
 * the keys are not the database's.
 */
export async function openSealer(db: Database, source: KeySource): Promise<Sealer> {
  const known = await findKeyChecks(db)
  const keys = await loadMasterKeys(source, known === undefined)
  const [first] = keys
  const checks = known ?? (first && (await storeFirstCheck(db, first)))
  const current = checks && keys.find((key) => opens(key, checks.current))
  if (!checks || !current) {
    throw new Error(
      'The master key is not the one this database was set up with. Give the right one in PURSER_MASTER_KEY, or the data folder whose master.key was used.',
    )
  }
  const { previous } = checks
  if (previous && !keys.some((key) => opens(key, previous))) {
    throw new Error(
      'The change of the master key is not finished, and values under the key before are still there. Give that key in PURSER_MASTER_KEY_PREVIOUS, or finish with purser rotate-master-key.',
    )
  }
  return createSealer(
    current,
    keys.filter((key) => key !== current),
  )
}

/**
 * The keys that this process has, the one to seal with at first before others. The configuration
 * makes sure that production gives one.
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
      `This database has a master key, and ${path} is not there. Put that file back from a backup, set PURSER_DATA_DIR to the folder that has it, or give the key in PURSER_MASTER_KEY. No other key was made: it could not open what is stored.`,
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

/** Gives what is stored then: another process may have been first. */
async function storeFirstCheck(db: Queryable, key: Buffer): Promise<KeyChecks | undefined> {
  await db.query({
    text: 'insert into installation (master_key_check) values ($1) on conflict do nothing',
    values: [toCheck(key)],
  })
  return findKeyChecks(db)
}

/**
 * From here on gateways that start seal under `next`, and none starts without the key before. Gives the
 * check of `next`. Throws if the database's key is another one by now: what this run would seal, nobody
 * could open.
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
    'Another run is changing the master key of this database. Nothing was changed by this one.',
  )
}

/** Nothing is left under the key before. The check is that of the key that everything is under. */
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
    // A wrong key looks like this: its id is another one, or the authentication tag does not match.
    return false
  }
}
