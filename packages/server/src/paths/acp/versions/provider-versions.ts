import { toProviderCompletion } from './completion.ts'
import { readOutcome } from './read-outcome.ts'
import { readSession } from './read-session.ts'
import { readPaymentProvider } from './session-handlers.ts'
import type { CheckoutVersion } from './version.ts'

/**
 * The versions before payment handlers: a session has one provider, and a completion names token
 * and provider.
 */
export const PROVIDER_VERSIONS: readonly CheckoutVersion[] = [
  '2026-01-16',
  '2025-12-12',
  '2025-09-29',
].map((name) => ({
  name,
  readSession: read,
  completionOf: (_session, payment) => toProviderCompletion(payment),
  readOutcome: (status, body, retryAfter) => readOutcome(read, { status, body, retryAfter }),
}))

function read(body: unknown): ReturnType<CheckoutVersion['readSession']> {
  return readSession(body, readPaymentProvider)
}
