import { openNext } from '../analytics/fill.ts'
import { type BookParts, keepBooks } from '../analytics/keep-books.ts'
import { createPause } from '../base/pause.ts'
import type { Book } from '../core/analytics/book.ts'
import { instantOf, toPublicId } from '../core/id.ts'
import { type Instant, toIso } from '../core/time/instant.ts'
import type { Storage } from '../process/open-storage.ts'
import { findTheOrganization } from '../process/setup.ts'
import { listBooks, lockBooks, readFeedEnd } from '../storage/analytics/books.ts'
import { countUnrolled } from '../storage/analytics/days.ts'
import { readClock } from '../storage/engine/clock.ts'

const STEPS_AT_ONCE = 10
/** How long to wait while a gateway holds the lock. */
const PAUSE_MS = 50

export interface RebuildProgress {
  readonly counted: number
  /** The decision time of the last counted transaction; null before the first is counted. */
  readonly upTo: string | null
  /** The number of days that are not rolled up yet. */
  readonly daysLeft: number
}

export interface Rebuilt {
  readonly organizationId: string
  readonly counted: number
}

/**
 * Rebuilds the analytics sums of an organization from its transactions. If there are several
 * organizations, one must be named. Gateways may keep running: they show the old sums and help to
 * build the new ones. Throws a readable error.
 */
export async function rebuildAnalytics(
  { db }: Pick<Storage, 'db'>,
  publicId: string | undefined,
  onProgress: (progress: RebuildProgress) => void,
): Promise<Rebuilt> {
  const organizationId = await db.transaction((tx) => findTheOrganization(tx, publicId))
  const parts = { db, clock: readClock }
  const number = await openOne(parts, organizationId)
  const pause = createPause()
  let counted = 0
  for (;;) {
    const isIdle = await keepBooks(parts, organizationId, STEPS_AT_ONCE)
    const books = await listBooks(db, organizationId)
    const book = books.find((other) => other.book === number)
    if (!book || book.state === 'retired') throw new Error(REPLACED)
    counted = Number(book.filledCount)
    const daysLeft = await countUnrolled(db, organizationId, number)
    onProgress({ counted, upTo: upToOf(book), daysLeft })
    if (book.state === 'shown') break
    if (isIdle) await pause.wait(PAUSE_MS)
  }
  return { organizationId: toPublicId('org', organizationId), counted }
}

const REPLACED =
  'The time zone of the organization was changed during the rebuild. The gateway rebuilds the totals by itself.'

/** Opens a book, unless one is already being filled. Returns its number. */
function openOne({ db, clock }: BookParts, organizationId: string): Promise<number> {
  return db.transaction(async (tx) => {
    const [books, end, now] = await Promise.all([
      lockBooks(tx, organizationId),
      readFeedEnd(tx, organizationId),
      clock(tx),
    ])
    const next = books.find(({ state, zone }) => state === 'filling' && zone === end.zone)
    return next?.book ?? openNext({ tx, organizationId, now, books, end })
  })
}

function upToOf({ filledTo }: Book): string | null {
  const at: Instant | undefined = filledTo === null ? undefined : instantOf(filledTo)
  return at === undefined ? null : toIso(at)
}
