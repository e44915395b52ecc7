import type { StorageLog } from '../../src/storage/engine/database.ts'

/** For tests that do not look at the log. */
export const silentLog: StorageLog = {
  info: () => {},
  warn: () => {},
  error: () => {},
}
