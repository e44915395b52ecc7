import { rotateLogKey as rotate } from '../audit/log-keys.ts'
import type { Log } from '../base/log.ts'
import { toIso } from '../core/time/instant.ts'
import type { Config } from '../process/config.ts'
import { openStorage } from '../process/setup.ts'

/**
 * Makes another key that signs the audit logs. Gateways may run meanwhile, and none has to restart.
 * Gives until when the key before signs beside it.
 */
export async function rotateLogKey(config: Config, log: Log): Promise<{ alsoUntil: string }> {
  const storage = await openStorage(config, log)
  try {
    return { alsoUntil: toIso(await rotate(storage)) }
  } finally {
    await storage.db.close()
  }
}
