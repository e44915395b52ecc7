import { DIMENSIONS, type Dimension } from '../../src/core/analytics/dimensions.ts'
import { dateAt } from '../../src/core/time/wall-clock.ts'
import { zoneOf } from '../../src/core/time/zone.ts'
import { TRANSACTION_FLAGS } from '../../src/core/transaction.ts'
import type { Client, TestApp } from '../support/app.ts'
import { bodyOf } from '../support/builders.ts'
import type { TransactionBody } from '../support/spends.ts'

type Exported = TransactionBody & {
  readonly path: string
  readonly evaluationDetails: { readonly firstFailure: string | null } | null
}

export type Metric = 'spend' | 'rejections' | 'approvals'
type Figures = readonly number[]

export interface Question {
  readonly metric: Metric
  readonly groupBy: readonly Dimension[]
  readonly interval?: 'day' | 'week' | 'month'
}

/** Every question with at most two dimensions. */
export const GROUP_BYS: readonly (readonly Dimension[])[] = [
  [],
  ...DIMENSIONS.map((one) => [one]),
  ...DIMENSIONS.flatMap((one, index) => DIMENSIONS.slice(index + 1).map((two) => [one, two])),
]

export async function readExport(app: TestApp, { apiKey }: Client): Promise<Exported[]> {
  const { body } = await app.app.inject({
    url: '/api/v1/transactions/export?format=ndjson',
    headers: { authorization: `Bearer ${apiKey}` },
  })
  const lines = body.split('\n').filter((line) => line !== '')
  return lines.map((line) => JSON.parse(line) as Exported)
}

/** The sums of the export, in micros, by what the answer of analytics names them. */
export function sumExport(
  exported: readonly Exported[],
  timezone: string,
  { metric, groupBy, interval }: Question,
): Map<string, Figures> {
  const sums = new Map<string, Figures>()
  for (const row of exported) {
    const figures = FIGURES[metric](row)
    if (!figures) continue
    const day = dateAt(zoneOf(timezone), Date.parse(row.createdAt))
    const start = startOf(day, interval)
    const group = Object.fromEntries(groupBy.map((name) => [name, keyOf(row, name)]))
    const name = nameOf(start, row.currency, groupBy.length === 0 ? null : group)
    const known = sums.get(name)
    sums.set(name, known ? known.map((sum, index) => sum + (figures[index] ?? 0)) : figures)
  }
  return sums
}

/** The same of what the API answers. */
export async function askSums(
  client: Client,
  { metric, groupBy, interval }: Question,
  range = '',
): Promise<Map<string, Figures>> {
  const by = groupBy.length === 0 ? '' : `&groupBy=${groupBy.join(',')}`
  const each = interval === undefined ? '' : `&interval=${interval}`
  const url = `/analytics/spend?metric=${metric}${by}${each}&top=100${range}`
  const { data } = bodyOf(await client.get(url)) as unknown as { data: Row[] }
  return new Map(data.map((row) => [nameOf(row.start, row.currency, row.group), ROWS[metric](row)]))
}

interface Row {
  readonly start: string | null
  readonly currency: string | null
  readonly group: object | null
  readonly count: number
  readonly held: number
  readonly settled: number
  readonly refunded: number
  readonly net: number
  readonly amount: number
  readonly asked: { readonly count: number; readonly amount: number }
  readonly used: { readonly count: number; readonly amount: number }
}

const micros = (units: number): number => Math.round(units * 1e6)

const ROWS: Readonly<Record<Metric, (row: Row) => Figures>> = {
  spend: ({ count, held, settled, refunded, net }) => [
    count,
    ...[held, settled, refunded, net].map(micros),
  ],
  rejections: ({ count, amount }) => [count, micros(amount)],
  approvals: ({ asked, used }) => [
    asked.count,
    micros(asked.amount),
    used.count,
    micros(used.amount),
  ],
}

const FIGURES: Readonly<Record<Metric, (row: Exported) => Figures | undefined>> = {
  spend({ decision, heldAmount, settledAmount, refundedAmount }) {
    if (decision !== 'approved') return undefined
    const money = [heldAmount, settledAmount, refundedAmount].map(micros)
    return [1, ...money, micros(settledAmount) - micros(refundedAmount)]
  },
  rejections: ({ decision, amount }) => (decision === 'rejected' ? [1, micros(amount)] : undefined),
  approvals({ decision, code, amount, approvalId, heldAmount, settledAmount, refundedAmount }) {
    if (code === 'approval_required') return [1, micros(amount), 0, 0]
    if (decision !== 'approved' || approvalId === null) return undefined
    return [0, 0, 1, micros(settledAmount) - micros(refundedAmount) + micros(heldAmount)]
  },
}

function startOf(day: string, interval: Question['interval']): string | null {
  switch (interval) {
    case undefined:
      return null
    case 'day':
      return day
    case 'week':
      return mondayOf(day)
    case 'month':
      return `${day.slice(0, 7)}-01`
  }
}

function mondayOf(day: string): string {
  const date = new Date(`${day}T00:00:00Z`)
  date.setUTCDate(date.getUTCDate() - ((date.getUTCDay() + 6) % 7))
  return date.toISOString().slice(0, 10)
}

function keyOf(row: Exported, name: Dimension): string | null {
  switch (name) {
    case 'agent':
      return row.agentId
    case 'mandate':
      return row.mandateId
    case 'rule':
      return row.evaluationDetails?.firstFailure ?? row.flags.find(isRule) ?? null
    default:
      return row[name]
  }
}

/** What is unusual about the money is told with the same list. */
function isRule(flag: string): boolean {
  return !Object.hasOwn(TRANSACTION_FLAGS, flag)
}

function nameOf(start: string | null, currency: string | null, group: object | null): string {
  return JSON.stringify([start, currency, group])
}
