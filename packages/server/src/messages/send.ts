import { randomUUID } from 'node:crypto'
import { logEvent } from '../base/log/log-event.ts'
import { startLoop } from '../base/loop.ts'
import { within } from '../base/within.ts'
import {
  type ClaimedMessage,
  claimMessages,
  countSentMessages,
  listDueMessages,
} from '../storage/messages/outbox.ts'
import { type AttemptParts, carryOut } from './attempt.ts'
import { MAIL_MS_MAX } from './mailer.ts'
import type { Need } from './need.ts'

type Channel = ClaimedMessage['channel']

/** Runs rounds until it is stopped. */
export interface MessageSender {
  /** Runs a round now, and resolves once its messages have ended. */
  round(): Promise<void>
  stop(): Promise<void>
}

const POLL_MS = 1_000
/** How many messages one process sends at once, and how many of them for one organization. */
const AT_ONCE = { mail: { all: 4, each: 2 }, chat: { all: 16, each: 1 } } as const
/** Longer than the longest attempt and the storing of its end. */
const LEASE_MS = MAIL_MS_MAX + 30_000
/** How many messages an organization can send in an hour; further ones wait. */
export const SENT_PER_HOUR_MAX = 1_000
const HOUR_MS = 3_600_000
const STOP_MS_MAX = 5_000

/**
 * Sends queued messages. Several processes may each run a sender: a transaction leases a message by
 * the database's clock before it is sent. If a process dies between sending and storing, the lease
 * ends and the message is sent once more. A closed store refuses the lease, so it sends nothing.
 */
export function startSender(parts: AttemptParts & { readonly need: Need }): MessageSender {
  const { db, clock, log, mailer, need } = parts
  /** The messages under way, by channel and organization. */
  const underWay: Record<Channel, Map<string, Promise<void>>> = { mail: new Map(), chat: new Map() }
  const lastServed: Record<Channel, string> = { mail: '', chat: '' }
  const rounds = startLoop({
    run: runRound,
    everyMs: POLL_MS,
    failed: (err) => logEvent(log, 'messages.send_scan_failed', { err }),
  })

  async function runRound(isStopping: () => boolean): Promise<void> {
    if (!(await need.exists())) return
    if (mailer) await startDue('mail', isStopping)
    await startDue('chat', isStopping)
  }

  /** An organization whose receiver is slow has at most its own messages waiting for it. */
  async function startDue(channel: Channel, isStopping: () => boolean): Promise<void> {
    const running = underWay[channel]
    const { all, each } = AT_ONCE[channel]
    const due = await listDueMessages(db, channel, await clock(db))
    const free = inTurn(due, lastServed[channel]).filter((id) => !running.has(id))
    for (const organizationId of free.slice(0, Math.floor(all / each) - running.size)) {
      if (isStopping()) return
      lastServed[channel] = organizationId
      const ending = serve(organizationId, channel, each)
        .catch((err: unknown) => logEvent(log, 'messages.claim_failed', { err, organizationId }))
        .finally(() => running.delete(organizationId))
      running.set(organizationId, ending)
    }
  }

  async function serve(organizationId: string, channel: Channel, limit: number): Promise<void> {
    const leaseId = randomUUID()
    const claimed = await db.transaction(async (tx) => {
      const now = await clock(tx)
      const sent = await countSentMessages(tx, organizationId, now - HOUR_MS, SENT_PER_HOUR_MAX)
      const most = Math.min(limit, SENT_PER_HOUR_MAX - sent)
      if (most <= 0) return []
      const leasedUntil = now + LEASE_MS
      return claimMessages(tx, organizationId, { channel, leaseId, now, leasedUntil, limit: most })
    })
    const leased = claimed.map((message) => ({ organizationId, message, leaseId }))
    await Promise.all(leased.map((one) => carryOut(parts, one)))
    if (claimed.length > 0) rounds.wake()
  }

  const allEnded = async (): Promise<void> => {
    await Promise.all([...underWay.mail.values(), ...underWay.chat.values()])
  }
  return {
    async round() {
      await rounds.round()
      await allEnded()
    },
    async stop() {
      await rounds.stop()
      // A slow SMTP server must not hold up the end of the process. The lease of its message ends.
      await within(STOP_MS_MAX, allEnded())
    },
  }
}

/** Organizations after the last one served come first. */
function inTurn(organizationIds: readonly string[], lastServed: string): string[] {
  const sorted = organizationIds.toSorted()
  const next = sorted.findIndex((id) => id > lastServed)
  return next === -1 ? sorted : [...sorted.slice(next), ...sorted.slice(0, next)]
}
