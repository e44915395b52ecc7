import type { RuleInput } from '@purser/sdk'
import { ruleShort, ruleTitle } from './rule-short.ts'
import { headRows, isSameRule, type RuleChange, ruleChanges, type TermRow } from './term-changes.ts'
import type { Terms } from './term-words.ts'
import { EFFECT_WORDS } from './words.ts'

/** The terms that differ between two versions of a mandate, the budget first. */
export function termRows(before: Terms, after: Terms): readonly TermRow[] {
  const rules = ruleChanges(before, after)
  return [
    ...headRows(before, after),
    ...rules.flatMap((one) => ruleRow(one, before.currency, after.currency)),
  ]
}

function ruleRow({ before, after }: RuleChange, was: string, is: string): readonly TermRow[] {
  const rule = after ?? before
  if (!rule) return []
  const lists = before && after && listChange(before, after)
  const text = lists ? ruleShort : short
  const change = row(rule, before && text(before, was), after && text(after, is))
  return [{ ...change, ...lists }]
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
