import type { Grouping } from '../../core/analytics/dimensions.ts'
import { type Measure, type Measures, NOTHING } from '../../core/analytics/measures.ts'
import type { DayRange, Interval } from '../../core/analytics/range.ts'
import type { Instant } from '../../core/time/instant.ts'
import type { Queryable } from '../engine/database.ts'
import { plainArray } from '../engine/wire-array.ts'
import { columnOf, keyBy } from './measure-columns.ts'

export type SummedMetric = 'spend' | 'rejections' | 'approvals'

export interface SumsRequest {
  readonly book: number
  readonly grouping: Grouping
  /** Whether the response separates groups by the first and the second key. */
  readonly shows: readonly [first: boolean, second: boolean]
  /** Only these agents, which are then the first key. Rules of parent mandates are not named. */
  readonly agentIds: readonly string[] | null
  readonly range: DayRange
  readonly interval: Interval | undefined
  readonly metric: SummedMetric
  /** The number of groups per currency that the response shows separately. */
  readonly top: number
  readonly rowsMax: number
}

/** The sums of one group in one interval. */
export interface ReadSum {
  /** The first day of the interval; null if the request has no interval. */
  readonly start: string | null
  readonly currency: string
  /** True for the sum of all groups that are not shown separately. */
  readonly isRest: boolean
  /** Whether the sum includes amounts that were stored without their group. */
  readonly isFolded: boolean
  readonly first: string
  readonly second: string
  /** The measures of the metric; the others are zero. */
  readonly measures: Measures
}

export interface ReadSums {
  /** Everything up to this number of the feed is counted. */
  readonly countedTo: bigint
  /** Whether that is the end of the feed. */
  readonly isCurrent: boolean
  /** If it is not: the time of the last counted event; null if retention removed it. */
  readonly countedAt: Instant | null
  readonly sums: readonly ReadSum[]
}

interface Row extends Omit<ReadSum, 'measures'>, Omit<ReadSums, 'sums'> {
  /** Figures in the order of the metric's measures. */
  readonly figures: readonly string[]
}

/** Returns undefined if the book is no longer the shown one. */
export async function readSums(
  db: Queryable,
  organizationId: string,
  request: SumsRequest,
): Promise<ReadSums | undefined> {
  const { grouping, range, agentIds, shows } = request
  const rows = await db.query<Row>({
    name: 'read-analytics-sums',
    text: READ_SUMS,
    values: [
      organizationId,
      request.book,
      grouping.bits,
      grouping.dimensions[0] ?? '',
      grouping.dimensions[1] ?? '',
      range.from,
      range.to,
      agentIds === null ? null : plainArray(agentIds),
      request.interval ?? null,
      shows[0],
      shows[1],
      request.metric,
      request.top,
      request.rowsMax,
    ],
  })
  const [first] = rows
  if (!first) return undefined
  // Without any sum there is still one row, that of the book.
  const sums = rows
    .filter(({ currency }) => currency !== null)
    .map((row) => toSum(row, request.metric))
  const { countedTo, isCurrent, countedAt } = first
  return { countedTo, isCurrent, countedAt, sums }
}

function toSum({ figures, ...row }: Row, metric: SummedMetric): ReadSum {
  const measures = { ...NOTHING }
  for (const [place, name] of MEASURES_OF[metric].entries()) {
    measures[name] = BigInt(figures[place] ?? 0)
  }
  const { start, currency, isRest, isFolded, first, second } = row
  return { start, currency, isRest, isFolded, first, second, measures }
}

const IN_RANGE = `organization_id = $1 and book = $2 and day >= $6 and day < $7`

/** Today, and days with recent changes. */
const UNROLLED = `array(select day from analytics_days where ${IN_RANGE} and not is_rolled)`

/** The measures that each metric needs. Summing all measures would take twice as long. */
const MEASURES_OF: Readonly<Record<SummedMetric, readonly Measure[]>> = {
  spend: ['approvedCount', 'held', 'settled', 'refunded'],
  rejections: ['rejectedCount', 'rejectedAmount'],
  approvals: ['askedCount', 'askedAmount', 'usedCount', 'usedAmount'],
}

