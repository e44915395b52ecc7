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
  { columns, from, conditions, id = 'id', rank, isCounted = true }: PageQuery,
): Promise<Page<Row>> {
  const values: unknown[] = []
  const place = (value: unknown): string => `$${values.push(value)}`
  const toSql = ([sql, ...given]: Condition): string =>
    given.reduce<string>((text, value) => text.replace('?', () => place(value)), sql)

  const where = conditions.map(toSql).join(' and ')
  const counted = isCounted ? await countRows(db, from, where, values) : 0
  const order = rank ? [toSql(rank), id] : [id]
  const beyond = after === undefined ? '' : ` and ${beyondOf(after)}`
  // One row more than requested shows whether there is a next page.
  const found = await db.query<Row>({
    text: `select ${columns} from ${from} where ${where}${beyond}
           order by ${order.map((part) => `${part} desc`).join(', ')} limit ${place(limit + 1)} offset ${place(offset)}`,
    values,
  })
  return {
    rows: found.slice(0, limit),
    ...totalOf(counted),
    limit,
    offset,
    hasMore: found.length > limit,
  }

  function beyondOf(row: string): string {
    const [organization] = conditions
    if (!rank || !organization) return `${id} < ${place(row)}`
    return `(${order.join(', ')}) < (select ${order.join(', ')} from ${from}
            where ${toSql(organization)} and ${id} = ${place(row)})`
  }
}

async function countRows(
  db: Queryable,
  from: string,
  where: string,
  values: readonly unknown[],
): Promise<number> {
  const [row] = await db.query<{ total: bigint }>({
    text: `select count(*) as total
           from (select 1 from ${from} where ${where} limit ${COUNTED_MAX}) as counted`,
    values: [...values],
  })
  return Number(row?.total ?? 0n)
}
