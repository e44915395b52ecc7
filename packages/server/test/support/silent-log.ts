import type { Log } from '../../src/base/log.ts'

/** For tests that do not look at the log. */
export const silentLog: Log = {
  debug: () => {},
  info: () => {},
  warn: () => {},
  error: () => {},
}
