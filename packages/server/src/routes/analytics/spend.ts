import { type Static, Type } from 'typebox'
import { Problem, refusedParameter } from '../../base/errors.ts'
import type { Dimension } from '../../core/analytics/dimensions.ts'
import { FORECAST_DAYS, forecast } from '../../core/analytics/measures.ts'
import { addDays, type DayRange, daysBetween, startOfDate } from '../../core/analytics/range.ts'
import { toUuid } from '../../core/id.ts'
import { toUnits } from '../../core/money.ts'
import type { Principal } from '../../core/principal.ts'
import type { Instant } from '../../core/time/instant.ts'
import type { App } from '../../http/app.ts'
import { CSV, CSV_TYPE, wantsCsv } from '../../http/csv.ts'
import { toTimestamp } from '../../http/document/schemas.ts'
import {
  findShownBook,
  type ReadSums,
  readSums,
  type SummedMetric,
} from '../../storage/analytics/read-sums.ts'
import type { Database, Queryable } from '../../storage/engine/database.ts'
import { type NameOf, readNames } from '../../storage/names.ts'
import { toAnalyticsCsv } from './csv.ts'
import { readExposure } from './exposure.ts'
import { findGrouping, readGroupBy, readHorizon, readRange } from './request.ts'
import {
  ANALYTICS_CSV_EXAMPLE,
  Analytics,
  AnalyticsQuery,
  type AnalyticsRowShape,
  type AnalyticsShape,
  toFigures,
  toRow,
  type UnnamedRow,
} from './shape.ts'

interface AnalyticsParts {
  readonly db: Database
  readonly now: () => number
}

type Query = Static<typeof AnalyticsQuery>

/** The limit of rows for all currencies together. */
const ROWS_MAX = 20_000
/** Enough retries: a book is replaced only rarely. */
const TRIES_MAX = 3

export function analyticsRoutes(app: App, { db, now }: AnalyticsParts): void {
  app.route({
    method: 'GET',
    url: '/analytics/spend',
    schema: {
      operationId: 'getSpendAnalytics',
      summary: 'Get spending totals, trends, exposure or a forecast',
      description:
        "Groups by agent, mandate, vendor, category, path, rule or code. Totals are per currency. A spend counts on the day of its decision, in the organization's time zone; later changes, such as a refund, correct that day. Totals follow decisions within seconds; `asOf`, `asOfAt` and `isCurrent` say how current they are. With `Accept: text/csv`, the response is a CSV table. An agent-bound key sees only the totals of its agents.",
      tags: ['Analytics'],
      querystring: AnalyticsQuery,
      response: {
        200: {
          description: 'The totals, as JSON or CSV.',
          content: {
            'application/json': { schema: Analytics },
            [CSV]: { schema: Type.String(), example: ANALYTICS_CSV_EXAMPLE },
          },
        },
      },
    },
    config: {
      scope: 'transactions:read',
      agentKeys: 'allowed',
      problems: ['analytics_not_ready'],
    },
    handler: async ({ organizationId, principal, query, headers }, reply) => {
      const groupBy = readGroupBy(query)
      const ask = { db, organizationId, principal, query, groupBy, now: now() }
      const unnamed = await askUntilShown(ask)
      const data = await nameRows(db, organizationId, principal, unnamed.data)
      const answer = { ...unnamed, data }
      if (!wantsCsv(headers.accept)) return answer
      const name = `${query.metric}-${answer.from}-to-${answer.to}.csv`
      return reply
        .header('content-type', CSV_TYPE)
        .header('content-disposition', `attachment; filename="${name}"`)
        .send(toAnalyticsCsv(answer) as never)
    },
  })
}

async function askUntilShown(ask: Ask): Promise<Answer> {
  for (let tries = 1; tries <= TRIES_MAX; tries++) {
    const answer = await answerFrom(ask)
    if (answer) return answer
  }
  throw notReady()
}

type Answer = Omit<AnalyticsShape, 'data'> & { readonly data: UnnamedRow[] }

interface Ask {
  readonly db: Database
  readonly organizationId: string
  readonly principal: Principal
  readonly query: Query
  readonly groupBy: readonly Dimension[]
  readonly now: number
}

