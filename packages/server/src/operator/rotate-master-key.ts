import { existsSync } from 'node:fs'
import type { Log } from '../base/log.ts'
import { ANSWER_PURPOSE } from '../http/idempotency.ts'
import { PATHS } from '../paths/index.ts'
import type { Config } from '../process/config.ts'
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
import {
  type SealedValues,
  storedAnswers,
  webhookSecrets,
} from '../storage/secrets/sealed-values.ts'
import { INSTALLATION_VALUES } from '../storage/tokens/signing-keys.ts'
import { WEBHOOK_URLS } from '../storage/webhooks/urls.ts'
import { SECRET_PURPOSE } from '../webhooks/signature.ts'

export interface Rotation {
  /** How many values were sealed again. */
  readonly resealed: number
  /** False while gateways may still seal under the key before. */
  readonly isFinished: boolean
  /** The file of the key before, where the keys are kept in files. */
  readonly retiredFile: string | undefined
}

/** Everything that is stored sealed. */
export const SEALED: readonly SealedValues[] = [
  ...webhookSecrets(SECRET_PURPOSE),
  WEBHOOK_URLS,
  storedAnswers(ANSWER_PURPOSE),
  ...PATHS.flatMap(({ sealed }) => sealed ?? []),
  ...INSTALLATION_VALUES,
]

/**
 * Moves everything that is sealed to another master key. It can be killed at any point and run
 * again. Gateways that know both keys may run meanwhile. Those that started before the change go on
 * sealing under the key before, so with `finish` the operator says that there are none any more; on
 * the embedded engine this process is alone, and that is known.
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
    const { count: resealed, unreadable } = await resealAll({ db, sealer, kinds: SEALED })
    if (unreadable > 0) {
      throw new Error(
        `${resealed} values are under the new master key. ${unreadable} are under neither of the two keys, or damaged, and were left as they are, so the rotation is not finished. Keep every master key that this database ever had.`,
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
  /** By which the database knows the next one. */
  readonly check: Buffer
}

/** The key to move to, which the database knows from here on, and those that may be met. */
async function findKeys(db: Database, config: Config, finish: boolean): Promise<Keys> {
  const { masterKeys, storage } = config
  const known = await findKeyChecks(db)
  if (!known) throw new Error('This database has no master key yet: nothing is sealed in it.')
  if (masterKeys.given === undefined) await makeNextKey(db, storage.dataDir, finish)
  const keys = await loadMasterKeys({ ...masterKeys, dataDir: storage.dataDir }, false)
  // A given key is the one to move to, and so is the file of the next one.
  const [next, ...others] = masterKeys.given === undefined ? keys.reverse() : keys
  if (next === undefined || others.length === 0) {
    throw new Error(
      'Give the new master key in PURSER_MASTER_KEY and the one until now in PURSER_MASTER_KEY_PREVIOUS (or both as files, with _FILE).',
    )
  }
  if (opens(next, known.current)) return { next, others, check: known.current }
  if (!others.some((key) => opens(key, known.current))) {
    throw new Error(
      'The master key in PURSER_MASTER_KEY_PREVIOUS is not the one this database was set up with. Nothing was changed.',
    )
  }
  const { previous } = known
  // Going back to the key before needs no third one.
  if (previous !== null && !opens(next, previous)) {
    throw new Error(
      'The change of the master key before this one is not finished, and values may still be under a third key. Finish that one first, with its own two keys:  purser rotate-master-key --finish. Nothing was changed.',
    )
  }
  return { next, others, check: await beginRotation(db, known, next) }
}

async function makeNextKey(db: Database, dataDir: string, finish: boolean): Promise<void> {
  if (db.engine === 'postgres') {
    throw new Error(
      'With DATABASE_URL other gateways may run, and they need both keys before the first value is sealed under the new one. Give the new key in PURSER_MASTER_KEY and the one until now in PURSER_MASTER_KEY_PREVIOUS_FILE=…/master.key, restart the gateways with both, then run this again.',
    )
  }
  const path = nextKeyFileIn(dataDir)
  // Here a rotation ends where it begins, so one that can be finished was interrupted and left its file.
  if (finish && !existsSync(path)) {
    throw new Error(
      'No change of the master key is under way. Nothing was changed. With the embedded database --finish is not needed.',
    )
  }
  await makeKeyFile(path)
}

/** The id that its values carry, so that a file can be told from others. */
function nameOf(key: Buffer): string {
  return createSealer(key).mark.subarray(1).toString('hex')
}
