import { rotateLogKey as makeLogKey } from '../audit/log-keys.ts'
import type { Log } from '../base/log.ts'
import { toIso } from '../core/time/instant.ts'
import type { Config } from '../process/config.ts'
import { openStorage } from '../process/setup.ts'
import { rotateSigningKey as makeSigningKey } from '../tokens/signing-keys.ts'

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
    const { kid, signsFrom, publishedUntil } = await makeSigningKey(storage)
    return { kid, signsFrom: toIso(signsFrom), publishedUntil: toIso(publishedUntil) }
  } finally {
    await storage.db.close()
  }
}

/**
 * Makes another key that signs the audit logs. Gateways may run meanwhile, and none has to restart.
 * Gives until when the key before signs beside it.
 */
export async function rotateLogKey(config: Config, log: Log): Promise<{ alsoUntil: string }> {
  const storage = await openStorage(config, log)
  try {
    return { alsoUntil: toIso(await makeLogKey(storage)) }
  } finally {
    await storage.db.close()
  }
}
