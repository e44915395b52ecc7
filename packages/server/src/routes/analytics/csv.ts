import type { Dimension } from '../../core/analytics/dimensions.ts'
import { type CsvValue, toCsvLine } from '../../http/csv.ts'
import type { AnalyticsRowShape, AnalyticsShape } from './shape.ts'

type Column = readonly [name: string, read: (row: AnalyticsRowShape) => CsvValue]

const FIGURES: Readonly<Record<AnalyticsShape['metric'], readonly Column[]>> = {
  spend: [
    ['count', ({ count }) => count],
    ['held', ({ held }) => held],
    ['settled', ({ settled }) => settled],
    ['refunded', ({ refunded }) => refunded],
    ['net', ({ net }) => net],
  ],
  rejections: [
    ['count', ({ count }) => count],
    ['amount', ({ amount }) => amount],
  ],
  approvals: [
    ['askedCount', ({ asked }) => asked?.count],
    ['askedAmount', ({ asked }) => asked?.amount],
    ['usedCount', ({ used }) => used?.count],
    ['usedAmount', ({ used }) => used?.amount],
  ],
  exposure: [['amount', ({ amount }) => amount]],
  forecast: [
    ['count', ({ count }) => count],
    ['perDay', ({ perDay }) => perDay],
    ['amount', ({ amount }) => amount],
  ],
}

/** The rows as a table: a column for each requested dimension, and one for its name. */
export function toAnalyticsCsv(answer: AnalyticsShape): string {
  const { metric, groupBy, asOfAt, isCurrent, data } = answer
  const columns: readonly Column[] = [
    ['start', ({ start }) => start],
    ['currency', ({ currency }) => currency],
    ...groupBy.flatMap(columnsOf),
    ['isOther', ({ isOther }) => isOther],
    ...FIGURES[metric],
    ['asOfAt', () => asOfAt],
    ['isCurrent', () => isCurrent],
  ]
  const header = toCsvLine(columns.map(([name]) => name))
  return header + data.map((row) => toCsvLine(columns.map(([, read]) => read(row)))).join('')
}

function columnsOf(dimension: Dimension): readonly Column[] {
  const key: Column = [dimension, ({ group }) => group?.[dimension]]
  if (dimension !== 'agent' && dimension !== 'mandate' && dimension !== 'vendor') return [key]
  return [key, [`${dimension}Name`, ({ names }) => names?.[dimension]]]
}
