import { isDeepStrictEqual } from 'node:util'
import type { Mandate } from '@purser/sdk'
import type { Fields } from './checker.ts'
import type { FileTerms } from './file-mandate.ts'
import { toNormalRules } from './normal-rules.ts'

/** A term that a file and a mandate have different values for, named as in the list of versions. */
export interface Difference {
  readonly field: string
  /** The value of the mandate. Null if it has none. */
  readonly before: unknown
  /** The value of the file. Null if the file removes it. */
  readonly after: unknown
}

/** The terms that an active mandate keeps for good. */
export const FIXED_TERMS: readonly string[] = ['currency', 'timezone', 'validFrom', 'budgetPeriod']

/**
 * The differences between a file and a mandate. Only terms that the file names count. A child
 * mandate without a date has the date of its parent.
 */
export function findDifferences(
  terms: FileTerms,
  mandate: Mandate,
  mandates: readonly Mandate[],
): Difference[] {
  const { rules, ...plain } = withParentDates(terms, mandate, mandates)
  const found = Object.entries(plain).flatMap(([field, after]) => {
    const before = mandate[field as keyof typeof plain]
    return isSameTerm(field, before, after) ? [] : [{ field, before, after }]
  })
  return rules ? [...found, ...findRuleDifferences(mandate.rules, toNormalRules(rules))] : found
}

function withParentDates(
  terms: FileTerms,
  { parentMandateId }: Mandate,
  mandates: readonly Mandate[],
): FileTerms {
  const { validFrom = null, validUntil = null } =
    mandates.find(({ id }) => id === parentMandateId) ?? {}
  return {
    ...terms,
    ...(terms.validFrom === null && { validFrom }),
    ...(terms.validUntil === null && { validUntil }),
  }
}

/** The name of the term that a difference belongs to: `rules` for `rules.amount.max`. */
export function termOf({ field }: Difference): string {
  return field.split('.', 1)[0] ?? field
}

function isSameTerm(field: string, before: unknown, after: unknown): boolean {
  if (field === 'warningPercents') return String(before) === String(after)
  if (field !== 'validFrom' && field !== 'validUntil') return before === after
  if (before === null || after === null) return before === after
  return Date.parse(String(before)) === Date.parse(String(after))
}

interface NamedRule {
  readonly id: string
}

/** Rules are compared by their ids; their order has no meaning. */
function findRuleDifferences(
  before: readonly NamedRule[],
  after: readonly NamedRule[],
): Difference[] {
  const [earlier, later] = [before, after].map(
    (rules) => new Map(rules.map((rule) => [rule.id, rule])),
  )
  const ids = [...new Set([...(later?.keys() ?? []), ...(earlier?.keys() ?? [])])]
  return ids.flatMap((id) => differencesOfRule(id, earlier?.get(id), later?.get(id)))
}

function differencesOfRule(
  id: string,
  before: object | undefined,
  after: object | undefined,
): Difference[] {
  if (!before || !after) {
    return [{ field: `rules.${id}`, before: before ?? null, after: after ?? null }]
  }
  const [earlier, later] = [before as Fields, after as Fields]
  return [...new Set([...Object.keys(earlier), ...Object.keys(later)])]
    .map((name) => ({
      field: `rules.${id}.${name}`,
      before: earlier[name] ?? null,
      after: later[name] ?? null,
    }))
    .filter((each) => !isDeepStrictEqual(each.before, each.after))
}
