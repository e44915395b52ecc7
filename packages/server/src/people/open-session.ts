import { clip } from '../base/errors.ts'
import type { Instant } from '../core/time/instant.ts'
import type { Tx } from '../storage/engine/database.ts'
import { newId } from '../storage/new-id.ts'
import { endSessions } from '../storage/people/session-ends.ts'
import { IDLE_MS, insertSession, type SessionOwner } from '../storage/people/sessions.ts'
import { mintSession } from '../storage/secrets/session-secret.ts'

/** The lifetime of a session, however much it is used. */
export const SESSION_MS = 7 * 86_400_000
/** More browsers than one person uses. A further session ends the oldest one. */
export const SESSIONS_MAX = 20
const USER_AGENT_MAX = 200
export const ADDRESS_MAX = 64

/** The origin of a sign-in. */
export interface Origin {
  readonly userAgent: string
  readonly address: string
}

/** The session as the browser receives it. */
export interface OpenedSession {
  readonly token: string
}

/**
 * Opens a session for the member, with a new secret. The caller has locked the member and checked the
 * password.
 */
export async function openSession(
  tx: Tx,
  owner: SessionOwner,
  { userAgent, address }: Origin,
  now: Instant,
): Promise<OpenedSession> {
  const { token, publicId, hash } = mintSession()
  const session = {
    ...owner,
    id: newId(now),
    publicId,
    createdAt: now,
    lastSeenAt: now,
    idleEndsAt: now + IDLE_MS,
    endsAt: now + SESSION_MS,
    reauthenticatedAt: now,
    userAgent: clip(userAgent, USER_AGENT_MAX),
    address: clip(address, ADDRESS_MAX),
  }
  insertSession(tx, session, hash)
  await endSessions(tx, owner, { kept: SESSIONS_MAX, except: undefined })
  return { token }
}
