import type { Log } from '../base/log.ts'
import { toIso } from '../core/time/instant.ts'
import type { Config } from '../process/config.ts'
import { openStorage } from '../process/setup.ts'
import { rotateSigningKey as rotate } from '../tokens/signing-keys.ts'

export interface Rotated {
  readonly kid: string
  readonly signsFrom: string
  /** Until when the key before is published. */
  readonly publishedUntil: string
}

/** Publishes another key for mandate tokens. Gateways may run meanwhile, and none has to restart. */
export async function rotateSigningKey(config: Config, log: Log): Promise<Rotated> {
  const storage = await openStorage(config, log)
  try {
    const { kid, signsFrom, publishedUntil } = await rotate(storage)
    return { kid, signsFrom: toIso(signsFrom), publishedUntil: toIso(publishedUntil) }
  } finally {
    await storage.db.close()
  }
}