/** Returns undefined if the book was replaced during the read. */
async function answerFrom(ask: Ask): Promise<Answer | undefined> {
  const { db, organizationId, query, now } = ask
  const book = await findShownBook(db, organizationId)
  if (!book) throw notReady()
  const { zone } = book
  if (query.metric === 'exposure') return answerExposure(ask, zone)
  const isForecast = query.metric === 'forecast'
  const range = isForecast ? readHorizon(query, zone, now) : readRange(query, zone, now)
  const past = isForecast ? { from: addDays(range.from, -FORECAST_DAYS), to: range.from } : range
  const metric = query.metric === 'forecast' ? 'spend' : query.metric
  const read = await readFrom(ask, book.book, past, metric)
  if (!read) return undefined
  if (read.sums.length > ROWS_MAX) {
    throw refusedParameter('top', 'must be smaller, or the range shorter: there are too many rows')
  }
  const rows = isForecast
    ? toForecasts(read, ask.groupBy, daysBetween(range))
    : read.sums.map((sum) => ({ ...toRow(sum, ask.groupBy), ...toFigures(metric, sum) }))
  return { ...toHead(ask, zone, range), ...toReading(read, now), data: rows }
}

/** Exposure comes from the current mandates, not from counted totals. */
async function answerExposure(ask: Ask, zone: string): Promise<Answer> {
  const { db, query, now } = ask
  const range = readHorizon(query, zone, now)
  const until = startOfDate(range.to, zone)
  const exposure = await readExposure(db, { ...ask, top: query.top, until })
  const reading = { asOf: null, asOfAt: toTimestamp(now), isCurrent: true, isFolded: false }
  return { ...toHead(ask, zone, range), ...reading, ...exposure }
}

function readFrom(
  { db, organizationId, principal, query, groupBy }: Ask,
  book: number,
  range: DayRange,
  metric: SummedMetric,
): Promise<ReadSums | undefined> {
  const { grouping, shows } = findGrouping(groupBy, principal)
  const { interval, top } = query
  const { agentIds } = principal
  const stored = { book, grouping, shows, agentIds, range }
  return readSums(db, organizationId, { ...stored, interval, metric, top, rowsMax: ROWS_MAX + 1 })
}

function toForecasts(
  { sums }: ReadSums,
  groupBy: readonly Dimension[],
  days: number,
): UnnamedRow[] {
  return sums.map((sum) => {
    const { approvedCount, held, settled, refunded } = sum.measures
    const expected = forecast(approvedCount, settled - refunded + held, days)
    return {
      ...toRow(sum, groupBy),
      count: Number(approvedCount),
      perDay: expected ? toUnits(expected.perDay) : null,
      amount: expected ? toUnits(expected.amount) : null,
    }
  })
}

function toHead({ query, groupBy }: Ask, timezone: string, { from, to }: DayRange) {
  return {
    metric: query.metric,
    groupBy: [...groupBy],
    interval: query.interval ?? null,
    timezone,
    from,
    to,
    fromAt: toTimestamp(startOfDate(from, timezone)),
    toAt: toTimestamp(startOfDate(to, timezone)),
  }
}

/** If everything is counted, the totals are current up to the moment before the read. */
function toReading({ countedTo, isCurrent, countedAt, sums }: ReadSums, now: Instant) {
  return {
    asOf: Number(countedTo),
    asOfAt: toTimestamp(isCurrent ? now : countedAt),
    isCurrent,
    isFolded: sums.some(({ isFolded }) => isFolded),
  }
}

function notReady(): Problem {
  return new Problem(
    'analytics_not_ready',
    'The spend totals of the organization are being built for the first time. Retry later.',
    { retryAfterSeconds: 5 },
  )
}

/** Adds names to the ids of the groups, with one statement for all rows. */
async function nameRows(
  db: Queryable,
  organizationId: string,
  { agentIds }: Pick<Principal, 'agentIds'>,
  rows: readonly UnnamedRow[],
): Promise<AnalyticsRowShape[]> {
  const idsOf = (kind: 'agent' | 'mandate' | 'vendor'): string[] => [
    ...new Set(rows.flatMap(({ group }) => group?.[kind] ?? [])),
  ]
  const nameOf = await readNames(db, organizationId, {
    agents: idsOf('agent'),
    mandates: idsOf('mandate').map(uuidOf),
    // Agent-bound keys do not see the vendor directory.
    vendors: agentIds === null ? idsOf('vendor') : [],
  })
  return rows.map((row) => ({ ...row, names: namesOf(row, nameOf) }))
}

function namesOf({ group }: UnnamedRow, nameOf: NameOf): AnalyticsRowShape['names'] {
  if (group === null) return null
  const { agent, mandate, vendor } = group
  return {
    ...(agent !== undefined && { agent: agent && nameOf('agent', agent) }),
    ...(mandate !== undefined && { mandate: mandate && nameOf('mandate', uuidOf(mandate)) }),
    ...(vendor !== undefined && { vendor: vendor && nameOf('vendor', vendor) }),
  }
}

function uuidOf(mandateId: string): string {
  return toUuid('mnd', mandateId) ?? ''
}
