import type { RuleInput } from '@purser/sdk'
import { formatMoney } from './money.ts'
import { dateText, levelsText, RENEWS_WORDS, type Terms } from './term-words.ts'

/** A row of a comparison in three columns. An absent side did not exist. */
export interface TermRow {
  readonly key: string
  readonly label: string
  readonly before: string | undefined
  readonly after: string | undefined
  /** Entries that were added to a list that stays. */
  readonly added?: readonly string[]
  readonly removed?: readonly string[]
}

/** A rule that is new, is gone, or has other settings. */
export interface RuleChange {
  readonly before: RuleInput | undefined
  readonly after: RuleInput | undefined
}

/** How many terms differ between two versions of a mandate. */
export function countTermChanges(before: Terms, after: Terms): number {
  return headRows(before, after).length + ruleChanges(before, after).length
}

/** The terms that differ, other than the rules. */
export function headRows(before: Terms, after: Terms): readonly TermRow[] {
  const rows: (readonly [string, string, string | undefined, string | undefined])[] = [
    ['budget', 'Budget', money(before), money(after)],
    ['period', 'Renews', RENEWS_WORDS[before.budgetPeriod], RENEWS_WORDS[after.budgetPeriod]],
    ['from', 'Starts', day(before, 'validFrom'), day(after, 'validFrom')],
    ['until', 'Expires', day(before, 'validUntil'), day(after, 'validUntil')],
    ['zone', 'Time zone', before.timezone, after.timezone],
    ['warnings', 'Warns at', levelsText(before.warningPercents), levelsText(after.warningPercents)],
    ['disclose', 'Limits in tokens', shown(before), shown(after)],
  ]
  return rows
    .filter(([, , old, next]) => old !== next)
    .map(([key, label, old, next]) => ({ key, label, before: old, after: next }))
}

function money({ budgetTotal, currency }: Terms): string {
  return formatMoney(budgetTotal, currency)
}

function day(terms: Terms, field: 'validFrom' | 'validUntil'): string | undefined {
  const at = terms[field]
  return at === null ? undefined : dateText(at, terms.timezone)
}

function shown({ discloseLimits }: Terms): string {
  return discloseLimits ? 'shown' : 'hidden'
}

/** The rules that differ, those that are gone last. */
export function ruleChanges(before: Terms, after: Terms): readonly RuleChange[] {
  const old = new Map(before.rules.map((rule) => [rule.id, rule]))
  const ids = new Set(after.rules.map(({ id }) => id))
  const gone = before.rules.filter(({ id }) => !ids.has(id))
  return [
    ...after.rules.flatMap((rule) => changeOf(old.get(rule.id), rule)),
    ...gone.map((rule) => ({ before: rule, after: undefined })),
  ]
}

function changeOf(before: RuleInput | undefined, after: RuleInput): readonly RuleChange[] {
  if (before && isSameRule(before, after)) return []
  if (!before || before.type === after.type) return [{ before, after }]
  return [
    { before, after: undefined },
    { before: undefined, after },
  ]
}

/** Whether two rules say the same. An omitted effect is the usual one. */
export function isSameRule(a: RuleInput, b: RuleInput): boolean {
  return settingsText(a) === settingsText(b)
}

function settingsText(rule: RuleInput): string {
  const usual = rule.type === 'approval' ? 'require_approval' : 'reject'
  return JSON.stringify(sorted({ ...rule, effect: rule.effect ?? usual }))
}

/** The same settings have the same text, in whatever order the gateway or a form lists them. */
function sorted(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(sorted)
  if (typeof value !== 'object' || value === null) return value
  const entries = Object.entries(value).filter(([, one]) => one !== undefined)
  return entries.toSorted(([a], [b]) => (a < b ? -1 : 1)).map(([name, one]) => [name, sorted(one)])
}
