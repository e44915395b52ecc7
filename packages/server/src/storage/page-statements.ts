import type { Queryable } from './engine/database.ts'
import { plainArray } from './engine/wire-array.ts'

/** A condition with `?` in place of each of its values. */
export type Condition = readonly [sql: string, ...values: readonly unknown[]]

/** The rows of a list. Only conditions vary; they are our own text, never a caller's. */
export interface ListQuery {
  readonly columns: string
  /** The table, and its alias if it has one. */
  readonly from: string
  /** A join that adds one row of another table to each row. It names the organization itself. */
  readonly joined?: Condition
  /** Conditions that an index has, in the order of the list. The first one names the organization. */
  readonly conditions: readonly Condition[]
  /**
   * The rows meet the conditions of one of these parts. Each part is read from its end of an index,
   * and the parts are merged. No row may be in two parts.
   */
  readonly parts?: readonly (readonly Condition[])[]
  /** Conditions that no index has. With them, a page looks at `searchedMax` rows. */
  readonly filters?: readonly Condition[] | undefined
  /**
   * The column that orders the rows. Ids are version 7 UUIDs, so "newest first" is descending id
   * order.
   */
  readonly id?: string
  /**
   * A number that orders the rows, largest first, and rows with the same number by id. It must not
   * be null. A page after a row begins after the number that the row has now. All rows are read,
   * because no index has this order, so this is only for tables that stay small.
   */
  readonly rank?: Condition | undefined
  readonly searchedMax?: number
  /** Whether rows can stop to meet `conditions`, for example because they are removed. */
  readonly isShrinking?: boolean
}

/**
 * How many rows one page looks at if no index has a filter, which may then match very few of them.
 * The next page continues the search.
 */
export const SEARCHED_MAX = 20_000

/** Whether a page may look at fewer rows than there are. */
export function isSearch({ filters = [], rank }: ListQuery): boolean {
  return filters.length > 0 && rank === undefined
}

/** The ids of at most `limit` rows, from the one after `after` on, without the first `offset`. */
export async function readIds(
  db: Queryable,
  query: ListQuery,
  { limit, offset, after }: { limit: number; offset: number; after: string | undefined },
): Promise<string[]> {
  const { id = 'id', rank } = query
  const { values, place, toSql } = createText()
  const found = rank
    ? rankedText(query, rank, toSql, after)
    : `${matchesText(query, toSql, after, offset + limit)} order by ${id} desc`
  const rows = await db.query<{ id: string }>({
    text: `select ${id} as id from ${found} limit ${place(limit)} offset ${place(offset)}`,
    values,
  })
  return rows.map((row) => row.id)
}

/** All rows by their rank, from the one after `after` on. */
function rankedText(
  { from, joined, conditions, filters = [], id = 'id' }: ListQuery,
  rank: Condition,
  toSql: ToSql,
  after: string | undefined,
): string {
  const rows = `${from} ${joined ? toSql(joined) : ''}`
  const where = [...conditions, ...filters].map(toSql)
  const ranking = toSql(rank)
  const by = `${ranking}, ${id}`
  const beyond =
    after === undefined
      ? []
      : [
          `(${by}) < (select ${by} from ${rows}
            where ${toSql(organizationOf(conditions))} and ${toSql([`${id} = ?`, after])})`,
        ]
  return `${rows} where ${[...where, ...beyond].join(' and ')}
          order by ${ranking} desc, ${id} desc`
}

/** The rows with these ids, in their order. */
export async function readRows<Row extends { readonly id: string }>(
  db: Queryable,
  { columns, from, joined, conditions, id = 'id' }: ListQuery,
  ids: readonly string[],
): Promise<Row[]> {
  if (ids.length === 0) return []
  const sorted = ids.toSorted()
  const { values, toSql } = createText()
  const join = joined ? toSql(joined) : ''
  // The first and the last id tell which partitions the rows are in.
  const where: Condition[] = [
    organizationOf(conditions),
    [`${id} = any(?::uuid[])`, plainArray(ids)],
    [`${id} >= ?`, sorted[0]],
    [`${id} <= ?`, sorted.at(-1)],
  ]
  const rows = await db.query<Row>({
    text: `select ${columns} from ${from} ${join} where ${where.map(toSql).join(' and ')}`,
    values,
  })
  const byId = new Map(rows.map((row) => [row.id, row]))
  return ids.flatMap((each) => byId.get(each) ?? [])
}

