import type { ListTransactionsQuery } from '@purser/sdk'
import { resolveFrom, resolveTo } from './period.ts'

/** The parameters of the address that filter the list. */
export const FILTER_NAMES = [
  ...['decision', 'status', 'path', 'agent', 'mandate', 'vendor', 'category', 'code', 'flagged'],
  ...['min', 'max', 'from', 'to', 'q', 'rule', 'approval', 'card'],
] as const

/** The address of the screen: filters, the saved view, and `live=off` while it is paused. */
export type TransactionSearch = Readonly<Partial<Record<string, string>>>

/** The filters of the API. Each text may name several values, separated by commas. */
export type TransactionQuery = Readonly<Record<string, string | number | boolean>>

const API_NAMES: Readonly<Record<string, string>> = {
  agent: 'agentId',
  mandate: 'mandateId',
  approval: 'approvalId',
  card: 'cardId',
  min: 'minAmount',
  max: 'maxAmount',
}

/** The filters that are on, without the view and the pause. */
export function filtersOf(search: TransactionSearch): TransactionSearch {
  const on = FILTER_NAMES.flatMap((name): [string, string][] => {
    const value = search[name]
    return value === undefined || value === '' ? [] : [[name, value]]
  })
  return Object.fromEntries(on)
}

/** The filters as the API takes them. Values that are no number or truth are left out. */
export function toQuery(search: TransactionSearch, now: Date, timezone: string): TransactionQuery {
  const entries = Object.entries(filtersOf(search)).flatMap(
    ([name, text = '']): [string, string | number | boolean][] => {
      const value = toValue(name, text, now, timezone)
      return value === undefined ? [] : [[API_NAMES[name] ?? name, value]]
    },
  )
  return Object.fromEntries(entries)
}

function toValue(name: string, text: string, now: Date, timezone: string) {
  if (name === 'min' || name === 'max') {
    const amount = Number(text)
    return Number.isFinite(amount) && amount >= 0 ? amount : undefined
  }
  if (name === 'flagged') return text === 'true' || text === 'false' ? text === 'true' : undefined
  if (name === 'to') return resolveTo(text, timezone)
  return name === 'from' ? resolveFrom(text, now, timezone) : text
}

/** The filters as a query of the SDK, whose types name one value per filter. */
export function asListQuery(query: TransactionQuery): ListTransactionsQuery {
  return query as ListTransactionsQuery
}

/** The filters as the text behind the question mark. */
export function asQueryText(query: TransactionQuery): string {
  return new URLSearchParams(
    Object.entries(query).map(([name, value]) => [name, String(value)]),
  ).toString()
}

/** The values of a filter that names several. */
export function valuesOf(text: string | undefined): readonly string[] {
  return text === undefined || text === '' ? [] : text.split(',')
}

/** Adds the value to a filter, or takes it away. At most 20 values are allowed. */
export function toggleValue(text: string | undefined, value: string): string {
  const values = valuesOf(text)
  const next = values.includes(value)
    ? values.filter((one) => one !== value)
    : [...values, value].slice(-20)
  return next.join(',')
}

export type TabName = 'all' | 'rejected' | 'held' | 'flagged'

/** The filters that each tab sets. The others stay. */
export const TAB_FILTERS: Readonly<Record<TabName, TransactionSearch>> = {
  all: {},
  rejected: { decision: 'rejected' },
  held: { status: 'held' },
  flagged: { flagged: 'true' },
}

const TAB_PARAMETERS = ['decision', 'status', 'flagged', 'view']

/** The address of a tab: its own filter in place of those of the other tabs. */
export function searchOfTab(search: TransactionSearch, tab: TabName): TransactionSearch {
  const kept = Object.entries(search).filter(([name]) => !TAB_PARAMETERS.includes(name))
  return { ...Object.fromEntries(kept), ...TAB_FILTERS[tab] }
}

/** The tab that the filters mean. */
export function tabOf({ decision, status, flagged }: TransactionSearch): TabName {
  if (decision === 'rejected' && !status) return 'rejected'
  if (status === 'held') return 'held'
  return flagged === 'true' ? 'flagged' : 'all'
}
