import { findLiveKey, KEYS_CHANGED_CHANNEL, type StoredKey } from '../storage/api-keys.ts'
import type { Database } from '../storage/engine/database.ts'

/**
 * How long a key is trusted before the database is asked again. It is less than a second, so that a
 * revocation takes effect within one even if its announcement is lost unnoticed. One look-up per
 * key and second is nothing compared with the requests it serves.
 */
const FRESH_MS = 900
const ENTRIES_MAX = 10_000
/** Absent keys are kept separately and few, so that made-up keys cannot push out real ones. */
const ABSENT_MAX = 1_000

export interface KeyCache {
  /** Answers at once if the key is cached, which is nearly always. */
  find(publicId: string): StoredKey | undefined | Promise<StoredKey | undefined>
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
 * When a revocation commits, the database announces it to every process, usually at once. When the
 * connection that hears the announcements is lost, the cache is emptied.
 */
export async function createKeyCache(db: Database, now: () => number): Promise<KeyCache> {
  const entries = new Map<string, Entry>()
  const absent = new Map<string, Entry>()
  // If the key is revoked while an answer is on its way, that answer must not be kept.
  let revocations = 0

  const stop = await db.listen(KEYS_CHANGED_CHANNEL, {
    onMessage(publicId) {
      revocations++
      entries.delete(publicId)
    },
    onGap() {
      revocations++
      entries.clear()
      absent.clear()
    },
  })

  function keep(map: Map<string, Entry>, publicId: string, entry: Entry): void {
    const most = map === entries ? ENTRIES_MAX : ABSENT_MAX
    if (map.size >= most) map.delete(map.keys().next().value ?? '')
    map.set(publicId, entry)
  }

  async function read(publicId: string, last?: StoredKey): Promise<StoredKey | undefined> {
    const seen = revocations
    const stored = await findLiveKey(db, publicId, last?.key.organizationId)
    if (seen !== revocations) return stored
    keep(stored ? entries : absent, publicId, { stored, readAt: now() })
    return stored
  }

  return {
    find(publicId) {
      const entry = entries.get(publicId) ?? absent.get(publicId)
      if (entry && now() - entry.readAt < FRESH_MS) return entry.stored
      entries.delete(publicId)
      absent.delete(publicId)
      return read(publicId, entry?.stored)
    },
    stop,
  }
}
