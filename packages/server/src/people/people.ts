import type { Log } from '../base/log.ts'
import { createSessionCache, type SessionCache } from '../http/auth/session-cache.ts'
import type { CookieSettings } from '../http/auth/session-cookie.ts'
import type { DatabaseClock } from '../storage/engine/clock.ts'
import type { Database } from '../storage/engine/database.ts'
import { createLastUse, type LastUse } from '../storage/last-use.ts'
import { recordSessionUses } from '../storage/people/sessions.ts'
import type { SignInParts } from './counted-attempt.ts'
import { createPasswords, type PasswordCost } from './passwords.ts'
import { createSignInLimits } from './sign-in-limits.ts'
import { createSignInNotes } from './sign-in-notes.ts'

/** The parts that sign-in and sessions need. */
export interface People extends SignInParts {
  readonly sessions: SessionCache
  readonly sessionUse: LastUse
  readonly cookies: CookieSettings
  stop(): Promise<void>
}

interface PeopleParts {
  readonly db: Database
  readonly clock: DatabaseClock
  readonly now: () => number
  readonly log: Log
  readonly cookies: CookieSettings
  /** Only tests pass it. */
  readonly passwordCost?: PasswordCost | undefined
}

export async function createPeople(parts: PeopleParts): Promise<People> {
  const { db, clock, now, log, cookies, passwordCost } = parts
  const sessions = await createSessionCache(db, now)
  const sessionUse = createLastUse({
    write: (id, uses) => recordSessionUses(db, id, uses),
    now,
    log,
  })
  return {
    ...{ db, clock, cookies, sessions, sessionUse },
    passwords: createPasswords(passwordCost),
    limits: createSignInLimits(db),
    notes: createSignInNotes(),
    async stop() {
      await sessionUse.stop()
      await sessions.stop()
    },
  }
}
