import { toHandlerCompletion } from './completion.ts'
import { readOutcome } from './read-outcome.ts'
import { readSession } from './read-session.ts'
import { readHandlers } from './session-handlers.ts'
import type { CheckoutVersion } from './version.ts'

/** The version with order adjustments and an Idempotency-Key on every POST. */
export const version20260417: CheckoutVersion = {
  name: '2026-04-17',
  readSession: read,
  completionOf: (_session, payment) => toHandlerCompletion(payment),
  readOutcome: (status, body, retryAfter) => readOutcome(read, { status, body, retryAfter }),
}

function read(body: unknown): ReturnType<CheckoutVersion['readSession']> {
  return readSession(body, readHandlers)
}
