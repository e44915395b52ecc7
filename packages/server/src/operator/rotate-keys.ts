import { rotateLogKey as makeLogKey } from '../audit/log-keys.ts'
import type { Log } from '../base/log.ts'
import { toIso } from '../core/time/instant.ts'
import type { Config } from '../process/config.ts'
import { openExistingStorage } from '../process/open-storage.ts'
import { rotateSigningKey as makeSigningKey } from '../tokens/signing-keys.ts'

export interface Rotated {
  readonly kid: string
  readonly signsFrom: string
  /** The previous key is published until this instant. */
  readonly publishedUntil: string
}

/** Rotates the key of mandate tokens. Gateways may keep running, and none has to restart. */
export async function rotateSigningKey(config: Config, log: Log): Promise<Rotated> {
  const storage = await openExistingStorage(config, log)
  try {
    const { kid, signsFrom, publishedUntil } = await makeSigningKey(storage)
    return { kid, signsFrom: toIso(signsFrom), publishedUntil: toIso(publishedUntil) }
  } finally {
    await storage.db.close()
  }
}

/**
 * Rotates the key that signs the audit logs. Gateways may keep running, and none has to restart.
 * Returns the instant until which the previous key also signs.
 */
export async function rotateLogKey(config: Config, log: Log): Promise<{ alsoUntil: string }> {
  const storage = await openExistingStorage(config, log)
  try {
    return { alsoUntil: toIso(await makeLogKey(storage)) }
  } finally {
    await storage.db.close()
  }
}
