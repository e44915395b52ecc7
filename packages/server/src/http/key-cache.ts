import { findLiveKey, KEYS_CHANGED_CHANNEL, type StoredKey } from '../storage/api-keys.ts'
import type { Database } from '../storage/database.ts'

/** How long a key is trusted without asking the database again. */
const FRESH_MS = 5_000
/** While notifications may be missing, a revocation must still arrive within a second. */
const FRESH_WITHOUT_NOTICE_MS = 500
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
 * A revocation is announced to every process by the database when it commits. When the connection
 * that hears the announcements is lost, what is cached is dropped and kept only briefly from then on.
 */
export async function createKeyCache(db: Database, now: () => number): Promise<KeyCache> {
  const entries = new Map<string, Entry>()
  let freshMs = FRESH_MS
  // An answer that was on its way while the key was revoked must not be kept.
  let revocations = 0

  const stop = await db.listen(KEYS_CHANGED_CHANNEL, {
    onMessage(publicId) {
      revocations++
      freshMs = FRESH_MS
      entries.delete(publicId)
    },
    onGap() {
      revocations++
      freshMs = FRESH_WITHOUT_NOTICE_MS
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
      if (entry && now() - entry.readAt < freshMs) return entry.stored
      entries.delete(publicId)
      return read(publicId)
    },
    stop,
  }
}
