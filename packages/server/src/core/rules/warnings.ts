import { type Micros, toMicros, toUnits } from '../money.ts'
import type { BudgetPeriod } from '../time/period.ts'
import { parseWindow } from '../time/window.ts'
import { coversPattern } from '../vendor.ts'
import { compileExpression } from './expression/compile.ts'
import type { Rule } from './rule-set.ts'

/**
 * A rule that contradicts another or does nothing. The mandate is valid, but probably not what its
 * author meant.
 */
export interface Warning {
  readonly code: WarningCode
  readonly message: string
  readonly ruleIds: string[]
}

interface Lists {
  readonly id: string
  readonly allow?: readonly string[]
  readonly block?: readonly string[]
}

type Covers = (outer: string, inner: string) => boolean

type RuleOfType<Type extends Rule['type']> = Extract<Rule, { readonly type: Type }>

/** `budgetPeriod` shows whether a window can span more than one budget. */
export function warningsOf(
  rules: readonly Rule[],
  budgetTotal: Micros,
  budgetPeriod: BudgetPeriod = 'none',
): Warning[] {
  // Only rules that reject are compared; with the effects `flag` and `require_approval`, spends can
  // still pass.
  const strict = rules.filter((rule) => rule.effect === 'reject')
  const amounts = rulesOf(strict, 'amount')
  return [
    ...amountWarnings(amounts, budgetTotal),
    ...rulesOf(rules, 'approval').flatMap((rule) => approvalWarnings(rule, amounts, budgetTotal)),
    ...rulesOf(rules, 'limit').flatMap((rule) => [
      ...idleLimits(rule, budgetTotal, budgetPeriod),
      ...blockingLimits(rule, amounts),
    ]),
    ...listWarnings('path', rulesOf(strict, 'paths'), isEqual),
    ...listWarnings('vendor', rulesOf(strict, 'vendors'), coversPattern),
    ...listWarnings('category', rulesOf(strict, 'categories'), isEqual),
    ...rulesOf(strict, 'new_vendor').map(newVendorWarning),
    ...rulesOf(rules, 'expression').flatMap(expressionWarnings),
  ]
}

function rulesOf<Type extends Rule['type']>(
  rules: readonly Rule[],
  type: Type,
): RuleOfType<Type>[] {
  return rules.filter((rule): rule is RuleOfType<Type> => rule.type === type)
}

function amountWarnings(amounts: readonly RuleOfType<'amount'>[], budgetTotal: Micros): Warning[] {
  const warnings: Warning[] = []
  for (const { id, min } of amounts) {
    if (min === undefined) continue
    const other = amounts.find(({ max }) => max !== undefined && max < min)
    if (other) {
      const message = `No amount is both at least ${min} and at most ${other.max}, so nothing can be spent.`
      warnings.push({ code: 'no_amount_allowed', message, ruleIds: [id, other.id] })
    }
    if (toMicros(min) > budgetTotal) {
      const message = `The minimum of ${min} is above the budget, so nothing can be spent.`
      warnings.push({ code: 'minimum_above_budget', message, ruleIds: [id] })
    }
  }
  return warnings
}

function approvalWarnings(
  { id, above }: RuleOfType<'approval'>,
  amounts: readonly RuleOfType<'amount'>[],
  budgetTotal: Micros,
): Warning[] {
  if (above === undefined) return []
  const code = 'approval_never_asked' as const
  const bound = amounts.find(({ max }) => max !== undefined && max <= above)
  if (bound) {
    const message = `Amounts above ${above} are rejected anyway, because the maximum is ${bound.max}.`
    return [{ code, message, ruleIds: [id, bound.id] }]
  }
  if (toMicros(above) < budgetTotal) return []
  const message = `Amounts above ${above} are rejected anyway, because they exceed the budget.`
  return [{ code, message, ruleIds: [id] }]
}

function idleLimits(
  { id, maxAmount, window }: RuleOfType<'limit'>,
  budgetTotal: Micros,
  budgetPeriod: BudgetPeriod,
): Warning[] {
  if (maxAmount === undefined || toMicros(maxAmount) <= budgetTotal) return []
  if (spansBudgets(window, budgetPeriod)) return []
  const message = `The limit of ${maxAmount} is never reached, because the budget is ${toUnits(budgetTotal)}.`
  return [{ code: 'limit_above_budget', message, ruleIds: [id] }]
}

/**
 * Whether more than one budget can be spent within the window, because the budget resets in between.
 */
function spansBudgets(text: string, budgetPeriod: BudgetPeriod): boolean {
  if (budgetPeriod === 'none') return false
  const window = parseWindow(text)
  switch (window?.kind) {
    case 'rolling':
      return true
    case 'calendar':
      return window.unit === 'week' || window.unit === 'month'
    case 'period':
    case undefined:
      return false
  }
}

