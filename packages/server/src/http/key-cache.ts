import {
  findLiveKey,
  KEYS_CHANGED_CHANNEL,
  NO_ORGANIZATION,
  type StoredKey,
} from '../storage/api-keys.ts'
import type { Database } from '../storage/engine/database.ts'
import { type Before, createFreshMemory } from './fresh-memory.ts'
import { createKeyWatch, type KeyWatch } from './key-watch.ts'

export interface KeyCache extends Pick<KeyWatch, 'watch'> {
  /** Answers at once if the key is cached, which is nearly always. */
  find(publicId: string): StoredKey | undefined | Promise<StoredKey | undefined>
  stop(): Promise<void>
}

/**
 * Keys by their public id. When a revocation commits, the database announces it to every process,
 * usually at once. When the connection that hears the announcements is lost, the cache is emptied.
 * A key is trusted for less than a second, even if an announcement is lost unnoticed.
 */
export async function createKeyCache(db: Database, now: () => number): Promise<KeyCache> {
  const keys = createFreshMemory<StoredKey>({ read, now })
  const watch = createKeyWatch({ find: keys.find, now })

  function read(
    publicId: string,
    { last, wasAbsent }: Before<StoredKey>,
  ): Promise<StoredKey | undefined> {
    // One that is asked for again takes one round trip, whether or not there is such a key.
    const known = wasAbsent ? NO_ORGANIZATION : undefined
    return findLiveKey(db, publicId, last?.key.organizationId ?? known)
  }

  const stopListening = await db.listen(KEYS_CHANGED_CHANNEL, {
    onMessage(publicId) {
      keys.forget(publicId)
      watch.look(publicId)
    },
    onGap() {
      keys.forgetAll()
      watch.look()
    },
  })

  return {
    find: keys.find,
    watch: watch.watch,
    async stop() {
      watch.stop()
      await stopListening()
    },
  }
}
