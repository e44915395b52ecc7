import type { ApiKey } from '../core/api-key.ts'
import { recordKeyUse } from '../storage/api-keys.ts'
import type { Database } from '../storage/database.ts'

const WRITTEN_EVERY_MS = 60_000
const KEYS_MAX = 10_000

export interface KeyUse {
  /** Notes that the key was used now. Never waits, never fails the request. */
  note(key: ApiKey): void
  /** Resolves when everything noted is written. */
  drain(): Promise<void>
}

/** Writes when each key was last used, at most once a minute and never in the way of a request. */
export function createKeyUse(
  db: Database,
  now: () => number,
  log: { warn(fields: object, message: string): void },
): KeyUse {
  const written = new Map<string, number>()
  const underway = new Set<Promise<void>>()

  return {
    note(key) {
      const at = now()
      const last = Math.max(written.get(key.id) ?? 0, key.lastUsedAt ?? 0)
      if (at - last < WRITTEN_EVERY_MS) return
      if (written.size >= KEYS_MAX) written.clear()
      written.set(key.id, at)
      const writing = recordKeyUse(db, key.organizationId, key.id, at)
        // The time of last use is a courtesy; losing one must not cost the caller an answer.
        .catch((err: unknown) => log.warn({ err }, 'The last use of a key could not be written.'))
        .finally(() => underway.delete(writing))
      underway.add(writing)
    },
    async drain() {
      await Promise.all(underway)
    },
  }
}
