import type { Book, FeedEnd } from '../core/analytics/book.ts'
import { offsetsOf } from '../core/analytics/offsets.ts'
import { idAt } from '../core/id.ts'
import type { Instant } from '../core/time/instant.ts'
import { openBook, updateBook } from '../storage/analytics/books.ts'
import { countRecord, findRecordPage, touchDaysOfRecord } from '../storage/analytics/cells.ts'
import { readClockGap } from '../storage/clock-gaps.ts'
import type { Database, Tx } from '../storage/engine/database.ts'

/** Fewer for the embedded engine, because this process does nothing else while a statement runs. */
const TRANSACTIONS_PER_STEP = { embedded: 250, postgres: 2_000 }

export interface FillPlace {
  readonly tx: Tx
  readonly engine: Database['engine']
  readonly organizationId: string
  readonly now: Instant
}

/**
 * Opens a book at the end of the feed. It is filled with the decisions up to there, and then
 * follows the feed. The caller has locked all books, so no change after this number is removed
 * meanwhile.
 */
export async function openNext({
  tx,
  organizationId,
  now,
  books,
  end,
}: Omit<FillPlace, 'engine'> & {
  readonly books: readonly Book[]
  readonly end: FeedEnd
}): Promise<number> {
  const book = Math.max(0, ...books.map((other) => other.book)) + 1
  // No transaction that is decided by now has a later id.
  const fillEnd = idAt(now + (await readClockGap(tx, organizationId)))
  const { zone, lastNumber } = end
  tx.send(openBook(organizationId, { book, zone, countedTo: lastNumber, fillEnd }, now))
  return book
}

/**
 * Counts the next stored transactions in their state at the opening of the book. Later decisions
 * come from the feed.
 */
export async function fill(
  { tx, engine, organizationId, now }: FillPlace,
  book: Book,
): Promise<void> {
  const after = book.filledTo ?? idAt(0)
  const before = book.fillEnd ?? idAt(0)
  const page = await findRecordPage(
    tx,
    organizationId,
    after,
    before,
    TRANSACTIONS_PER_STEP[engine],
  )
  if (!page) {
    tx.send(updateBook(organizationId, { ...book, state: 'filled' }))
    return
  }
  const place = { organizationId, book: book.book, offsets: offsetsOf(book.zone, now) }
  const range = { after, to: page.last }
  tx.send(countRecord(place, range, book.countedTo))
  tx.send(touchDaysOfRecord(place, range, book.startedAt))
  const filledCount = book.filledCount + page.size
  tx.send(updateBook(organizationId, { ...book, filledTo: page.last, filledCount }))
}
