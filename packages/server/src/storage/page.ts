import type { Queryable } from './engine/database.ts'
import {
  countRows,
  findSearchEnd,
  isSearch,
  type ListQuery,
  readIds,
  readRows,
  SEARCHED_MAX,
} from './page-statements.ts'

export type { Condition } from './page-statements.ts'

export interface PageRequest {
  readonly limit: number
  readonly offset: number
  /** The page begins after this id; used instead of an offset. */
  readonly after: string | undefined
}

export interface Page<Row> {
  readonly rows: readonly Row[]
  /** The number of matching rows, or COUNT_MAX if there are more. */
  readonly total: number
  readonly totalIsExact: boolean
  readonly limit: number
  readonly offset: number
  readonly hasMore: boolean
  /** Set if a search ended at this row, because it was long enough. The next page continues after it. */
  readonly searchedTo?: string | undefined
}

/** How many rows a page of a shrinking list looks at first, for each row that it wants. */
const NEAR_FACTOR = 2

/** The id after which the next page begins; undefined on the last page. */
export function nextAfter({
  rows,
  hasMore,
  searchedTo,
}: Pick<Page<{ readonly id: string }>, 'rows' | 'hasMore' | 'searchedTo'>): string | undefined {
  return hasMore ? (searchedTo ?? rows.at(-1)?.id) : undefined
}

/** Counting stops here, because counting a long history would cost more than the page. */
const COUNT_MAX = 10_000

/** One more than the largest total, to know whether there are more. */
export const COUNTED_MAX = COUNT_MAX + 1

type Total = Pick<Page<never>, 'total' | 'totalIsExact'>

/** The total that the API shows for a count that stopped at COUNTED_MAX. */
export function totalOf(counted: number): Total {
  return { total: Math.min(counted, COUNT_MAX), totalIsExact: counted < COUNTED_MAX }
}

/** The number of rows that match one of the queries. It is not exact if a search had to end. */
export async function countAll(db: Queryable, queries: readonly ListQuery[]): Promise<Total> {
  const total = totalOf(await countRows(db, queries, COUNTED_MAX))
  for (const query of queries) {
    if (!total.totalIsExact) break
    if ((await findSearchEnd(db, query, undefined)) !== undefined) {
      return { ...total, totalIsExact: false }
    }
  }
  return total
}

interface PageQuery extends ListQuery {
  /** False if the caller does not need the total, which is then 0. */
  readonly isCounted?: boolean
}

/** One page of rows, newest first, with the number of all matching rows. */
export async function pageOf<Row extends { readonly id: string }>(
  db: Queryable,
  request: PageRequest,
  query: PageQuery,
): Promise<Page<Row>> {
  const { ids, ...page } = await pageOfIds(db, request, query)
  // Only the rows of the page need all of their columns, which can contain look-ups.
  const rows = await readRows<Row>(db, query, ids)
  return { ...page, rows, searchedTo: page.searchedTo ?? ids.at(-1) }
}

interface IdPage extends Omit<Page<never>, 'rows'> {
  readonly ids: readonly string[]
}

export async function pageOfIds(
  db: Queryable,
  { limit, offset, after }: PageRequest,
  { isCounted = true, ...query }: PageQuery,
): Promise<IdPage> {
  // One row more than requested shows whether there is a next page.
  const { found, end } = await search(db, query, { limit: limit + 1, offset, after })
  const isFull = found.length > limit
  const isFirst = !isFull && offset === 0 && after === undefined
  const total = !isCounted
    ? { total: 0, totalIsExact: true }
    : isFirst
      ? { total: found.length, totalIsExact: end === undefined }
      : await countAll(db, [query])
  return {
    ids: found.slice(0, limit),
    ...total,
    limit,
    offset,
    hasMore: isFull || end !== undefined,
    searchedTo: end && earlier(end, found.at(-1)),
  }
}

interface Search {
  readonly found: readonly string[]
  /** The row that the search ended with. Undefined if it found enough, or looked at all rows. */
  readonly end: string | undefined
}

async function search(db: Queryable, query: ListQuery, request: PageRequest): Promise<Search> {
  const { limit, offset, after } = request
  if (!query.isShrinking || !isSearch(query)) {
    const found = await readIds(db, query, request)
    const isFull = found.length >= limit
    return { found, end: isFull ? undefined : await findSearchEnd(db, query, after) }
  }
  const { searchedMax = SEARCHED_MAX } = query
  // The newest rows often fill the page, and then it needs no end.
  const near = Math.min(searchedMax, NEAR_FACTOR * (offset + limit))
  const nearest = await readIds(db, { ...query, searchedMax: near }, request)
  if (nearest.length >= limit) return { found: nearest, end: undefined }
  // If rows are deleted between the two statements, an end that is found second can lie behind rows
  // that the page has not searched. Finding it first costs more, so only shrinking lists do.
  const end = await findSearchEnd(db, query, after)
  const until = end === undefined ? [] : [[`${query.id ?? 'id'} >= ?`, end] as const]
  const bounded = { ...query, conditions: [...query.conditions, ...until] }
  const found = await readIds(db, bounded, request)
  return { found, end: found.length >= limit ? undefined : end }
}

/**
 * The place where the next page begins. Rows that arrive between the statements can move the end of
 * a search before the last row that was found, which the next page must not have again.
 */
function earlier(end: string, last: string | undefined): string {
  return last !== undefined && last < end ? last : end
}
