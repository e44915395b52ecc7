import type { AnalyticsRow, Mandate } from '@purser/sdk'
import { longDay } from '../../words/days.ts'
import { formatMoney, formatPercent, sumMoney } from '../../words/money.ts'
import { countOf } from '../../words/text.ts'
import type { Range } from './range.ts'

/** The four numbers of one currency. Amounts are never added across currencies. */
export interface Numbers {
  readonly currency: string
  readonly spent: number
  readonly spentBefore: number
  /** How many spends were approved. */
  readonly approved: number
  readonly held: number
  readonly rejected: number
  readonly rejectedAmount: number
  /** Null while it is not known, or if the gateway refuses to compute it. */
  readonly exposure: number | null
}

export interface NumberRows {
  readonly spend: readonly AnalyticsRow[]
  readonly before: readonly AnalyticsRow[]
  readonly rejections: readonly AnalyticsRow[]
  readonly exposure: readonly AnalyticsRow[] | undefined
  readonly mandates: readonly Mandate[]
}

/**
 * The currencies in which agents can spend, with the organization's own one first. A currency that
 * only occurs in rejected spends has no line of its own.
 */
export function currenciesOf(rows: NumberRows, own: string): string[] {
  const all = [rows.spend, rows.exposure ?? []].flat().map((row) => row.currency)
  const known = new Set([...all, ...rows.mandates.map((mandate) => mandate.currency)])
  known.delete(null)
  const others = [...known].filter((one): one is string => one !== null && one !== own).sort()
  return known.has(own) || others.length === 0 ? [own, ...others] : others
}

/**
 * Whether a rejected spend belongs to no line: a mandate gave it no currency yet, or no mandate has
 * its currency. The first line counts it, without its amount.
 */
export function isStray(currency: string | null, currencies: readonly string[]): boolean {
  return currency === null || !currencies.includes(currency)
}

/** The numbers of a currency. The first currency also counts strays. */
export function numbersOf(rows: NumberRows, currency: string, isFirst: boolean): Numbers {
  const currencies = currenciesOf(rows, currency)
  const own = (list: readonly AnalyticsRow[]) => list.filter((row) => row.currency === currency)
  const strays = isFirst ? rows.rejections.filter((row) => isStray(row.currency, currencies)) : []
  const roots = rows.mandates.filter(
    (mandate) => mandate.parentMandateId === null && mandate.currency === currency,
  )
  const counts = (list: readonly AnalyticsRow[]) =>
    list.reduce((sum, row) => sum + (row.count ?? 0), 0)
  return {
    currency,
    spent: sumMoney(own(rows.spend).map((row) => row.net ?? 0)),
    spentBefore: sumMoney(own(rows.before).map((row) => row.net ?? 0)),
    approved: counts(own(rows.spend)),
    held: sumMoney(roots.map((mandate) => mandate.budgetHeld)),
    rejected: counts([...own(rows.rejections), ...strays]),
    rejectedAmount: sumMoney(own(rows.rejections).map((row) => row.amount ?? 0)),
    exposure: rows.exposure ? sumMoney(own(rows.exposure).map((row) => row.amount ?? 0)) : null,
  }
}

/** "12 % more than the 30 days before". */
export function comparison({ spent, spentBefore }: Numbers, { days }: Range): string {
  const before = days === 1 ? 'the day before' : `the ${days} days before`
  if (spentBefore <= 0) return spent > 0 ? `Nothing in ${before}` : 'Nothing yet'
  const change = (spent - spentBefore) / spentBefore
  if (Math.abs(change) < 0.005) return `As much as ${before}`
  // A large increase reads better as a multiple: "14 times as much".
  if (change >= 9) return `${Math.round(change + 1)} times as much as ${before}`
  return `${formatPercent(Math.abs(change))} ${change > 0 ? 'more' : 'less'} than ${before}`
}

/** "598.00 USD requested, 3.5 % of spends". */
export function rejectedNote(numbers: Numbers): string {
  const { rejected, approved, rejectedAmount, currency } = numbers
  if (rejected === 0) {
    return approved > 0 ? `None of ${countOf(approved, 'spend')}` : 'No spends in these days'
  }
  const share = formatPercent(rejected / (rejected + approved))
  return `${formatMoney(rejectedAmount, currency)} requested, ${share} of spends`
}

/** "at most, until 17 December, by all mandates". */
export function exposureNote(until: string | undefined): string {
  return until === undefined
    ? 'at most, by all mandates'
    : `at most, until ${longDay(until)}, by all mandates`
}
