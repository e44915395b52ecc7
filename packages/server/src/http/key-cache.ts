import { findLiveKey, KEYS_CHANGED_CHANNEL, type StoredKey } from '../storage/api-keys.ts'
import type { Database } from '../storage/database.ts'

/**
 * How long a key is trusted without asking the database again. Under a second, so that a revocation
 * arrives within one even where its announcement is lost without a sign; one look-up per key and
 * second is nothing beside the requests it serves.
 */
const FRESH_MS = 900
const ENTRIES_MAX = 10_000

export interface KeyCache {
  find(publicId: string): Promise<StoredKey | undefined>
  stop(): Promise<void>
}

interface Entry {
  readonly stored: StoredKey | undefined
  readonly readAt: number
}

/**
 * Keys by their public id. Absent keys are remembered too, so that a client that keeps sending a
 * revoked key does not cost a query each time.
 *
 * A revocation is announced to every process by the database when it commits, and usually arrives at
 * once. When the connection that hears the announcements is lost, what is cached is dropped.
 */
export async function createKeyCache(db: Database, now: () => number): Promise<KeyCache> {
  const entries = new Map<string, Entry>()
  // An answer that was on its way while the key was revoked must not be kept.
  let revocations = 0

  const stop = await db.listen(KEYS_CHANGED_CHANNEL, {
    onMessage(publicId) {
      revocations++
      entries.delete(publicId)
    },
    onGap() {
      revocations++
      entries.clear()
    },
  })

  async function read(publicId: string): Promise<StoredKey | undefined> {
    const seen = revocations
    const stored = await findLiveKey(db, publicId)
    if (seen !== revocations) return stored
    if (entries.size >= ENTRIES_MAX) entries.delete(entries.keys().next().value ?? '')
    entries.set(publicId, { stored, readAt: now() })
    return stored
  }

  return {
    async find(publicId) {
      const entry = entries.get(publicId)
      if (entry && now() - entry.readAt < FRESH_MS) return entry.stored
      entries.delete(publicId)
      return read(publicId)
    },
    stop,
  }
}
