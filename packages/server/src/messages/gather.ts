import { logEvent } from '../base/log/log-event.ts'
import type { Log } from '../base/log.ts'
import { type Loop, startLoop } from '../base/loop.ts'
import { larger } from '../core/bigint.ts'
import { type NewItems, planDigest, QUIET_MS, type Recipient } from '../core/messages/digest.ts'
import { MESSAGE_KINDS, wantedKinds } from '../core/messages/kinds.ts'
import type { Instant } from '../core/time/instant.ts'
import type { DatabaseClock } from '../storage/engine/clock.ts'
import type { Database, Tx } from '../storage/engine/database.ts'
import { waitBriefly } from '../storage/engine/queryable.ts'
import { findMessageChat } from '../storage/messages/chats.ts'
import {
  listUnreadFailures,
  listUnreadFeeds,
  listUnreadFeedsWithChat,
  lockMessageCursor,
  moveMessageCursor,
  openMessageCursor,
} from '../storage/messages/cursors.ts'
import { addMessages, growMessages, lockKnownMessages } from '../storage/messages/outbox.ts'
import { listMessageMembers } from '../storage/messages/recipients.ts'
import { listFailuresAfter, listPausedAfter, listToldEntries } from '../storage/messages/sources.ts'
import { findFeedEnd } from '../storage/webhooks/hints.ts'
import type { Need } from './need.ts'

export interface GatherParts {
  readonly db: Database
  readonly clock: DatabaseClock
  readonly log: Log
  /** Whether mails can be sent. Otherwise only chats get messages. */
  readonly hasMail: boolean
  readonly need: Need
}

const EVERY_MS = 2_000
const FAILURES_EVERY_MS = 60_000
const ORGANIZATIONS_PER_PAGE = 200
const FIRST = '00000000-0000-0000-0000-000000000000'
/** How many numbers of a feed one step reads. The embedded engine does nothing else meanwhile. */
const STEP = { postgres: 2_000n, embedded: 250n }
/** Entries further back are not read: nobody was told for so long that news would be old. */
const BACKLOG_MAX = 1_000_000n
const TOLD_WITHIN_MS = 86_400_000
const FAILURES_MAX = 1_000

/**
 * Follows the feeds of all organizations and queues messages for their members and chats. Decisions
 * write nothing for it. A cursor of each organization moves in the transaction that queues, so each
 * entry counts once, however many processes follow (ADR 63).
 */
export function startGathering(parts: GatherParts): Loop {
  const { db, clock, log, hasMail, need } = parts
  const listUnread = hasMail ? listUnreadFeeds : listUnreadFeedsWithChat
  let failuresReadAt = Number.NEGATIVE_INFINITY

  async function run(isStopping: () => boolean): Promise<void> {
    if (!(await need.exists())) return
    if (await gatherAll(listUnread, gatherEntries, isStopping)) loop.wake()
    const now = await clock(db)
    if (Math.abs(now - failuresReadAt) < FAILURES_EVERY_MS) return
    const hasMore = await gatherAll(listUnreadFailures, gatherFailures, isStopping)
    if (!hasMore) failuresReadAt = now
  }

  /** Returns whether an organization needs a further step. */
  async function gatherAll(list: List, gather: Gather, isStopping: () => boolean) {
    let hasMore = false
    for await (const organizationId of eachOf(db, list)) {
      if (isStopping()) return false
      if (await tryTo(gather, organizationId)) hasMore = true
    }
    return hasMore
  }

  async function tryTo(gather: Gather, organizationId: string): Promise<boolean> {
    try {
      return await gather(parts, organizationId)
    } catch (err) {
      // The other organizations get their turn; this one is retried in the next round.
      logEvent(log, 'messages.gather_failed', { err, organizationId })
      return false
    }
  }

  const loop = startLoop({
    run,
    everyMs: EVERY_MS,
    // Rounds, and so rests, are long while the process is busy with decisions.
    restMs: (tookMs) => Math.min(EVERY_MS, tookMs),
    failed: (err) => logEvent(log, 'messages.scan_failed', { err }),
  })
  return loop
}

type List = (db: Database, after: string, limit: number) => Promise<string[]>
/** Returns whether the organization needs a further step. */
type Gather = (parts: GatherParts, organizationId: string) => Promise<boolean>

