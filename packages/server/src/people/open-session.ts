import { clip } from '../base/errors.ts'
import type { Instant } from '../core/time/instant.ts'
import type { Tx } from '../storage/engine/database.ts'
import { newId } from '../storage/new-id.ts'
import { endSessions } from '../storage/people/session-ends.ts'
import { IDLE_MS, insertSession, type SessionOwner } from '../storage/people/sessions.ts'
import { mintSession } from '../storage/secrets/session-secret.ts'

/** For how long a session lives, however much it is used. */
export const SESSION_MS = 7 * 86_400_000
/** More browsers than a person uses. A further one ends the oldest. */
export const SESSIONS_MAX = 20
const USER_AGENT_MAX = 200
export const ADDRESS_MAX = 64

/** Where a person signs in from. */
export interface Origin {
  readonly userAgent: string
  readonly address: string
}

/** What the browser is given. */
export interface OpenedSession {
  readonly token: string
}

/**
 * Opens a session for the member, with a secret that nobody has had before. The caller holds the member,
 * and has seen the password.
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
