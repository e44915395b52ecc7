import type { ListedTransaction } from '@purser/sdk'
import type { LiveEvent } from '../../../data/stream/events.ts'
import type { TransactionQuery } from '../filters/filters.ts'
import { isOutcomeHint, matches, patchOfEvent, rowOfEvent } from './event-rows.ts'

/** More rows than this are not kept: a press on the pill then asks the gateway for the newest. */
export const WAITING_MAX = 1_000

/** The decisions that arrived and are not shown yet. */
export interface Inbox {
  readonly waiting: ReadonlyMap<string, ListedTransaction>
  /** How many arrived. More than `waiting` holds once the cap is reached. */
  readonly count: number
}

export const EMPTY_INBOX: Inbox = { waiting: new Map(), count: 0 }

export interface Sorted {
  readonly inbox: Inbox
  /** How many of the new rows are rejections. */
  readonly rejected: number
  /** The changes of rows that the list shows. */
  readonly patches: ReadonlyMap<string, Partial<ListedTransaction>>
  /** Shown rows of which the stream only says that they changed. */
  readonly stale: ReadonlySet<string>
}

/** Sorts a batch of events in. The inbox stays small, however many events come. */
export function sortIn(
  inbox: Inbox,
  events: readonly LiveEvent[],
  query: TransactionQuery,
  shown: ReadonlySet<string>,
): Sorted {
  const waiting = new Map(inbox.waiting)
  const patches = new Map<string, Partial<ListedTransaction>>()
  const stale = new Set<string>()
  let count = inbox.count
  let rejected = 0

  function takeRow(row: ListedTransaction): void {
    const { transactionId: id, decision } = row
    if (shown.has(id) || waiting.has(id) || !matches(row, query)) return
    count += 1
    if (decision === 'rejected') rejected += 1
    if (waiting.size < WAITING_MAX) waiting.set(id, row)
  }
  function takeOutcome(id: string, event: LiveEvent): void {
    const patch = patchOfEvent(event)
    const arrived = waiting.get(id)
    if (patch && arrived) waiting.set(id, { ...arrived, ...patch })
    else if (!shown.has(id)) return
    else if (patch) patches.set(id, { ...patches.get(id), ...patch })
    else if (isOutcomeHint(event)) stale.add(id)
  }

  for (const event of events) {
    const row = rowOfEvent(event)
    if (row) takeRow(row)
    else if (event.subject !== null) takeOutcome(event.subject, event)
  }
  return { inbox: { waiting, count }, rejected, patches, stale }
}

/** Whether rows are missing in the inbox, so that only the gateway can show all of them. */
export function isOverfull({ waiting, count }: Inbox): boolean {
  return count > waiting.size
}
