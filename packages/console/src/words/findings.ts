import type { Finding } from '@purser/sdk'
import { formatAmount } from './money.ts'
import { limitName } from './windows.ts'
import { PATH_WORDS, ruleName } from './words.ts'

type FindingData = Pick<Finding, 'type' | 'observed' | 'limit' | 'window' | 'code'>

/** The name of the rule that a finding is about: "Per-spend limit", "Daily limit". */
export function findingName({ type, window, code }: FindingData): string {
  if (type === 'limit') return limitName(window)
  if (type === 'amount' && code === 'amount_below_min') return 'Minimum amount'
  return ruleName(type)
}

/** What the rule compared, in a few words: "297.00 of 250.00". */
export function findingFacts(finding: FindingData, currency: string | null): string {
  const { observed, limit } = finding
  const seen = valueWords(finding, observed, currency)
  const allowed = valueWords(finding, limit, currency)
  if (seen === '' || allowed === '') return seen || allowed
  return isRatio(finding)
    ? `${seen} of ${allowed}`
    : seen === allowed
      ? seen
      : `${seen}, allowed: ${allowed}`
}

/** Both are numbers of the same kind, so that a bar can show one against the other. */
export function isRatio({ type, observed, limit }: FindingData): boolean {
  return (
    ['amount', 'limit', 'budget', 'approval', 'price_drift'].includes(type) &&
    typeof observed === 'number' &&
    typeof limit === 'number'
  )
}

/** How far the spend is above the limit, as a sentence; undefined if it is not. */
export function overBy(finding: FindingData, currency: string | null): string | undefined {
  const { observed, limit } = finding
  if (!isRatio(finding) || typeof observed !== 'number' || typeof limit !== 'number')
    return undefined
  if (observed <= limit) return undefined
  const over = Math.round((observed - limit) * 1e6) / 1e6
  return isCount(finding)
    ? `${over} above the limit`
    : `${formatAmount(over, currency)} above the limit`
}

function valueWords(
  finding: FindingData,
  value: Finding['observed'],
  currency: string | null,
): string {
  if (value === null) return ''
  if (typeof value === 'number') {
    return isCount(finding) ? String(value) : formatAmount(value, currency)
  }
  if (typeof value === 'string') return pathWord(finding, value)
  return value.map((one) => pathWord(finding, one)).join(', ')
}

function pathWord({ type }: FindingData, value: string): string {
  return type === 'paths' ? (PATH_WORDS[value as keyof typeof PATH_WORDS] ?? value) : value
}

function isCount({ code, type }: FindingData): boolean {
  return code === 'limit_count_exceeded' || type === 'duplicate'
}
