import { logEvent } from '../base/log/log-event.ts'
import type { Log } from '../base/log.ts'
import { type Loop, startLoop } from '../base/loop.ts'
import { changeOf, dataOf, eventKindOf, QUARTER_MS } from '../core/people/sign-in-note.ts'
import { type Instant, toIso } from '../core/time/instant.ts'
import { NO_ORGANIZATION } from '../storage/api-keys.ts'
import { recordChange } from '../storage/changes.ts'
import type { DatabaseClock } from '../storage/engine/clock.ts'
import type { Database, Tx } from '../storage/engine/database.ts'
import { waitBriefly } from '../storage/engine/queryable.ts'
import { newId } from '../storage/new-id.ts'
import {
  type DueNote,
  listOrganizationsWithNotes,
  lockDueNotes,
  settleNotes,
  storeNotes,
} from '../storage/people/sign-in-notes.ts'
import { lockFeed } from '../storage/webhooks/events.ts'
import { isWanted, readSubscription, tellEvents } from '../storage/webhooks/subscriptions.ts'
import type { SignInNotes } from './sign-in-notes.ts'

const EVERY_MS = 1_000
/** Few, because the organization's decisions wait while the recorder holds the feed. */
const NOTES_AT_ONCE = 20
/** Nothing waits for these notes. */
const NOTES_OF_NOBODY_AT_ONCE = 1_000
const ORGANIZATIONS_AT_ONCE = 1_000

interface RecorderParts {
  readonly db: Database
  readonly clock: DatabaseClock
  readonly notes: SignInNotes
  /** Called after the commit if something was stored. */
  onStored(organizationId: string, hasWebhook: boolean): void
  readonly log: Log
}

/**
 * Writes the noted sign-ins into the change records, and so into the audit log, and as events if the
 * organization has chosen them. It runs in the background: no sign-in waits for an organization's
 * feed, and no stranger can delay its decisions. The next round continues with the rest.
 */
export function startSignInRecorder(parts: RecorderParts): Pick<Loop, 'round' | 'stop'> {
  const { db, clock, notes, log } = parts
  const strangers = createStrangerCount(parts)

  /** Moves the counts of this process into the database, which adds up the counts of all processes. */
  async function storeCounted(now: Instant): Promise<void> {
    const taken = notes.take(now)
    if (taken.length === 0) return
    try {
      await db.query(storeNotes(taken))
    } catch (error) {
      notes.putBack(taken)
      throw error
    }
  }

  const loop = startLoop({
    everyMs: EVERY_MS,
    failed: (err) => logEvent(log, 'people.record_failed', { err }),
    async run(isStopping) {
      const now = await clock(db)
      await storeCounted(now)
      strangers.tellSometimes(now)
      for (const id of await listOrganizationsWithNotes(db, now, ORGANIZATIONS_AT_ONCE)) {
        if (isStopping()) return
        // An organization whose feed is locked must not delay the others.
        await recordDue(parts, id).catch((err: unknown) => {
          logEvent(log, 'people.record_delayed', { err, organizationId: id })
        })
      }
    },
  })
  return {
    round: loop.round,
    async stop() {
      await loop.stop()
      strangers.tell()
      if (notes.isEmpty()) return
      try {
        await storeCounted(await clock(db))
      } catch (err) {
        logEvent(log, 'people.record_lost', { err })
      }
    },
  }
}

async function recordDue({ db, clock, onStored }: RecorderParts, id: string): Promise<void> {
  if (id === NO_ORGANIZATION) {
    // Notes about unknown accounts exist only so that such an attempt takes as long as any other.
    return db.transaction(async (tx) => {
      const now = await clock(tx)
      const due = await lockDueNotes(tx, id, now, NOTES_OF_NOBODY_AT_ONCE)
      const names = due.map(({ name }) => name)
      settleNotes(tx, id, names, now)
    })
  }
  const hasWebhook = await db.transaction((tx) => recordSome(tx, clock, id))
  if (hasWebhook !== undefined) onStored(id, hasWebhook)
}

/**
 * Returns undefined if nothing was stored. It locks the feed before the notes, unlike other code,
 * because a sign-in updates a note and must not wait for a process that waits for the feed. This
 * cannot deadlock, because notes that others have locked are skipped.
 */
async function recordSome(
  tx: Tx,
  clock: DatabaseClock,
  organizationId: string,
): Promise<boolean | undefined> {
  tx.send(waitBriefly())
  const [now, subscription] = await Promise.all([clock(tx), readSubscription(tx, organizationId)])
  await lockFeed(tx, organizationId)
  const due = await lockDueNotes(tx, organizationId, now, NOTES_AT_ONCE)
  const names = due.map(({ name }) => name)
  settleNotes(tx, organizationId, names, now)
  const untold = due.filter(({ number }) => number > 0)
  if (untold.length === 0) return undefined
  for (const note of untold) {
    const told = changeOf(note, newId(now), now)
    if (told) recordChange(tx, organizationId, told.actor, told.change)
  }
  const events = untold
    .filter((note) => isWanted(subscription, eventKindOf(note)))
    .map((note) => toEvent(note, now))
  for (const told of tellEvents(organizationId, now, events, subscription)) tx.sendLast(told)
  return subscription.hasWebhook && events.length > 0
}

function toEvent(note: DueNote, now: Instant) {
  return {
    id: newId(now),
    kind: eventKindOf(note),
    transactionId: null,
    agentId: null,
    mandateId: null,
    budgetTotal: null,
    budgetSpent: null,
    outcome: JSON.stringify(dataOf(note)),
    sample: null,
  }
}

/**
 * Attempts on unknown accounts or links belong to no organization. They are only logged for the
 * operator, every 15 minutes.
 */
function createStrangerCount({ notes, log }: Pick<RecorderParts, 'notes' | 'log'>) {
  let since: Instant | undefined

  function tell(): void {
    const { attempts, addresses } = notes.takeStrangers()
    if (attempts === 0) return
    const begun = since === undefined ? {} : { since: toIso(since) }
    logEvent(log, 'people.unknown_accounts', { attempts, addresses, ...begun })
  }
  return {
    tell,
    tellSometimes(now: Instant): void {
      since ??= now
      if (now - since < QUARTER_MS) return
      tell()
      since = now
    },
  }
}
