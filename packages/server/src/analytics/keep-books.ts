import {
  type Book,
  type BookStep,
  type DueDay,
  type FeedEnd,
  stepsOf,
} from '../core/analytics/book.ts'
import { GROUPINGS } from '../core/analytics/dimensions.ts'
import { offsetsOf } from '../core/analytics/offsets.ts'
import { least } from '../core/money.ts'
import type { Instant } from '../core/time/instant.ts'
import { lockBooks, readFeedEnd, removeBook, updateBook } from '../storage/analytics/books.ts'
import { countFeed, touchDaysOfFeed } from '../storage/analytics/cells.ts'
import { removeCountedChanges } from '../storage/analytics/changes.ts'
import {
  type DueBefore,
  findFirstDay,
  listDueDays,
  noteRolled,
  removeDay,
  removeSums,
  rollDay,
} from '../storage/analytics/days.ts'
import type { DatabaseClock } from '../storage/engine/clock.ts'
import type { Database, Tx } from '../storage/engine/database.ts'
import { waitBriefly } from '../storage/engine/queryable.ts'
import { isDeadlock, isLockTimeout } from '../storage/engine/storage-error.ts'
import { fill, openNext } from './fill.ts'

/**
 * How many numbers of the feed one step counts. With more numbers, more decisions share a cell.
 * While the embedded engine runs a statement this process does nothing else, so its steps are as
 * short as a batch.
 */
const NUMBERS_PER_STEP = { embedded: 250n, postgres: 8_000n }
const CHANGES_REMOVED_PER_STEP = { embedded: 500, postgres: 16_000 }
/** How many cells one step sums, each by one grouping. */
const CELLS_PER_STEP = { embedded: 2_000, postgres: 20_000 }
/** A day with recent changes is not rolled up yet: the next change would undo the work. */
const LEFT_ALONE_MS = 5 * 60_000
/** A day is over in every time zone after this. */
const OVER_AFTER_MS = 12 * 3_600_000

export interface BookParts {
  readonly db: Pick<Database, 'transaction' | 'engine'>
  readonly clock: DatabaseClock
}

/**
 * Takes at most `stepsMax` steps with the books of an organization. Each step is one short
 * transaction that moves the sums and their position in the feed together, under the lock of the
 * books. So everything is counted once, even if processes crash and however many run. Returns
 * whether nothing is left to do.
 */
export async function keepBooks(
  parts: BookParts,
  organizationId: string,
  stepsMax: number,
  /** The index of the due step that comes first. */
  first = 0,
): Promise<boolean> {
  for (let step = 0; step < stepsMax; step++) {
    try {
      const isDone = await parts.db.transaction((tx) =>
        takeStep(parts, tx, organizationId, first + step),
      )
      if (isDone) return true
    } catch (error) {
      // A different process works on these books.
      if (isLockTimeout(error) || isDeadlock(error)) return true
      throw error
    }
  }
  return false
}

/** The days that are due to be rolled up now. */
export function dueBefore(now: Instant): DueBefore {
  const day = new Date(now - OVER_AFTER_MS).toISOString().slice(0, 10)
  return { day, touchedAt: now - LEFT_ALONE_MS }
}

/** The due steps take turns, so that a long filling does not delay the shown book. */
async function takeStep(
  { db: { engine }, clock }: BookParts,
  tx: Tx,
  organizationId: string,
  turn: number,
): Promise<boolean> {
  tx.send(waitBriefly())
  const now = await clock(tx)
  const [books, end, dueDays] = await Promise.all([
    lockBooks(tx, organizationId),
    readFeedEnd(tx, organizationId),
    listDueDays(tx, organizationId, dueBefore(now)),
  ])
  const steps = stepsOf(books, dueDays, end)
  const step = steps[turn % steps.length]
  if (!step) return true
  await carryOut({ tx, engine, organizationId, books, end, now }, step)
  return false
}

interface StepPlace {
  readonly tx: Tx
  readonly engine: Database['engine']
  readonly organizationId: string
  readonly books: readonly Book[]
  readonly end: FeedEnd
  readonly now: Instant
}

async function carryOut(place: StepPlace, step: BookStep): Promise<void> {
  switch (step.kind) {
    case 'open':
      await openNext(place)
      return
    case 'fill':
      return fill(place, step.book)
    case 'follow':
      return follow(place, step.book)
    case 'roll':
      return roll(place, step.due)
    case 'show':
      return show(place, step.book)
    case 'retire':
      return place.tx.send(updateBook(place.organizationId, { ...step.book, state: 'retired' }))
    case 'clear':
      return clear(place, step.book)
  }
}

/**
 * Counts the next numbers of the feed. Every number up to the last one is committed, because
 * numbers follow the order of commits.
 */
function follow({ tx, engine, organizationId, books, end, now }: StepPlace, book: Book): void {
  const after = book.countedTo
  const to = least(after + NUMBERS_PER_STEP[engine], end.lastNumber)
  const place = { organizationId, book: book.book, offsets: offsetsOf(book.zone, now) }
  // Changes that every book has counted are not needed any more.
  const kept = books.filter(({ state }) => state !== 'retired').map(({ countedTo }) => countedTo)
  tx.send(
    removeCountedChanges(organizationId, least(after, ...kept), CHANGES_REMOVED_PER_STEP[engine]),
  )
  tx.send(countFeed(place, { after, to }))
  tx.send(touchDaysOfFeed(place, { after, to }, now))
  tx.send(updateBook(organizationId, { ...book, countedTo: to }))
}

/**
 * Rolls up the next groupings of a day: all at once for a small day, one by one for a large day.
 * Queries read the day's sums once all groupings are done.
 */
function roll({ tx, engine, organizationId }: StepPlace, due: DueDay): void {
  const size = Math.max(1, Math.floor(CELLS_PER_STEP[engine] / Math.max(1, Number(due.cells))))
  const groupings = GROUPINGS.slice(due.groupingsRolled, due.groupingsRolled + size)
  for (const grouping of groupings) {
    tx.send(removeSums(organizationId, due, grouping))
    tx.send(rollDay(organizationId, due, grouping))
  }
  tx.send(noteRolled(organizationId, due, due.groupingsRolled + groupings.length))
}

function show({ tx, organizationId, books }: StepPlace, book: Book): void {
  const shown = books.find(({ state }) => state === 'shown')
  if (shown) tx.send(updateBook(organizationId, { ...shown, state: 'retired' }))
  tx.send(updateBook(organizationId, { ...book, state: 'shown' }))
}

/** Removes one day of a book per step. */
async function clear({ tx, organizationId }: StepPlace, { book }: Book): Promise<void> {
  const day = await findFirstDay(tx, organizationId, book)
  if (day === undefined) tx.send(removeBook(organizationId, book))
  else for (const statement of removeDay(organizationId, book, day)) tx.send(statement)
}
