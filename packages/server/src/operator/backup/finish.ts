import type { Log } from '../../base/log.ts'
import type { Config } from '../../process/config.ts'
import { askGateway } from '../../process/control/ask-control.ts'
import type { ControlRequest } from '../../process/control/protocol.ts'
import { openExistingStorage } from '../../process/open-storage.ts'
import * as store from '../../storage/backup/finish-restore.ts'
import type { Database } from '../../storage/engine/database.ts'

/** Throws a sentence for the operator if there is nothing to finish. */
export async function findClosedStore(config: Config, log: Log): Promise<store.ClosedStore> {
  const asked = await ask(config, { command: 'find-closed-store' })
  // The gateway has this user's rights and the same program, so its answer needs no further check.
  if (asked) return asked as unknown as store.ClosedStore
  return withStorage(config, log, store.findClosedStore)
}

/** Opens a restored store. The caller has made sure that the original has stopped. */
export async function finishRestore(
  config: Config,
  holdsDeliveries: boolean,
  log: Log,
): Promise<void> {
  if (await ask(config, { command: 'finish-restore', holdsDeliveries })) return
  await withStorage(config, log, (db) => store.finishRestore(db, holdsDeliveries))
}

/** Lets the webhook deliveries go that `--hold-deliveries` kept. */
export async function releaseDeliveries(config: Config, log: Log): Promise<void> {
  if (await ask(config, { command: 'release-deliveries' })) return
  await withStorage(config, log, store.releaseDeliveries)
}

async function ask({ storage }: Config, request: ControlRequest) {
  const answered = await askGateway(storage, request)
  answered?.close()
  return answered?.result
}

async function withStorage<T>(
  config: Config,
  log: Log,
  use: (db: Database) => Promise<T>,
): Promise<T> {
  const { db } = await openExistingStorage(config, log)
  try {
    return await use(db)
  } finally {
    await db.close()
  }
}
