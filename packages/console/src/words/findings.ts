import type { Finding, Rule } from '@purser/sdk'
import { showSchedule, showScheduleTime } from './hours.ts'
import { formatAmount, formatCount } from './money.ts'
import { countOf } from './text.ts'
import { formatMonth } from './time.ts'
import { durationWords, limitName } from './windows.ts'
import { PATH_WORDS, ruleName } from './words.ts'

/** The part of a finding that its words need. The rules of an approval have no outcome. */
export type FindingData = Pick<Finding, 'id' | 'type' | 'observed' | 'limit' | 'window' | 'code'>

/** Facts beside the finding. Without them the words are correct, but less exact. */
export interface FindingContext {
  readonly currency: string | null
  /** The rule that was judged: only it says whether a limit counts spends or adds amounts. */
  readonly rule?: Rule | undefined
  /** When the spend was judged, for the name of the budget's month. */
  readonly at?: Date | undefined
  readonly timezone?: string | undefined
}

/** The name of the finding: "Per-spend limit", "Vendor is allowed", "Budget of November". */
export function findingName(finding: FindingData, context?: FindingContext): string {
  const { type, window, code } = finding
  if (code === 'payee_mismatch') return 'Unconfirmed payee address'
  if (code === 'category_required') return 'Category is missing'
  const name = NAMES[type]
  if (name) return code === null ? name.pass : (name.codes?.[code] ?? name.fail)
  if (type === 'limit') return limitName(window)
  if (type === 'amount' && isMinimum(finding)) return 'Minimum amount'
  if (type === 'budget') return budgetName(window, context)
  return ruleName(type)
}

interface NamePair {
  readonly pass: string
  readonly fail: string
  readonly codes?: Readonly<Record<string, string>>
}

const NAMES: Readonly<Record<string, NamePair>> = {
  vendors: {
    ...{ pass: 'Vendor is allowed', fail: 'Vendor is not allowed' },
    codes: { vendor_blocked: 'Vendor is blocked' },
  },
  categories: {
    ...{ pass: 'Category is allowed', fail: 'Category is not allowed' },
    codes: { category_blocked: 'Category is blocked' },
  },
  high_risk: { pass: 'High-risk category is allowed', fail: 'High-risk category' },
  paths: { pass: 'Payment path is allowed', fail: 'Payment path is not allowed' },
  schedule: { pass: 'Within allowed hours', fail: 'Outside allowed hours' },
  duplicate: { pass: 'Not a duplicate', fail: 'Duplicate' },
  new_vendor: { pass: 'Known vendor', fail: 'New vendor' },
  approval: { pass: 'No approval needed', fail: 'Needs approval' },
}

/** The values that the rule compared, in a few words: "297.00 of 250.00". */
export function findingFacts(finding: FindingData, context: FindingContext): string {
  const { type, observed, limit } = finding
  const known = FACTS[type]?.(finding, context)
  if (known !== undefined) return known
  const seen = valueWords(finding, observed, context)
  const allowed = valueWords(finding, limit, context)
  if (seen === '' || allowed === '') return seen || allowed
  if (isRatio(finding)) return `${seen} of ${allowed}`
  return seen === allowed ? seen : `${seen}, allowed: ${allowed}`
}

type Facts = (finding: FindingData, context: FindingContext) => string | undefined

const FACTS: Readonly<Record<string, Facts>> = {
  amount: (finding, { currency }) => {
    const both = numbersOf(finding)
    if (!both || !isMinimum(finding)) return undefined
    return `${formatAmount(both.observed, currency)}, at least ${formatAmount(both.limit, currency)}`
  },
  vendors: ({ observed, limit, code }) =>
    code === null ? listWords(limit) : joined(text(observed), listWords(limit)),
  categories: ({ observed, limit, code }) =>
    code === null ? text(observed) : joined(text(observed), listWords(limit)),
  schedule: ({ observed, limit }) =>
    joined(showScheduleTime(text(observed)), showSchedule(text(limit))),
  paths: ({ observed, limit, code }) => {
    const allowed = text(limit).split(', ').map(pathWord).join(', ')
    return code === null ? pathWord(text(observed)) : joined(pathWord(text(observed)), allowed)
  },
  duplicate: ({ code, observed, window }) => {
    if (observed === null) return 'Part of an approved purchase'
    const within = window === null ? '' : ` within ${durationWords(window)}`
    return code === null ? `None${within}` : `Same spend${within}`
  },
  new_vendor: ({ code, observed, limit }, { currency }) => {
    if (typeof observed === 'number' && typeof limit === 'number') {
      return `${formatAmount(observed, currency)}, approved up to ${formatAmount(limit, currency)}`
    }
    if (code !== null) return 'First spend here'
    return typeof observed === 'number' ? knownFor(observed) : undefined
  },
  price_drift: ({ observed, limit }, { currency }) => {
    if (typeof observed !== 'number') return undefined
    const price = formatAmount(observed, currency)
    return typeof limit === 'number'
      ? `${price}, up to ${formatAmount(limit, currency)}`
      : `${price}, no earlier price`
  },
  approval: ({ observed, limit }, { currency }) => {
    if (typeof observed !== 'number' || typeof limit !== 'number') return undefined
    if (limit === 0) return 'Every spend needs approval'
    return `${formatAmount(observed, currency)}, needed above ${formatAmount(limit, currency)}`
  },
  // Its `match` leaves this spend out.
  limit: ({ code, observed }) =>
    code === null && observed === null ? 'Does not apply' : undefined,
  expression: ({ limit }) => text(limit),
}