const figureBy = (place: number): string => {
  const cases = Object.entries(MEASURES_OF).map(([metric, names]) => {
    const name = names[place]
    return `when '${metric}' then ${name === undefined ? '0' : columnOf(name)}`
  })
  return `case $12::text ${cases.join(' ')} end`
}

const FIGURES = `
  ${figureBy(0)} as figure_1, ${figureBy(1)} as figure_2, ${figureBy(2)} as figure_3,
  ${figureBy(3)} as figure_4`

const TOTALS = `
  sum(figure_1) as figure_1, sum(figure_2) as figure_2, sum(figure_3) as figure_3,
  sum(figure_4) as figure_4`

/** The largest groups come first: by money, or by the number of decisions. */
const READ_SUMS = `
  with place as materialized (
    select b.counted_to, b.counted_to >= f.last_number as is_current,
           case when b.counted_to < f.last_number then (
             select e.occurred_at from webhook_events e
             where e.organization_id = $1 and e.number <= b.counted_to
             order by e.number desc limit 1
           ) end as counted_at
    from analytics_books b join event_feeds f on f.organization_id = b.organization_id
    where b.organization_id = $1 and b.book = $2 and b.state = 'shown'
  ), taken as (
    select day, currency, is_rest, key_1, key_2, ${FIGURES}
    from analytics_sums
    where ${IN_RANGE} and grouping_bits = $3 and day <> all(${UNROLLED})
      and ($8::text[] is null or key_1 = any($8::text[]))
    union all
    select day, currency, false, ${keyBy('$4')}, ${keyBy('$5')}, ${FIGURES}
    from analytics_cells
    where organization_id = $1 and book = $2 and day = any(${UNROLLED})
      and ($8::text[] is null or agent = any($8::text[]))
  ), grouped as (
    select case $9::text when 'day' then day
             when 'week' then date_trunc('week', day::timestamp)::date
             when 'month' then date_trunc('month', day::timestamp)::date end as start,
           currency, is_rest, case when $10::boolean then key_1 else '' end as key_1,
           case when not $11::boolean then ''
             when $8::text[] is not null and key_2 like '%/%' then 'above' else key_2 end as key_2,
           ${TOTALS}
    from taken
    where figure_1 <> 0 or $12::text = 'approvals' and figure_3 <> 0
    group by 1, 2, 3, 4, 5
  ), ranked as (
    select currency, key_1, key_2, row_number() over (
      partition by currency
      order by sum(case $12::text when 'spend' then figure_3 - figure_4 + figure_2
        when 'rejections' then figure_1 else figure_1 + figure_3 end) desc, key_1, key_2
    ) as place
    from grouped where not is_rest group by currency, key_1, key_2
  ), placed as (
    select g.*, coalesce(r.place, $13::bigint + 1) as place
    from grouped g left join ranked r on not g.is_rest and r.currency = g.currency
      and r.key_1 = g.key_1 and r.key_2 = g.key_2
  ), told as (
    select start, currency, least(place, $13::bigint + 1) as place, bool_or(is_rest) as is_folded,
           case when place <= $13::bigint then key_1 else '' end as key_1,
           case when place <= $13::bigint then key_2 else '' end as key_2, ${TOTALS}
    from placed group by 1, 2, 3, 5, 6
    order by start, currency, 3 limit $14
  )
  select p.counted_to as "countedTo", p.is_current as "isCurrent", p.counted_at as "countedAt",
         t.start, t.currency, t.place > $13::bigint as "isRest",
         t.is_folded as "isFolded", t.key_1 as first, t.key_2 as second,
         array[figure_1, figure_2, figure_3, figure_4] as figures
  from place p left join told t on true
  order by t.start, t.currency, t.place`

/** The book that responses are read from; undefined before the first one is filled. */
export async function findShownBook(
  db: Queryable,
  organizationId: string,
): Promise<{ readonly book: number; readonly zone: string } | undefined> {
  const [row] = await db.query<{ book: number; zone: string }>({
    name: 'find-shown-book',
    text: `select book, zone from analytics_books
           where organization_id = $1 and state = 'shown'`,
    values: [organizationId],
  })
  return row
}
