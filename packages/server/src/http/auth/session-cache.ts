import type { Instant } from '../../core/time/instant.ts'
import type { Database } from '../../storage/engine/database.ts'
import {
  findLiveSession,
  NO_OWNER,
  SESSIONS_CHANGED_CHANNEL,
  type StoredSession,
} from '../../storage/people/sessions.ts'
import { type CredentialCache, createCredentialCache } from './credential-cache.ts'
import { tooManyUnknown } from './turns.ts'

export type SessionCache = CredentialCache<StoredSession>

/** When the session ends if it is not used again. */
export function endOfSession({ session }: StoredSession): Instant {
  return Math.min(session.idleEndsAt, session.endsAt)
}

export function createSessionCache(db: Database, now: () => number): Promise<SessionCache> {
  return createCredentialCache(db, now, {
    channel: SESSIONS_CHANGED_CHANNEL,
    // A repeated lookup takes one round trip, whether or not the session exists.
    read: (publicId, { last, wasAbsent }) =>
      findLiveSession(db, publicId, last?.session ?? (wasAbsent ? NO_OWNER : undefined)),
    endOf: endOfSession,
    tooMany: () => tooManyUnknown('sessions'),
  })
}
