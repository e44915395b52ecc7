import {
  findLiveKey,
  KEYS_CHANGED_CHANNEL,
  NO_ORGANIZATION,
  type StoredKey,
} from '../storage/api-keys.ts'
import type { Database } from '../storage/engine/database.ts'
import { createKeyWatch, type KeyWatch } from './key-watch.ts'
import { createTurns } from './turns.ts'

/**
 * How long a key is trusted before the database is asked again. It is less than a second, so that a
 * revocation takes effect within one even if its announcement is lost unnoticed. One look-up per
 * key and second is nothing compared with the requests it serves.
 */
const FRESH_MS = 900
const ENTRIES_MAX = 10_000
/** Absent keys are kept separately and few, so that made-up keys cannot push out real ones. */
const ABSENT_MAX = 1_000
/**
 * Bounds the look-ups of keys that this process does not know. Anybody can make up as many as they
 * like, and must not be able to keep the database busy with them. At some thousand look-ups a second,
 * a real key that is seen for the first time waits for less than a second.
 */
const UNKNOWN = { atOnce: 4, waitingMax: 1_000 }

export interface KeyCache extends Pick<KeyWatch, 'watch'> {
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
  const reading = new Map<string, Promise<StoredKey | undefined>>()
  const turns = createTurns(UNKNOWN)
  // If the key is revoked while an answer is on its way, that answer must not be kept.
  let revocations = 0
  const watch = createKeyWatch({ find, now })

  const stopListening = await db.listen(KEYS_CHANGED_CHANNEL, {
    onMessage(publicId) {
      revocations++
      entries.delete(publicId)
      reading.delete(publicId)
      watch.look(publicId)
    },
    onGap() {
      revocations++
      entries.clear()
      absent.clear()
      reading.clear()
      watch.look()
    },
  })

  function keep(map: Map<string, Entry>, publicId: string, entry: Entry): void {
    const most = map === entries ? ENTRIES_MAX : ABSENT_MAX
    if (map.size >= most) map.delete(map.keys().next().value ?? '')
    map.set(publicId, entry)
  }

  async function read(
    publicId: string,
    knownOrganization: string | undefined,
  ): Promise<StoredKey | undefined> {
    const seen = revocations
    const stored = await findLiveKey(db, publicId, knownOrganization)
    if (seen !== revocations) return stored
    if (!stored) entries.delete(publicId)
    keep(stored ? entries : absent, publicId, { stored, readAt: now() })
    return stored
  }

  /** Requests that come meanwhile wait for the same answer, unless a revocation is announced. */
  function readOnce(publicId: string, wasAbsent: boolean): Promise<StoredKey | undefined> {
    const underWay = reading.get(publicId)
    if (underWay !== undefined) return underWay
    // A key that was good until just now never waits behind those that are made up.
    const last = entries.get(publicId)?.stored
    // One that is asked for again takes one round trip, whether or not there is such a key.
    const known = wasAbsent ? NO_ORGANIZATION : undefined
    const found = last
      ? read(publicId, last.key.organizationId)
      : turns.run(() => read(publicId, known))
    reading.set(publicId, found)
    const forget = (): void => {
      if (reading.get(publicId) === found) reading.delete(publicId)
    }
    found.then(forget, forget)
    return found
  }

  function find(publicId: string): StoredKey | undefined | Promise<StoredKey | undefined> {
    const entry = entries.get(publicId) ?? absent.get(publicId)
    if (entry && now() - entry.readAt < FRESH_MS) return entry.stored
    return readOnce(publicId, absent.delete(publicId))
  }

  return {
    find,
    watch: watch.watch,
    async stop() {
      watch.stop()
      await stopListening()
    },
  }
}
