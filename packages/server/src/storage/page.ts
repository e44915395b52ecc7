import type { Queryable } from './engine/database.ts'

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

/** The total that the API shows for a count that stopped at COUNTED_MAX. */
export function totalOf(counted: number): Pick<Page<never>, 'total' | 'totalIsExact'> {
  return { total: Math.min(counted, COUNT_MAX), totalIsExact: counted < COUNTED_MAX }
}

/** A condition with `?` in place of each of its values. */
export type Condition = readonly [sql: string, ...values: readonly unknown[]]

/** For conditions that no index has, and that may match very few rows. */
interface Search {
  /** A page looks at this many of the newest rows that meet `conditions`. */
  readonly most: number
  readonly conditions: readonly Condition[]
}

interface PageQuery {
  readonly columns: string
  readonly from: string
  readonly conditions: readonly Condition[]
  /**
   * The column that orders the rows. Ids are version 7 UUIDs, so "newest first" is descending id
   * order.
   */
  readonly id?: string
  /**
   * A number that orders the rows, largest first, and rows with the same number by id. It must not
   * be null. A page after a row begins after the number that the row has now.
   */
  readonly rank?: Condition | undefined
  /** Limits the rows that the page and the total look at; only without `rank`. */
  readonly search?: Search | undefined
  /** False if the caller does not need the total, which is then 0. */
  readonly isCounted?: boolean
}

/**
 * One page of rows, newest first, with the number of all matching rows.
 *
 * Only `conditions` vary. They are our own text with values as parameters, never a caller's text.
 */
export async function pageOf<Row>(
  db: Queryable,
  { limit, offset, after }: PageRequest,
  { columns, from, conditions, id = 'id', rank, search, isCounted = true }: PageQuery,
): Promise<Page<Row>> {
  const { values, place, toSql } = createText()
  const where = conditions.map(toSql).join(' and ')
  const first = search && (await findSearchEnd(db, from, search, undefined))
  const counted = isCounted ? await countRows(db, from, conditions, first) : 0
  const searchedTo =
    search && after !== undefined ? await findSearchEnd(db, from, search, after) : first
  const order = rank ? [toSql(rank), id] : [id]
  const beyond = after === undefined ? '' : ` and ${beyondOf(after)}`
  const within = searchedTo === undefined ? '' : ` and ${id} >= ${place(searchedTo)}`
  // One row more than requested shows whether there is a next page.
  const found = await db.query<Row>({
    text: `select ${columns} from ${from} where ${where}${beyond}${within}
           order by ${order.map((part) => `${part} desc`).join(', ')} limit ${place(limit + 1)} offset ${place(offset)}`,
    values,
  })
  return {
    rows: found.slice(0, limit),
    ...totalOf(counted),
    ...(first !== undefined && { totalIsExact: false }),
    limit,
    offset,
    hasMore: found.length > limit || searchedTo !== undefined,
    searchedTo: found.length > limit ? undefined : searchedTo,
  }

  function beyondOf(row: string): string {
    const [organization] = conditions
    if (!rank || !organization) return `${id} < ${place(row)}`
    return `(${order.join(', ')}) < (select ${order.join(', ')} from ${from}
            where ${toSql(organization)} and ${id} = ${place(row)})`
  }
}

/** The text of a statement under construction, and its values. */
function createText() {
  const values: unknown[] = []
  const place = (value: unknown): string => `$${values.push(value)}`
  const toSql = ([sql, ...given]: Condition): string =>
    given.reduce<string>((text, value) => text.replace('?', () => place(value)), sql)
  return { values, place, toSql }
}

async function countRows(
  db: Queryable,
  from: string,
  conditions: readonly Condition[],
  searchedTo: string | undefined,
): Promise<number> {
  const { values, toSql } = createText()
  const searched: Condition[] = searchedTo === undefined ? [] : [['id >= ?', searchedTo]]
  const where = [...conditions, ...searched].map(toSql).join(' and ')
  const [row] = await db.query<{ total: bigint }>({
    text: `select count(*) as total
           from (select 1 from ${from} where ${where} limit ${COUNTED_MAX}) as counted`,
    values,
  })
  return Number(row?.total ?? 0n)
}

/** The row that a search ends with; undefined if it can look at all rows. */
async function findSearchEnd(
  db: Queryable,
  from: string,
  { most, conditions }: Search,
  after: string | undefined,
): Promise<string | undefined> {
  const { values, place, toSql } = createText()
  const beyond: Condition[] = after === undefined ? [] : [['id < ?', after]]
  const where = [...conditions, ...beyond].map(toSql).join(' and ')
  const [row] = await db.query<{ id: string }>({
    text: `select id from ${from} where ${where}
           order by id desc limit 1 offset ${place(most - 1)}`,
    values,
  })
  return row?.id
}
