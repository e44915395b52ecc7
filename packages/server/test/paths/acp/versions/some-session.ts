import assert from 'node:assert/strict'
import { findVersion } from '../../../../src/paths/acp/versions/index.ts'
import type { Session, Unreadable } from '../../../../src/paths/acp/versions/version.ts'
import { exampleOf } from '../../../support/acp/published.ts'

export type Change = (session: ReturnType<typeof exampleOf>) => void

/** A published example of a session, changed and read. */
export function read(
  change: Change = () => {},
  name = 'create_checkout_session_response',
): Session | Unreadable {
  const body = exampleOf('2026-04-17', name)
  change(body)
  const version = findVersion('2026-04-17')
  assert(version)
  return version.readSession(body)
}

/** The same, where it can be read. */
export function sessionOf(change?: Change): Session {
  const session = read(change)
  assert(!('unreadable' in session), 'the session is readable')
  return session
}
