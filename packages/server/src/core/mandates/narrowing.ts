import type { FieldError } from '../../base/errors.ts'
import { toUnits } from '../money.ts'
import { EFFECTS } from '../rules/define-rule.ts'
import { widerThanParent } from '../rules/narrowing.ts'
import { atRule, definitionOf, type Rule } from '../rules/rule-set.ts'
import type { Warning } from '../rules/warnings.ts'
import { toIso } from '../time/instant.ts'
import type { MandateTerms } from './mandate.ts'

/**
 * Returns errors for terms of a child mandate that allow more than its parent. A child inherits all
 * terms that it does not state, because every spend is judged by the rules, budgets and dates of all
 * ancestors.
 *
 * `before` holds the terms before a change. A parent may have been narrowed since then, so they may
 * state more than it allows now (ADR 6). Only terms that the change touches are refused: a term that
 * stays, or becomes narrower, is never refused, even if the parent is narrower still.
 */
export function narrowingErrors(
  child: MandateTerms,
  parent: MandateTerms,
  before?: MandateTerms,
): FieldError[] {
  const { currency, budgetTotal } = child
  return [
    ...(currency === parent.currency || currency === before?.currency
      ? []
      : [widerThanParent('/currency', `only ${parent.currency}`)]),
    ...(budgetTotal <= parent.budgetTotal || (before && budgetTotal <= before.budgetTotal)
      ? []
      : [widerThanParent('/budgetTotal', `at most ${toUnits(parent.budgetTotal)}`)]),
    ...wideDates(child, parent, before),
    ...ruleErrors(child.rules, parent.rules, before?.rules),
  ]
}

function ruleErrors(
  rules: readonly Rule[],
  ofParent: readonly Rule[],
  before: readonly Rule[] = [],
): FieldError[] {
  return rules.flatMap((rule, index) => atRule(index, wideSettings(rule, ofParent, before)))
}

/**
 * Warns about terms of a mandate that its ancestors do not allow; they may have been narrowed since.
 */
export function widerThanAbove(mandate: MandateTerms, above: readonly MandateTerms[]): Warning[] {
  const errors = above.flatMap((parent) => narrowingErrors(mandate, parent))
  return warningOf(errors, mandate.rules)
}

/** The same warnings for rules alone. */
export function rulesWiderThanAbove(
  rules: readonly Rule[],
  above: readonly MandateTerms[],
): Warning[] {
  return warningOf(
    above.flatMap((parent) => ruleErrors(rules, parent.rules)),
    rules,
  )
}

function warningOf(errors: readonly FieldError[], rules: readonly Rule[]): Warning[] {
  const [first] = errors
  if (!first) return []
  const indexes = errors.flatMap(({ path }) => /^\/rules\/(\d+)/.exec(path)?.[1] ?? [])
  const ruleIds = [...new Set(indexes)].flatMap((index) => rules[Number(index)]?.id ?? [])
  const more = errors.length === 1 ? '' : ` (and ${errors.length - 1} more)`
  const message = `A parent mandate allows less than this mandate and still applies: ${first.path} ${first.message}${more}.`
  return [{ code: 'wider_than_parent', message, ruleIds }]
}

function wideDates(
  child: MandateTerms,
  parent: MandateTerms,
  before: MandateTerms | undefined,
): FieldError[] {
  const startsBefore = ({ validFrom }: MandateTerms): boolean =>
    child.validFrom !== null && validFrom !== null && child.validFrom < validFrom
  const endsAfter = ({ validUntil }: MandateTerms): boolean =>
    child.validUntil !== null && validUntil !== null && child.validUntil > validUntil
  const errors: FieldError[] = []
  // A date that was not set before counts as touched.
  const isEarlier = !before || before.validFrom === null || startsBefore(before)
  if (parent.validFrom !== null && startsBefore(parent) && isEarlier) {
    errors.push(widerThanParent('/validFrom', `no spend before ${toIso(parent.validFrom)}`))
  }
  const isLater = !before || before.validUntil === null || endsAfter(before)
  if (parent.validUntil !== null && endsAfter(parent) && isLater) {
    errors.push(widerThanParent('/validUntil', `no spend from ${toIso(parent.validUntil)} on`))
  }
  return errors
}

/**
 * Compares only with rules of the parent that are at least as strict. A child that rejects above 100
 * does not widen a parent that asks a person above 50.
 */
function wideSettings(
  rule: Rule,
  parentRules: readonly Rule[],
  before: readonly Rule[],
): readonly FieldError[] {
  const comparable = parentRules.filter((parent) => isComparable(rule, parent))
  const errors = widerSettings(rule, comparable)
  if (errors.length === 0) return errors
  const earlier = before.filter((other) => isComparable(other, rule))
  const standing = new Set(comparable.flatMap((parent) => widenedPaths(rule, parent, earlier)))
  return errors.filter(({ path }) => standing.has(path))
}

/** Whether both have the same type, and the other one is at least as strict when it fails. */
function isComparable(rule: Rule, other: Rule): boolean {
  return rule.type === other.type && EFFECTS.indexOf(other.effect) <= EFFECTS.indexOf(rule.effect)
}

/**
 * Returns the settings in which a rule exceeds one rule of the parent, unless an earlier rule of the
 * child exceeded that rule in the same setting at least as far. Rules are not matched by their ids,
 * because the ids of rules sent without one can move from rule to rule.
 *
 * All rules that exceed the same rule of the parent are comparable with each other. So an empty
 * comparison means that nothing is wider, not that the two cannot be compared.
 */
function widenedPaths(rule: Rule, parent: Rule, earlier: readonly Rule[]): string[] {
  const rivals = earlier.map((other) => ({
    exceeded: widerSettings(other, [parent]).map(settingOf),
    exceedsIt: widerSettings(rule, [other]).map(({ path }) => path),
  }))
  return widerSettings(rule, [parent])
    .filter(
      (error) =>
        !rivals.some(
          ({ exceeded, exceedsIt }) =>
            exceeded.includes(settingOf(error)) && !exceedsIt.includes(error.path),
        ),
    )
    .map(({ path }) => path)
}

function widerSettings(rule: Rule, others: readonly Rule[]): readonly FieldError[] {
  if (others.length === 0) return []
  return definitionOf(rule).widerThan?.(rule, others) ?? []
}

/** Returns `allow` for `/allow/3`: the entries of a list have no fixed positions. */
function settingOf({ path }: FieldError): string {
  return path.split('/')[1] ?? ''
}