/**
 * Counts the rows of all queries in one statement, up to `most`. It stops there, so the rows of a
 * query are read only if those before it are fewer.
 */
export async function countRows(
  db: Queryable,
  queries: readonly ListQuery[],
  most: number,
): Promise<number> {
  const { values, toSql } = createText()
  const counts = queries.map((query) => {
    const { from, joined, conditions, filters = [], rank } = query
    const where = [...conditions, ...filters]
    const matches = rank
      ? `${from} ${joined ? toSql(joined) : ''} where ${where.map(toSql).join(' and ')}`
      : matchesText(query, toSql, undefined, most)
    return `(select 1 from ${matches} limit ${most})`
  })
  const [row] = await db.query<{ total: bigint }>({
    text: `select count(*) as total from (
             select 1 from (${counts.join(' union all ')}) as matches limit ${most}) as counted`,
    values,
  })
  return Number(row?.total ?? 0n)
}

/** The row that a search ends with; undefined if it can look at all rows. */
export async function findSearchEnd(
  db: Queryable,
  query: ListQuery,
  after: string | undefined,
): Promise<string | undefined> {
  if (!isSearch(query)) return undefined
  const { searchedMax = SEARCHED_MAX } = query
  const { values, place, toSql } = createText()
  const [row] = await db.query<{ id: string }>({
    text: `select id from (${selectsOf(query, toSql, after, searchedMax)}) as searched
           order by id desc limit 1 offset ${place(searchedMax - 1)}`,
    values,
  })
  return row?.id
}

type ToSql = (condition: Condition) => string

/**
 * The rows that match, among the newest ones: `searchedMax` if there are filters, and otherwise
 * `most`. The limit keeps the database from moving the filters inside. So it reads the index in the
 * order of the list until it has enough or reaches the limit, whatever it expects of the filters.
 */
function matchesText(
  query: ListQuery,
  toSql: ToSql,
  after: string | undefined,
  most: number,
): string {
  const { from, joined, conditions, parts = [[]], filters = [] } = query
  const bound = isSearch(query) ? (query.searchedMax ?? SEARCHED_MAX) : most
  const selects = selectsOf(query, toSql, after, bound)
  const merged = parts.length > 1 ? ` order by id desc limit ${bound}` : ''
  const where = [organizationOf(conditions), ...filters].map(toSql).join(' and ')
  return `(${selects}${merged}) as ${from.split(' ').at(-1)} ${joined ? toSql(joined) : ''}
          where ${where}`
}

/** The rows of all parts, the newest `most` of each. Only parts with an order can be merged. */
function selectsOf(
  query: ListQuery,
  toSql: ToSql,
  after: string | undefined,
  most: number,
): string {
  const { from, conditions, parts = [[]], id = 'id' } = query
  const columns = columnsOf(query)
  const beyond: Condition[] = after === undefined ? [] : [[`${id} < ?`, after]]
  const selects = parts.map((part) => {
    const where = [...conditions, ...part, ...beyond].map(toSql).join(' and ')
    return `select ${columns} from ${from} where ${where} order by ${id} desc limit ${most}`
  })
  return selects.length === 1
    ? selects.join()
    : selects.map((each) => `(${each})`).join(' union all ')
}

/**
 * Filters and joins need other columns. Without them an index has all that is needed, also where
 * the database reads every selected column because it merges parts.
 */
function columnsOf({ conditions, joined, filters = [], id = 'id' }: ListQuery): string {
  if (joined || filters.length > 0) return '*'
  const [organization] = organizationOf(conditions)
  return `${organization.replace(' = ?', '')}, ${id}`
}

/** A statement names the organization in each of its queries, so that it can be distributed. */
function organizationOf([organization]: readonly Condition[]): Condition {
  if (!organization) throw new Error('A list has no organization.')
  return organization
}

/** The text of a statement under construction, and its values. */
export function createText() {
  const values: unknown[] = []
  const place = (value: unknown): string => `$${values.push(value)}`
  const toSql: ToSql = ([sql, ...given]) =>
    given.reduce<string>((text, value) => text.replace('?', () => place(value)), sql)
  return { values, place, toSql }
}