async function* eachOf(db: Database, list: List): AsyncGenerator<string> {
  for (let after: string | undefined = FIRST; after !== undefined; ) {
    const page: string[] = await list(db, after, ORGANIZATIONS_PER_PAGE)
    yield* page
    after = page.length === ORGANIZATIONS_PER_PAGE ? page.at(-1) : undefined
  }
}

/** One step of one organization, so that none waits for the whole backlog of a different one. */
async function gatherEntries(parts: GatherParts, organizationId: string): Promise<boolean> {
  const { db, clock } = parts
  const step = STEP[db.engine]
  return db.transaction(async (tx) => {
    tx.send(waitBriefly())
    const cursor = await lockMessageCursor(tx, organizationId)
    const [end, now] = await Promise.all([findFeedEnd(tx, organizationId), clock(tx)])
    if (!cursor) {
      // A new organization is read from its beginning, an old one from now on.
      tx.send(openMessageCursor(organizationId, end <= step ? 0n : end, now))
      return end > 0n
    }
    const after = larger(cursor.readTo, end - BACKLOG_MAX)
    const to = end - larger(0n, end - after - step)
    const since = now - TOLD_WITHIN_MS
    const entries = await listToldEntries(tx, organizationId, { after, to }, since)
    const byKind = MESSAGE_KINDS.map((kind): NewItems => {
      const items = entries.filter((entry) => entry.kind === kind).map(({ id }) => id)
      return { kind, items, count: items.length }
    })
    const news = byKind.filter(({ count }) => count > 0)
    await queueItems(tx, parts, organizationId, news, now)
    tx.send(moveMessageCursor(organizationId, { ...cursor, readTo: to }))
    return to < end
  })
}

/** Reads the failed webhook deliveries and paused endpoints, which have no entry in the feed. */
async function gatherFailures(parts: GatherParts, organizationId: string): Promise<boolean> {
  return parts.db.transaction(async (tx) => {
    tx.send(waitBriefly())
    const cursor = await lockMessageCursor(tx, organizationId)
    if (!cursor) return false
    const [failed, paused] = await Promise.all([
      listFailuresAfter(tx, organizationId, cursor.failedTo, FAILURES_MAX),
      listPausedAfter(tx, organizationId, cursor.pausedTo),
    ])
    // A pause comes first, so that a long list of failures does not push it out of the message.
    const items = [...paused.map(({ id }) => id), ...failed]
    if (items.length === 0) return false
    const news: NewItems = { kind: 'endpoints', items, count: items.length }
    await queueItems(tx, parts, organizationId, [news], await parts.clock(tx))
    const failedTo = failed.at(-1) ?? cursor.failedTo
    const pausedTo = paused.at(-1)?.pausedAt ?? cursor.pausedTo
    tx.send(moveMessageCursor(organizationId, { ...cursor, failedTo, pausedTo }))
    return failed.length === FAILURES_MAX
  })
}

async function queueItems(
  tx: Tx,
  { hasMail }: GatherParts,
  organizationId: string,
  news: readonly NewItems[],
  now: Instant,
): Promise<void> {
  if (news.length === 0) return
  const longest = Math.max(...Object.values(QUIET_MS))
  const [members, chat, known] = await Promise.all([
    hasMail ? listMessageMembers(tx, organizationId) : [],
    findMessageChat(tx, organizationId),
    lockKnownMessages(tx, organizationId, now - longest),
  ])
  const plans = news.map((items) => {
    const byMail = members.filter(({ role, chosen }) =>
      wantedKinds(role, chosen).includes(items.kind),
    )
    const recipients: Recipient[] = byMail.map(({ id }) => ({ id, channel: 'mail' }))
    if (chat?.kinds.includes(items.kind)) recipients.push({ id: organizationId, channel: 'chat' })
    return planDigest(items, recipients, known, now)
  })
  const grown = plans.flatMap((plan) => plan.grown)
  const added = plans.flatMap((plan) => plan.added)
  if (grown.length > 0) tx.send(growMessages(organizationId, grown))
  if (added.length > 0) tx.send(addMessages(organizationId, added, now))
}
