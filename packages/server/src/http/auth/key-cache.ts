import {
  findLiveKey,
  KEYS_CHANGED_CHANNEL,
  NO_ORGANIZATION,
  type StoredKey,
} from '../../storage/api-keys.ts'
import type { Database } from '../../storage/engine/database.ts'
import { type CredentialCache, createCredentialCache } from './credential-cache.ts'
import { tooManyUnknown } from './turns.ts'

export type KeyCache = CredentialCache<StoredKey>

export function createKeyCache(db: Database, now: () => number): Promise<KeyCache> {
  return createCredentialCache(db, now, {
    channel: KEYS_CHANGED_CHANNEL,
    read(publicId, { last, wasAbsent }) {
      // A repeated lookup takes one round trip, whether or not the key exists.
      const known = last?.key.organizationId ?? (wasAbsent ? NO_ORGANIZATION : undefined)
      return findLiveKey(db, publicId, known)
    },
    endOf: ({ key }) => key.expiresAt,
    tooMany: () => tooManyUnknown('keys'),
  })
}
