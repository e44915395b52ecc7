import type { Static } from 'typebox'
import { type Problem, refusedParameter } from '../../base/errors.ts'
import {
  DIMENSIONS,
  type Dimension,
  type Grouping,
  groupingOf,
} from '../../core/analytics/dimensions.ts'
import {
  addDays,
  type DayRange,
  daysBetween,
  daysMax,
  isDate,
  startOfDate,
  stretchesOf,
} from '../../core/analytics/range.ts'
import type { Principal } from '../../core/principal.ts'
import type { Instant } from '../../core/time/instant.ts'
import { dateAt } from '../../core/time/wall-clock.ts'
import { zoneOf } from '../../core/time/zone.ts'
import type { AnalyticsQuery } from './shape.ts'

type Query = Static<typeof AnalyticsQuery>

const DAYS_BY_DEFAULT = 30
const AHEAD_MAX = 366
/** The limit of rows per currency in a response. */
const ROWS_MAX = 10_000

/** The requested dimensions, in the order in which totals are stored. */
export function readGroupBy({ groupBy }: Pick<Query, 'groupBy'>): Dimension[] {
  const named = groupBy?.split(',') ?? []
  if (new Set(named).size < named.length)
    throw refusedParameter('groupBy', 'must not name a dimension twice')
  return DIMENSIONS.filter((dimension) => named.includes(dimension))
}

export interface StoredGrouping {
  readonly grouping: Grouping
  readonly shows: readonly [first: boolean, second: boolean]
}

/**
 * Finds the stored totals that answer the query. An agent-bound key sees only its agents, so for such
 * a key the agent is one of the two dimensions of the stored totals.
 */
export function findGrouping(
  groupBy: readonly Dimension[],
  { agentIds }: Pick<Principal, 'agentIds'>,
): StoredGrouping {
  const stored = agentIds === null ? groupBy : new Set<Dimension>(['agent', ...groupBy])
  const grouping = groupingOf(stored)
  if (!grouping) {
    throw refusedParameter(
      'groupBy',
      'can name only one dimension besides agent with an agent-bound key',
    )
  }
  const [first, second] = grouping.dimensions
  const isShown = (name: Dimension | undefined): boolean => !!name && groupBy.includes(name)
  return { grouping, shows: [isShown(first), isShown(second)] }
}

/** The days of a query about the past. */
export function readRange(query: Query, timezone: string, now: Instant): DayRange {
  const to = readDate(query, 'to', timezone) ?? addDays(dateAt(zoneOf(timezone), now), 1)
  const from = readDate(query, 'from', timezone) ?? addDays(to, -DAYS_BY_DEFAULT)
  if (from >= to) throw turned(query)
  const range = { from, to }
  const most = daysMax(query.interval)
  if (daysBetween(range) > most) {
    const by = query.interval === undefined ? '' : `, because interval is ${query.interval}`
    throw refusedParameter('from', `must be at most ${most} days before to${by}`)
  }
  if (stretchesOf(range, query.interval) * (query.top + 1) > ROWS_MAX) {
    throw refusedParameter('top', `must be smaller: an answer has at most ${ROWS_MAX} rows`)
  }
  return range
}

/** Names the parameter that the caller sent: without `to`, a range ends with today. */
function turned({ to }: Query): Problem {
  return to === undefined
    ? refusedParameter('from', 'must not be after today unless to is set')
    : refusedParameter('to', 'must be after from')
}

/** The days of a query about the future, starting today. */
export function readHorizon(query: Query, timezone: string, now: Instant): DayRange {
  if (query.from !== undefined || query.interval !== undefined) {
    const name = query.from === undefined ? 'interval' : 'from'
    throw refusedParameter(name, `cannot be combined with the metric ${query.metric}`)
  }
  const from = dateAt(zoneOf(timezone), now)
  const to = readDate(query, 'to', timezone) ?? addDays(from, DAYS_BY_DEFAULT)
  if (to <= from) throw refusedParameter('to', 'must be after today')
  if (daysBetween({ from, to }) > AHEAD_MAX) {
    throw refusedParameter('to', `must be at most ${AHEAD_MAX} days from now`)
  }
  return { from, to }
}

/** A date, or the time at which a date begins: totals are per day, so a query cannot be finer. */
function readDate(query: Query, name: 'from' | 'to', timezone: string): string | undefined {
  const given = query[name]
  if (given === undefined) return undefined
  const date = isDate(given) ? given : dateThatBegins(Date.parse(given), timezone)
  if (date === undefined) {
    throw refusedParameter(
      name,
      `must be a date such as 2026-11-01, or a date-time at which a day begins in ${timezone}, because totals are per day`,
    )
  }
  if (date < '1970-01-01' || date > '9000-01-01') {
    throw refusedParameter(
      name,
      'must be a date of the calendar between 1970 and 9000, such as 2026-11-01',
    )
  }
  return date
}

function dateThatBegins(at: Instant, timezone: string): string | undefined {
  const date = dateAt(zoneOf(timezone), at)
  return isDate(date) && startOfDate(date, timezone) === at ? date : undefined
}
