import type { AnalyticsRow } from '@purser/sdk'
import type { BarDay } from '../../charts/bar-day.ts'
import { addDays, type Day, longDay, mondayOf, shortDay, weekdayOf } from '../../words/days.ts'
import { formatAmount, formatMoney } from '../../words/money.ts'
import { countOf } from '../../words/text.ts'
import type { Range } from './range.ts'

interface Rows {
  readonly spend: readonly AnalyticsRow[]
  readonly rejections: readonly AnalyticsRow[]
}

/** A bar for each day or week of the range. The API leaves out days without spends. */
export function barDays(range: Range, currency: string, { spend, rejections }: Rows): BarDay[] {
  const spent = byStart(spend, currency)
  const rejected = byStart(rejections, currency)
  return startsOf(range).map((start) =>
    barOf(range, currency, start, spent.get(start), rejected.get(start)),
  )
}

function byStart(rows: readonly AnalyticsRow[], currency: string): Map<string, AnalyticsRow> {
  const own = rows.filter((row) => row.currency === currency)
  return new Map(own.map((row) => [row.start ?? '', row]))
}

function startsOf({ from, to, interval }: Range): Day[] {
  const step = interval === 'week' ? 7 : 1
  const starts: Day[] = []
  let start = interval === 'week' ? mondayOf(from) : from
  for (; start < to; start = addDays(start, step)) starts.push(start)
  return starts
}

function barOf(
  range: Range,
  currency: string,
  start: Day,
  spend: AnalyticsRow | undefined,
  rejection: AnalyticsRow | undefined,
): BarDay {
  const spent = spend?.net ?? 0
  const held = spend?.held ?? 0
  const refused = rejection?.amount ?? 0
  const refusals = rejection?.count ?? 0
  const spends = (spend?.count ?? 0) + refusals
  const isWeek = range.interval === 'week'
  const label = isWeek ? `Week of ${longDay(start)}` : weekdayOf(start)
  const amount = (value: number) => formatAmount(value, currency)
  const parts = [`${formatMoney(spent, currency)} spent`]
  if (held > 0) parts.push(`${amount(held)} held`)
  if (refusals > 0) parts.push(`${refusals} rejected for ${amount(refused)}`)
  return {
    ...{ key: start, label, tick: shortDay(start), spent: Math.max(0, spent), held },
    rejected: refused,
    spentText: amount(spent),
    heldText: amount(held),
    rejectedText: refusals > 0 ? `${amount(refused)} in ${refusals}` : amount(0),
    sentence: `${label}: ${parts.join(', ')}`,
    href: `/transactions?${new URLSearchParams(daysOf(range, start))}`,
    hint:
      spends > 0
        ? `Enter: see ${spends === 1 ? 'the spend' : `the ${countOf(spends, 'spend')}`}`
        : undefined,
  }
}

/** The days that a bar counts: a week at the edge of the range has fewer than seven. */
function daysOf(range: Range, start: Day): { from: Day; to: Day } {
  const end = addDays(start, range.interval === 'week' ? 7 : 1)
  const [, from = start] = [start, range.from].sort()
  const [to = end] = [end, range.to].sort()
  return { from, to }
}
