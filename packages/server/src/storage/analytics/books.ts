import type { Book, FeedEnd } from '../../core/analytics/book.ts'
import { type Instant, toIso } from '../../core/time/instant.ts'
import type { Queryable, Statement, Tx } from '../engine/database.ts'
import type { DueBefore } from './days.ts'

const COLUMNS = `
  book, zone, state, counted_to as "countedTo", filled_to as "filledTo", fill_end as "fillEnd",
  filled_count as "filledCount", started_at as "startedAt"`

/**
 * Inserts the first book of a new organization. It is complete at once, since nothing was spent
 * yet.
 */
export async function insertFirstBook(
  db: Queryable,
  organizationId: string,
  zone: string,
  at: Instant,
): Promise<void> {
  await db.query({
    text: `insert into analytics_books (organization_id, book, zone, state, counted_to, started_at)
           values ($1, 1, $2, 'shown', 0, $3)`,
    values: [organizationId, zone, toIso(at)],
  })
}

/** Opens a book that is to be filled. Does nothing if a different process opened it meanwhile. */
export function openBook(
  organizationId: string,
  { book, zone, countedTo, fillEnd }: Pick<Book, 'book' | 'zone' | 'countedTo' | 'fillEnd'>,
  at: Instant,
): Statement {
  return {
    text: `insert into analytics_books (organization_id, book, zone, state, counted_to, fill_end,
                                        started_at)
           values ($1, $2, $3, 'filling', $4, $5, $6)
           on conflict (organization_id, book) do nothing`,
    values: [organizationId, book, zone, countedTo, fillEnd, toIso(at)],
  }
}

/** Every change of a book, or of rows that books need, holds this lock. Decisions never take it. */
export function lockBooks(tx: Tx, organizationId: string): Promise<Book[]> {
  return tx.query<Book>({
    name: 'lock-analytics-books',
    text: `select ${COLUMNS} from analytics_books where organization_id = $1
           order by book for update`,
    values: [organizationId],
  })
}

export function listBooks(db: Queryable, organizationId: string): Promise<Book[]> {
  return db.query<Book>({
    name: 'list-analytics-books',
    text: `select ${COLUMNS} from analytics_books where organization_id = $1 order by book`,
    values: [organizationId],
  })
}

export function updateBook(organizationId: string, book: Book): Statement {
  return {
    name: 'update-analytics-book',
    text: `update analytics_books
           set state = $3, counted_to = $4, filled_to = $5, filled_count = $6
           where organization_id = $1 and book = $2`,
    values: [
      organizationId,
      book.book,
      book.state,
      book.countedTo,
      book.filledTo,
      book.filledCount,
    ],
  }
}

export function removeBook(organizationId: string, book: number): Statement {
  return {
    text: 'delete from analytics_books where organization_id = $1 and book = $2',
    values: [organizationId, book],
  }
}

/** The end of the feed. Read it after the lock: everything up to this number is committed. */
export async function readFeedEnd(db: Queryable, organizationId: string): Promise<FeedEnd> {
  const [row] = await db.query<FeedEnd>({
    name: 'read-feed-end',
    text: `select o.timezone as zone, f.last_number as "lastNumber"
           from organizations o join event_feeds f on f.organization_id = $1
           where o.id = $1`,
    values: [organizationId],
  })
  if (!row) throw new Error('A book belongs to an organization that does not exist.')
  return row
}

/**
 * Organizations whose books have work to do, ordered by id and starting after this one, read
 * without locks.
 */
export async function listUncounted(
  db: Queryable,
  after: string,
  { day, touchedAt }: DueBefore,
  limit: number,
): Promise<string[]> {
  const rows = await db.query<{ organizationId: string }>({
    name: 'list-uncounted',
    text: `
      select f.organization_id as "organizationId"
      from event_feeds f
      join organizations o on o.id = f.organization_id /*among o.id*/
      left join (
        select organization_id, count(*) as books,
               max(counted_to) filter (where state = 'shown') as counted_to,
               max(zone) filter (where state = 'shown') as zone
        from analytics_books where true /*among organization_id*/ group by organization_id
      ) b on b.organization_id = f.organization_id
      where f.organization_id > $1 /*among f.organization_id*/
        and (b.counted_to is null or b.counted_to < f.last_number or b.books > 1
             or b.zone <> o.timezone
             or exists (select 1 from analytics_days d
                        where d.organization_id = f.organization_id /*among d.organization_id*/
                          and not d.is_rolled
                          and d.day < $2 and d.touched_at <= $3))
      order by f.organization_id limit $4`,
    values: [after, day, toIso(touchedAt), limit],
  })
  return rows.map(({ organizationId }) => organizationId)
}
