import type { DueDay } from '../../core/analytics/book.ts'
import { GROUPINGS, type Grouping } from '../../core/analytics/dimensions.ts'
import { type Instant, toIso } from '../../core/time/instant.ts'
import type { Queryable, Statement } from '../engine/database.ts'
import { plainArray } from '../engine/wire-array.ts'
import { keyBy, MEASURE_COLUMNS, TOTALS } from './measure-columns.ts'

/** The days that are due to be rolled up. */
export interface DueBefore {
  /** Days before this one are over in every time zone. */
  readonly day: string
  /** A day of the shown book is due if its last change was at or before this instant. */
  readonly touchedAt: Instant
}

/**
 * The first due day of each book: it is over and was not changed lately. In a book that is still
 * being filled, only days from the filling are due, so that the book does not wait for later
 * changes.
 */
export function listDueDays(
  db: Queryable,
  organizationId: string,
  { day, touchedAt }: DueBefore,
): Promise<DueDay[]> {
  return db.query<DueDay>({
    name: 'list-due-analytics-days',
    text: `
      select due.*, (
        select count(*) from analytics_cells c
        where c.organization_id = $1 and c.book = due.book and c.day = due.day
      ) as cells
      from (
        select distinct on (d.book) d.book, d.day, d.groupings_rolled as "groupingsRolled"
        from analytics_days d join analytics_books b on b.organization_id = $1 and b.book = d.book
        where d.organization_id = $1 and not d.is_rolled and d.day < $2
          and d.touched_at <= case b.state when 'shown' then $3::timestamptz else b.started_at end
        order by d.book, d.day
      ) as due`,
    values: [organizationId, day, toIso(touchedAt)],
  })
}

/** Stores how many groupings of a day are rolled up. Once all are, queries read the day's sums. */
export function noteRolled(
  organizationId: string,
  { book, day }: DueDay,
  groupingsRolled: number,
): Statement {
  return {
    name: 'note-rolled-analytics-day',
    text: `update analytics_days set is_rolled = $4, groupings_rolled = $5
           where organization_id = $1 and book = $2 and day = $3`,
    values: [organizationId, book, day, groupingsRolled >= GROUPINGS.length, groupingsRolled],
  }
}

/** Removes the earlier sums of a day for one grouping. */
export function removeSums(
  organizationId: string,
  { book, day }: DueDay,
  { bits }: Grouping,
): Statement {
  return {
    name: 'remove-analytics-sums',
    text: `delete from analytics_sums
           where organization_id = $1 and book = $2 and grouping_bits = $3 and day = $4`,
    values: [organizationId, book, bits, day],
  }
}

/**
 * Sums the cells of a day by one grouping. Groups that are not among the largest are summed as the
 * rest. If the first dimension is the agent, the rest keeps it, so that totals for an agent-bound
 * key stay complete.
 */
export function rollDay(
  organizationId: string,
  { book, day }: DueDay,
  { bits, dimensions, keptMax }: Grouping,
): Statement {
  return {
    name: 'roll-analytics-day',
    text: ROLL_DAY,
    values: [
      organizationId,
      book,
      day,
      bits,
      dimensions[0] ?? '',
      dimensions[1] ?? '',
      keptMax ?? null,
      dimensions[0] === 'agent',
    ],
  }
}

const placeBy = (amount: string): string =>
  `row_number() over (partition by currency order by ${amount} desc, key_1, key_2)`

const ROLL_DAY = `
  insert into analytics_sums (organization_id, book, grouping_bits, day, is_rest, currency, key_1,
                              key_2, ${MEASURE_COLUMNS})
  select $1, $2, $4, $3, not is_kept, currency,
         case when is_kept or $8::boolean then key_1 else '' end,
         case when is_kept then key_2 else '' end, ${TOTALS}
  from (
    select *, $7::int is null or least(
      ${placeBy('settled - refunded + held')}, ${placeBy('rejected_count')},
      ${placeBy('asked_count + used_count')}) <= $7::int as is_kept
    from (
      select currency, ${keyBy('$5')} as key_1, ${keyBy('$6')} as key_2, ${TOTALS}
      from analytics_cells
      where organization_id = $1 and book = $2 and day = $3
        and (approved_count <> 0 or rejected_count <> 0)
      group by 1, 2, 3
    ) as grouped
  ) as placed
  group by 5, 6, 7, 8`

/** The number of days of a book that are not rolled up. */
export async function countUnrolled(
  db: Queryable,
  organizationId: string,
  book: number,
): Promise<number> {
  const [row] = await db.query<{ days: bigint }>({
    text: `select count(*) as days from analytics_days
           where organization_id = $1 and book = $2 and not is_rolled`,
    values: [organizationId, book],
  })
  return Number(row?.days ?? 0)
}

/** The first day of a book that is no longer shown. */
export async function findFirstDay(
  db: Queryable,
  organizationId: string,
  book: number,
): Promise<string | undefined> {
  const [row] = await db.query<{ day: string }>({
    text: `select day from analytics_days where organization_id = $1 and book = $2
           order by day limit 1`,
    values: [organizationId, book],
  })
  return row?.day
}

/** Removes all rows of one day of a book. */
export function removeDay(organizationId: string, book: number, day: string): Statement[] {
  const values = [organizationId, book, day]
  return [
    {
      text: `delete from analytics_sums where organization_id = $1 and book = $2 and day = $3
               and grouping_bits = any($4::smallint[])`,
      values: [...values, plainArray(GROUPINGS.map(({ bits }) => bits))],
    },
    {
      text: 'delete from analytics_cells where organization_id = $1 and book = $2 and day = $3',
      values,
    },
    {
      text: 'delete from analytics_days where organization_id = $1 and book = $2 and day = $3',
      values,
    },
  ]
}