/** Both are numbers of the same kind, so that a bar can show one against the other. */
export function isRatio(finding: FindingData): boolean {
  return RATIO_TYPES.has(finding.type) && numbersOf(finding) !== undefined
}

const RATIO_TYPES = new Set(['amount', 'limit', 'budget', 'approval', 'price_drift'])

/** How far the spend is above the limit, as a sentence; undefined if it is not. */
export function overBy(finding: FindingData, context: FindingContext): string | undefined {
  const { type } = finding
  const both = isRatio(finding) ? numbersOf(finding) : undefined
  if (!both || both.observed <= both.limit) return undefined
  const over = Math.round((both.observed - both.limit) * 1e6) / 1e6
  if (isCount(finding, context)) return `${countOf(over, 'spend')} above the limit`
  const amount = formatAmount(over, context.currency)
  if (type === 'budget') return `${amount} more than is left`
  return type === 'price_drift' ? `${amount} above the allowed price` : `${amount} above the limit`
}

/** Whether the rule belongs to a parent of the agent's mandate. */
export function isParentRule({ id }: Pick<FindingData, 'id'>): boolean {
  return id.includes('/')
}

function budgetName(window: string | null, context: FindingContext | undefined): string {
  const { at, timezone = 'UTC' } = context ?? {}
  if (window === 'monthly' && at) return `Budget of ${formatMonth(at, timezone)}`
  return BUDGETS[window ?? ''] ?? 'Budget'
}

const BUDGETS: Readonly<Record<string, string>> = {
  daily: 'Daily budget',
  weekly: 'Weekly budget',
  monthly: 'Monthly budget',
  yearly: 'Yearly budget',
}

function valueWords(finding: FindingData, value: Finding['observed'], context: FindingContext) {
  if (typeof value !== 'number') return text(value)
  return isCount(finding, context) ? formatCount(value) : formatAmount(value, context.currency)
}

/** A limit that passed does not name its unit. Whole numbers then read well as both. */
function isCount({ type, code, observed, limit }: FindingData, { rule }: FindingContext): boolean {
  if (type !== 'limit') return false
  if (code !== null) return code === 'limit_count_exceeded'
  if (rule?.type === 'limit') return rule.maxAmount === undefined
  return Number.isInteger(observed) && Number.isInteger(limit)
}

/** An amount rule that passes above its only bound has a minimum alone. */
function isMinimum(finding: FindingData): boolean {
  if (finding.code !== null) return finding.code === 'amount_below_min'
  const both = numbersOf(finding)
  return both !== undefined && both.observed > both.limit
}

/** "*.sas.se, sas.se, booking.com and 9 more" as "*.sas.se and 11 more". */
function listWords(value: Finding['limit']): string {
  const given = text(value)
  const isBlock = given.startsWith('not ')
  const [list = '', more] = (isBlock ? given.slice(4) : given).split(/ and (\d+) more$/)
  const [first = '', ...others] = list.split(', ')
  const rest = others.length + Number(more ?? 0)
  const words = rest === 0 ? first : `${first} and ${rest} more`
  return isBlock ? `blocked: ${words}` : words
}

function joined(seen: string, allowed: string): string {
  if (seen === '' || allowed === '') return seen || allowed
  return allowed.startsWith('blocked: ') ? `${seen}, ${allowed}` : `${seen}, allowed: ${allowed}`
}

function knownFor(days: number): string {
  return days === 0 ? 'Since today' : `For ${countOf(days, 'day')}`
}

function pathWord(value: string): string {
  return PATH_WORDS[value as keyof typeof PATH_WORDS] ?? value
}

function text(value: Finding['observed']): string {
  if (value === null) return ''
  return Array.isArray(value) ? value.join(', ') : String(value)
}

/** The observed value and the limit, if both are numbers. */
function numbersOf({ observed, limit }: Pick<FindingData, 'observed' | 'limit'>) {
  return typeof observed === 'number' && typeof limit === 'number' ? { observed, limit } : undefined
}
