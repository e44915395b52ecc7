import type { Lifecycle } from '../base/lifecycle.ts'
import { logEvent } from '../base/log/log-event.ts'
import type { Log } from '../base/log.ts'
import { prepareSetup } from '../people/prepare-setup.ts'
import { readStoreState } from '../storage/backup/store-state.ts'
import type { Config } from './config.ts'
import { compareHeads } from './heads-file.ts'
import { tryAddress } from './listening.ts'
import { openStorage, type Storage } from './open-storage.ts'
import { createFirstOrganization, findKeyFile, warnOfExposedFiles } from './setup.ts'
import { METRICS_NAMES } from './start-metrics.ts'

/** An open storage, and the files that a person should know of. */
export interface Prepared {
  readonly storage: Storage
  /** The file that holds the first key, if this start has created one. */
  readonly firstKeyFile: string | undefined
  /** The file that holds the first key, if an earlier start has left it in the data folder. */
  readonly keptKeyFile: string | undefined
  /** The file with the token of the first owner, while the organization has no member. */
  readonly setupFile: string | undefined
}

/**
 * The part of a start that happens once, however many workers serve: warnings about settings and
 * files, migrations, and the first organization. The lifecycle closes the storage.
 */
export async function prepareInstallation(
  lifecycle: Pick<Lifecycle, 'onStop'>,
  config: Config,
  log: Log,
): Promise<Prepared> {
  for (const unknown of config.warnings) logEvent(log, 'process.setting_unknown', unknown)
  await tryAddress(config.http)
  if (config.metrics) await tryAddress({ ...config.metrics, ...METRICS_NAMES })
  const storage = await openStorage(config, log)
  const { db } = storage
  lifecycle.onStop(() => db.close())
  await compareHeads({ db, path: config.headsFile })
  await warnOfExposedFiles(config, log)
  const keptKeyFile = findKeyFile(config)
  const created = await createFirstOrganization(storage, config)
  const isDevelopment = config.environment === 'development'
  // In production a start creates no access that the operator did not ask for.
  const mayPrepare = isDevelopment || created !== undefined
  const mayWrite = (await readStoreState(db)) === undefined
  const isPrepared = mayPrepare && mayWrite
  const setupFile = isPrepared ? await prepareSetup(db, config.storage.dataDir) : undefined
  return { storage, firstKeyFile: created?.keyFile, keptKeyFile, setupFile }
}
