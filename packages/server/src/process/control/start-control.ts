import { logEvent } from '../../base/log/log-event.ts'
import type { Log } from '../../base/log.ts'
import {
  findClosedStore,
  finishRestore,
  releaseDeliveries,
} from '../../storage/backup/finish-restore.ts'
import { noteBackup } from '../../storage/backup/last-backup.ts'
import type { Database } from '../../storage/engine/database.ts'
import type { Config } from '../config.ts'
import { examineDatabase } from '../doctor/examine.ts'
import { copyStore, endStoreMove, removeOldCopies } from './copy-store.ts'
import { type Control, type ControlCommands, serveControl } from './serve-control.ts'

export interface ControlParts {
  readonly db: Database
  readonly config: Config
  readonly log: Log
}

/** What an operator command can ask a running gateway. A further command is one entry here. */
function listCommands({ db, config }: ControlParts): ControlCommands {
  return {
    'backup-copy': copyStore(db, config.storage.dataDir),
    'end-move': endStoreMove(db),
    'note-backup': async () => {
      await noteBackup(db)
      return {}
    },
    'find-closed-store': async () => ({ ...(await findClosedStore(db)) }),
    'finish-restore': async ({ holdsDeliveries }) => {
      await finishRestore(db, holdsDeliveries === true)
      return {}
    },
    'release-deliveries': async () => {
      await releaseDeliveries(db)
      return {}
    },
    doctor: async () => ({ checks: await examineDatabase(db, config) }),
  }
}

const NONE: Control = { stop: async () => {} }

/**
 * Starts the socket for operator commands, on the embedded engine alone: with PostgreSQL they open
 * the database themselves. On Windows a pipe would be open to other users, so there is none.
 */
export async function startControl(parts: ControlParts): Promise<Control> {
  const { db, config, log } = parts
  if (db.engine !== 'embedded' || process.platform === 'win32') return NONE
  const { dataDir } = config.storage
  try {
    await removeOldCopies(dataDir)
    return await serveControl(dataDir, listCommands(parts))
  } catch (err) {
    logEvent(log, 'process.control_unavailable', { err })
    return NONE
  }
}
