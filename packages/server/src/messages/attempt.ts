import { logEvent } from '../base/log/log-event.ts'
import type { Log } from '../base/log.ts'
import type { OutboundClient } from '../outbound/outbound-client.ts'
import type { DatabaseClock } from '../storage/engine/clock.ts'
import type { Database } from '../storage/engine/database.ts'
import { type ClaimedMessage, endMessage, postponeMessage } from '../storage/messages/outbox.ts'
import { postToChat } from './chat.ts'
import { type ContentParts, type Written, writeMessage } from './contents.ts'
import {
  CERTIFICATE_REFUSED,
  type Mailer,
  NO_TLS,
  type SendResult,
  SIGN_IN_REFUSED,
} from './mailer.ts'

export interface AttemptParts extends ContentParts {
  readonly db: Database
  readonly clock: DatabaseClock
  readonly log: Log
  readonly outbound: Pick<OutboundClient, 'call'>
  /** Undefined if no SMTP server is configured. */
  readonly mailer: Mailer | undefined
  readonly onMessage?: OnMessage | undefined
}

type MessageOutcome = 'sent' | 'retried' | 'failed' | 'dropped'
/** Called with the end of each attempt. Absent unless metrics are on. */
export type OnMessage = (
  kind: string,
  channel: ClaimedMessage['channel'],
  outcome: MessageOutcome,
) => void

const MINUTE_MS = 60_000
/** The delays before the retries. Together they are 10 hours. */
export const RETRY_DELAYS_MS = [1, 5, 15, 60, 180, 360].map((minutes) => minutes * MINUTE_MS)

interface Leased {
  readonly organizationId: string
  readonly message: ClaimedMessage
  readonly leaseId: string
}

/** Sends a leased message once, and stores the result. */
export async function carryOut(parts: AttemptParts, leased: Leased): Promise<void> {
  const { db, clock, log } = parts
  const { organizationId, message, leaseId } = leased
  const { id, kind, channel, failures } = message
  const fields = { organizationId, messageId: id, kind, channel }
  const result = await attempt(parts, organizationId, message).catch((err: unknown) => {
    logEvent(log, 'messages.attempt_failed', { err, ...fields })
    return { isSent: false, isFinal: false, code: 'defect' } as const
  })
  const now = await clock(db)
  const end = async (outcome: 'sent' | 'dropped' | 'failed'): Promise<void> => {
    await db.query(endMessage(organizationId, { id, leaseId }, outcome, now))
    parts.onMessage?.(kind, channel, outcome)
  }
  if (result === undefined) return end('dropped')
  if (result.isSent) return end('sent')
  const delayMs = result.isFinal ? undefined : RETRY_DELAYS_MS[failures]
  if (delayMs === undefined) {
    await end('failed')
    logEvent(log, 'messages.given_up', { ...fields, reason: result.code })
    return
  }
  await db.query(postponeMessage(organizationId, { id, leaseId }, now + delayMs))
  logEvent(log, failureOf(result.code), { ...fields, reason: result.code, retryInMs: delayMs })
  parts.onMessage?.(kind, channel, 'retried')
}

/** A failure that the operator's settings cause has its own line, which names the setting. */
function failureOf(code: string) {
  if (code === SIGN_IN_REFUSED) return 'messages.sign_in_refused'
  if (code === NO_TLS || code === CERTIFICATE_REFUSED) return 'messages.tls_failed'
  return 'messages.send_failed'
}

/** Undefined if there is nothing left to say. */
async function attempt(
  parts: AttemptParts,
  organizationId: string,
  message: ClaimedMessage,
): Promise<SendResult | undefined> {
  // Processes died while they sent it, more often than it may be tried.
  if (message.failures > RETRY_DELAYS_MS.length) {
    return { isSent: false, isFinal: true, code: 'interrupted' }
  }
  const written = await writeMessage(parts, organizationId, message, await parts.clock(parts.db))
  return written && deliver(parts, message, written)
}

function deliver(
  { outbound, mailer }: AttemptParts,
  { id, channel }: ClaimedMessage,
  { to, text }: Written,
): Promise<SendResult> {
  if (channel === 'chat') return postToChat(outbound, to, text)
  if (!mailer) throw new Error('A mail was leased without an SMTP server.')
  return mailer.send({ id, to, ...text })
}
