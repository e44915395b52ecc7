import { CODES_BY_CATEGORY, TRAVEL_RANGE } from './mcc-table.ts'

export type CardCategory = keyof typeof CODES_BY_CATEGORY

/** Blocked unless a mandate allows exactly this category or code: such money is hard to get back. */
const HIGH_RISK: ReadonlySet<CardCategory> = new Set(['cash_equivalent', 'gambling', 'adult'])

const CATEGORY_OF: ReadonlyMap<string, CardCategory> = new Map(
  Object.entries(CODES_BY_CATEGORY).flatMap(([category, codes]) =>
    codes
      .trim()
      .split(/\s+/)
      .map((code) => [code, category as CardCategory] as const),
  ),
)

/** The category of the acquirer's code for the merchant; `other` for a missing or unknown code. */
export function categoryOfMcc(mcc: string | null): CardCategory {
  if (mcc === null) return 'other'
  const known = CATEGORY_OF.get(mcc)
  if (known !== undefined) return known
  const number = /^\d{4}$/.test(mcc) ? Number(mcc) : Number.NaN
  return number >= TRAVEL_RANGE.from && number <= TRAVEL_RANGE.to ? 'travel' : 'other'
}

/** The category of a code whose merchants are high-risk; null for all others. */
export function highRiskOf(mcc: string | null): CardCategory | null {
  const category = categoryOfMcc(mcc)
  return HIGH_RISK.has(category) ? category : null
}
