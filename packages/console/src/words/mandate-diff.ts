import type { RuleInput } from '@purser/sdk'
import { dateText, levelsText, RENEWS_WORDS, type Terms } from './mandate-words.ts'
import { formatMoney } from './money.ts'
import { ruleShort, ruleTitle } from './rule-short.ts'
import { EFFECT_WORDS } from './words.ts'

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

/** The terms that differ between two versions of a mandate, the budget first. */
export function termRows(before: Terms, after: Terms): readonly TermRow[] {
  return [...headRows(before, after), ...ruleRows(before, after)]
}

function headRows(before: Terms, after: Terms): readonly TermRow[] {
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

function ruleRows(before: Terms, after: Terms): readonly TermRow[] {
  const old = new Map(before.rules.map((rule) => [rule.id, rule]))
  const ids = new Set(after.rules.map(({ id }) => id))
  const gone = before.rules.filter(({ id }) => !ids.has(id))
  return [
    ...after.rules.flatMap((rule) => ruleRow(old.get(rule.id), rule, after.currency)),
    ...gone.map((rule) => row(rule, short(rule, before.currency), undefined)),
  ]
}

function ruleRow(
  before: RuleInput | undefined,
  after: RuleInput,
  currency: string,
): readonly TermRow[] {
  if (!before) return [row(after, undefined, short(after, currency))]
  if (isSameRule(before, after)) return []
  if (before.type !== after.type) {
    return [
      row(before, short(before, currency), undefined),
      row(after, undefined, short(after, currency)),
    ]
  }
  const lists = listChange(before, after)
  if (lists)
    return [{ ...row(after, ruleShort(before, currency), ruleShort(after, currency)), ...lists }]
  return [row(after, short(before, currency), short(after, currency))]
}

function row(rule: RuleInput, before: string | undefined, after: string | undefined): TermRow {
  return { key: `rule:${rule.id}:${rule.type}`, label: ruleTitle(rule), before, after }
}

/** The settings, with the effect unless it is the usual one. */
function short(rule: RuleInput, currency: string): string {
  const text = ruleShort(rule, currency)
  const { effect = 'reject' } = rule
  return rule.type === 'approval' || effect === 'reject'
    ? text
    : `${text}, otherwise ${EFFECT_WORDS[effect].toLowerCase()}`
}

/** Only entries of the allow list changed: the row names them. */
function listChange(
  before: RuleInput,
  after: RuleInput,
): { readonly added: readonly string[]; readonly removed: readonly string[] } | undefined {
  if (!(isList(before) && isList(after)) || !before.allow || !after.allow) return undefined
  if (!isSameRule({ ...before, allow: [] }, { ...after, allow: [] })) return undefined
  const { allow: old } = before
  const { allow: next } = after
  return {
    added: next.filter((entry) => !old.includes(entry)),
    removed: old.filter((entry) => !next.includes(entry)),
  }
}

function isList(
  rule: RuleInput,
): rule is Extract<RuleInput, { readonly type: 'vendors' | 'categories' }> {
  return rule.type === 'vendors' || rule.type === 'categories'
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
