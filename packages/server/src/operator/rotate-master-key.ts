import { existsSync } from 'node:fs'
import type { Log } from '../base/log.ts'
import type { Config } from '../process/config.ts'
import { sealedValues } from '../process/sealed-values.ts'
import { type Database, openDatabase } from '../storage/engine/database.ts'
import { migrate } from '../storage/engine/migrate.ts'
import { adoptNextKey, makeKeyFile, nextKeyFileIn } from '../storage/secrets/key-files.ts'
import {
  beginRotation,
  endRotation,
  findKeyChecks,
  loadMasterKeys,
  opens,
} from '../storage/secrets/master-key.ts'
import { resealAll } from '../storage/secrets/reseal.ts'
import { createSealer } from '../storage/secrets/sealed.ts'

export interface Rotation {
  /** The number of values that were sealed again. */
  readonly resealed: number
  /** False while gateways may still seal under the previous key. */
  readonly isFinished: boolean
  /** The file of the previous key, if keys are stored in files. */
  readonly retiredFile: string | undefined
}

/**
 * Moves all sealed values to a new master key. It can be killed at any point and rerun. Gateways
 * that know both keys may keep running. Gateways that started before the rotation still seal under
 * the previous key, so with `finish` the operator confirms that none is left. On the embedded
 * engine this process is the only one, so no confirmation is needed (ADR 29).
 */
export async function rotateMasterKey(
  config: Config,
  finish: boolean,
  log: Log,
): Promise<Rotation> {
  const db = await openDatabase(config.storage, log)
  try {
    await migrate(db)
    const { next, others, check } = await findKeys(db, config, finish)
    const sealer = createSealer(next, others)
    const { count: resealed, unreadable } = await resealAll({
      db,
      sealer,
      kinds: sealedValues(config),
    })
    if (unreadable > 0) {
      throw new Error(
        `Values that are encrypted with the new master key: ${resealed}. Values that are encrypted with neither of the two keys, or are damaged, and were left unchanged: ${unreadable}, so the rotation is not finished. Keep every master key that this database ever had.`,
      )
    }
    if (db.engine === 'postgres' && !finish) {
      return { resealed, isFinished: false, retiredFile: undefined }
    }
    await endRotation(db, check)
    const isInFile = config.masterKeys.given === undefined
    const name = isInFile ? others.map(nameOf)[0] : undefined
    const { dataDir } = config.storage
    const retiredFile = name && (await adoptNextKey(dataDir, name))
    return { resealed, isFinished: true, retiredFile }
  } finally {
    await db.close()
  }
}

interface Keys {
  readonly next: Buffer
  readonly others: readonly Buffer[]
  /** The database recognizes the next key by this check. */
  readonly check: Buffer
}

/**
 * The key to move to, which the database recognizes from here on, and the keys of existing values.
 */
async function findKeys(db: Database, config: Config, finish: boolean): Promise<Keys> {
  const { masterKeys, storage } = config
  const known = await findKeyChecks(db)
  if (!known)
    throw new Error('This database has no master key yet, so it contains no encrypted values.')
  if (masterKeys.given === undefined) await makeNextKey(db, storage.dataDir, finish)
  const keys = await loadMasterKeys({ ...masterKeys, dataDir: storage.dataDir }, false)
  // The target is the given key, or the key in the next-key file.
  const [next, ...others] = masterKeys.given === undefined ? keys.reverse() : keys
  if (next === undefined || others.length === 0) {
    throw new Error(
      'Set the new master key in PURSER_MASTER_KEY and the current one in PURSER_MASTER_KEY_PREVIOUS (or both as files, with _FILE).',
    )
  }
  if (opens(next, known.current)) return { next, others, check: known.current }
  if (!others.some((key) => opens(key, known.current))) {
    throw new Error(
      'The master key in PURSER_MASTER_KEY_PREVIOUS is not the one this database was set up with. Nothing was changed.',
    )
  }
  const { previous } = known
  // Going back to the previous key needs no third one.
  if (previous !== null && !opens(next, previous)) {
    throw new Error(
      'The previous rotation of the master key is not finished, and values may still be encrypted with a third key. Finish that rotation first, with its own two keys:  purser rotate-master-key --finish. Nothing was changed.',
    )
  }
  return { next, others, check: await beginRotation(db, known, next) }
}

async function makeNextKey(db: Database, dataDir: string, finish: boolean): Promise<void> {
  if (db.engine === 'postgres') {
    throw new Error(
      'With DATABASE_URL, other gateways may run, and they need both keys before the first value is encrypted with the new one. Set the new key in PURSER_MASTER_KEY and the current one with PURSER_MASTER_KEY_PREVIOUS_FILE=…/master.key, restart the gateways with both, then run this again.',
    )
  }
  const path = nextKeyFileIn(dataDir)
  // On the embedded engine one run does the whole rotation, so an unfinished one has left this
  // file.
  if (finish && !existsSync(path)) {
    throw new Error(
      'No rotation of the master key is in progress. Nothing was changed. With the embedded database, --finish is not needed.',
    )
  }
  await makeKeyFile(path)
}

/** The key's id, which its values carry, to tell key files apart. */
function nameOf(key: Buffer): string {
  return createSealer(key).mark.subarray(1).toString('hex')
}