function blockingLimits(
  { id, maxAmount, effect }: RuleOfType<'limit'>,
  amounts: readonly RuleOfType<'amount'>[],
): Warning[] {
  if (maxAmount === undefined || effect !== 'reject') return []
  const bound = amounts.find(({ min }) => min !== undefined && min > maxAmount)
  if (!bound) return []
  const message = `Every spend is at least ${bound.min}, which is above the limit of ${maxAmount}.`
  return [{ code: 'limit_below_minimum', message, ruleIds: [id, bound.id] }]
}

/**
 * Two patterns are either nested or apart; they never overlap in part. So something passes several
 * allow lists exactly when an entry of one list is covered by an entry of each list, and by no
 * blocked entry.
 */
function listWarnings(
  noun: 'path' | 'vendor' | 'category',
  rules: readonly Lists[],
  covers: Covers,
): Warning[] {
  const allowLists = rules.flatMap(({ allow }) => (allow ? [allow] : []))
  const blocked = rules.flatMap(({ block = [] }) => block)
  const common = allowLists
    .flat()
    .filter((entry) => allowLists.every((list) => list.some((outer) => covers(outer, entry))))
  const useless = common.filter((entry) => blocked.some((outer) => covers(outer, entry)))
  const ruleIds = rules.map(({ id }) => id)

  if (allowLists.length > 0 && useless.length === common.length) {
    const message = `Every ${noun} is missing from an allow list or is on a block list, so nothing can be spent.`
    return [{ code: `no_${noun}_allowed`, message, ruleIds }]
  }
  if (useless.length === 0) return []
  const message = `These are both allowed and blocked, so they are blocked: ${useless.slice(0, 5).join(', ')}.`
  return [{ code: `${noun}_allowed_and_blocked`, message, ruleIds }]
}

/** Many authors expect that only the first spend at a vendor is stopped, and not every one. */
function newVendorWarning({ id }: RuleOfType<'new_vendor'>): Warning {
  const message =
    'The rule rejects every spend at a vendor that the agent has not paid before, so no new vendor ever becomes known. With the effect `flag`, the first spend passes.'
  return { code: 'new_vendors_rejected', message, ruleIds: [id] }
}

function expressionWarnings({ id, expr }: RuleOfType<'expression'>): Warning[] {
  const compiled = compileExpression(expr)
  if (!compiled.ok) return []
  return compiled.warnings.map((message) => ({
    code: 'expression_bare_amount',
    message,
    ruleIds: [id],
  }))
}

function isEqual(outer: string, inner: string): boolean {
  return outer === inner
}

/**
 * Every code that a warning of a mandate or of a simulation can have, and its meaning. A mandate
 * with warnings is valid. The documents are generated from this list.
 */
export const WARNING_CODES = {
  no_amount_allowed: 'A minimum amount is above a maximum amount, so nothing can be spent.',
  minimum_above_budget: 'The minimum amount is above the budget, so nothing can be spent.',
  approval_never_asked:
    'A rule requires approval for amounts that another rule or the budget rejects anyway.',
  limit_above_budget: 'A limit is never reached, because the budget is smaller.',
  limit_below_minimum: 'The minimum amount is above a limit, so no spend passes the limit.',
  no_path_allowed:
    'Every payment path is missing from an allow list or is on a block list, so nothing can be spent.',
  no_vendor_allowed:
    'Every vendor is missing from an allow list or is on a block list, so nothing can be spent.',
  no_category_allowed:
    'Every category is missing from an allow list or is on a block list, so nothing can be spent.',
  path_allowed_and_blocked: 'A payment path is both allowed and blocked, so it is blocked.',
  vendor_allowed_and_blocked: 'A vendor is both allowed and blocked, so it is blocked.',
  category_allowed_and_blocked: 'A category is both allowed and blocked, so it is blocked.',
  new_vendors_rejected:
    'A `new_vendor` rule rejects every spend at a new vendor, so no new vendor ever becomes known.',
  expression_bare_amount:
    'An expression compares an amount, which is in millionths, with a plain number instead of `money(…)`.',
  past_being_counted:
    'There are more earlier transactions than the gateway can count at once. Until it has counted them, the rules fail for every spend that they count.',
  vendor_history_incomplete:
    'An agent has more earlier transactions than the gateway can read at once. Until it has read all of them, the rules fail for vendors that are not known yet.',
  sub_mandates_wider:
    'Child mandates allow more than the changed mandate. Its budget and rules still apply to them.',
  wider_than_parent:
    'The child mandate allows more than a parent mandate, because the parent was narrowed later, or would allow more with the rules of a backtest. The parent still applies. The gateway warns when the child mandate is changed, activated or backtested; a change of the parent warns with `sub_mandates_wider`.',
  past_not_known:
    'Only in a simulation: counters that the mandate does not keep yet start at zero, and vendors that no active mandate has learned are unknown, so earlier spends are missing.',
} as const satisfies Readonly<Record<string, string>>

type WarningCode = keyof typeof WARNING_CODES
