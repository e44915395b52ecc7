import { type Asking, askingOf } from '../approvals/asking.ts'
import { toPublicId } from '../id.ts'
import { BUDGET_ID, judgeBudget } from '../rules/budget.ts'
import { sharedCodes } from '../rules/codes.ts'
import type { Effect } from '../rules/define-rule.ts'
import { HIGH_RISK_ID, judgeHighRisk } from '../rules/high-risk.ts'
import { RULES } from '../rules/kinds/index.ts'
import { marksOf, strictUntilCounted, strictUntilLearned } from '../rules/past-counting.ts'
import { definitionOf, freeId, type Rule, type RuleInput } from '../rules/rule-set.ts'
import {
  type Counted,
  fail,
  type Judge,
  type JudgedMandate,
  type Origins,
  type Series,
} from '../rules/verdict.ts'
import { isCheck, type Spend } from '../spend.ts'
import { type Zone, zoneOf } from '../time/zone.ts'
import type { MandateTerms } from './mandate.ts'

/** One version of a mandate, ready to judge. It never changes, so it can be cached. */
export interface Policy {
  readonly mandateId: string
  readonly version: number
  readonly hash: string
  readonly terms: MandateTerms
  /** The id of the mandate as the API shows it. */
  readonly publicId: string
  readonly zone: Zone
  readonly warningPercents: readonly bigint[]
  /** Sorted in the order in which findings are reported. */
  readonly rules: readonly CompiledRule[]
  readonly budget: CompiledRule
  /** Judges only card purchases with a high-risk merchant category. */
  readonly highRisk: CompiledRule
  readonly needsVendorHistory: boolean
  readonly origins: Origins
  /** The marks of counters that may not contain their full history yet. */
  readonly marks: readonly string[]
  /** Whether judging can take long enough to be worth measuring. */
  readonly hasPrice: boolean
}

export interface CompiledRule {
  readonly id: string
  /** The rule's name in the findings of a child mandate, which may have a rule with the plain name. */
  readonly inheritedId: string
  readonly type: string
  readonly effect: Effect
  /** Null for a rule that never asks a person. */
  readonly asking: Asking | null
  readonly judge: Judge
}

export function compilePolicy(input: {
  readonly mandateId: string
  readonly version: number
  readonly hash: string
  readonly terms: MandateTerms
  readonly origins?: Origins | null
}): Policy {
  const { mandateId, version, hash, terms } = input
  const origins = input.origins ?? NO_ORIGINS
  const { currency, budgetPeriod } = terms
  const publicId = toPublicId('mnd', mandateId)
  const zone = zoneOf(terms.timezone)
  const mandate = { mandateId, currency, budgetPeriod, zone, origins }
  const named = (id: string) => ({ id, inheritedId: `${publicId}/${id}` })
  const rules = inOrder(terms.rules).map((rule) => ({
    ...named(rule.id),
    type: rule.type,
    effect: rule.effect,
    asking: askingOf(rule, terms),
    judge: judgeOf(rule, mandate),
  }))
  // A mandate that is older than the reserved name may have a rule with it.
  const highRiskId = freeId(HIGH_RISK_ID, new Set(rules.map(({ id }) => id)))
  return {
    mandateId,
    version,
    hash,
    terms,
    publicId,
    zone,
    warningPercents: terms.warningPercents.map(BigInt),
    rules,
    needsVendorHistory: rules.some(({ judge }) => judge.needsVendorHistory),
    origins,
    marks: [...new Set(rules.flatMap(({ judge }) => marksOf(judge, mandate)))],
    hasPrice: rules.some(({ judge }) => judge.cost !== undefined),
    budget: {
      ...named(BUDGET_ID),
      type: BUDGET_ID,
      effect: 'reject',
      asking: null,
      judge: judgeBudget(mandate),
    },
    highRisk: {
      ...named(highRiskId),
      type: HIGH_RISK_ID,
      effect: 'reject',
      asking: null,
      judge: judgeHighRisk(allowedCategories(terms.rules)),
    },
  }
}

function allowedCategories(rules: readonly Rule[]): ReadonlySet<string> {
  return new Set(rules.flatMap((rule) => (rule.type === 'categories' ? (rule.allow ?? []) : [])))
}

const NO_ORIGINS: Origins = {}

/**
 * The rules that judge a spend, in the order of findings; the budgets come after the rules of all
 * mandates.
 */
export function rulesFor(policy: Policy, spend: Spend): readonly CompiledRule[] {
  if (spend.card === null) return policy.rules
  const asked = isCheck(spend) ? policy.rules.filter(judgesChecks) : policy.rules
  return spend.card.highRisk !== null ? [...asked, policy.highRisk] : asked
}

function judgesChecks({ judge }: CompiledRule): boolean {
  return judge.judgesChecks === true
}

/**
 * The counters that are needed to judge and book this spend: the gateway loads them before
 * deciding.
 */
export function countersOf(policy: Policy, spend: Spend): readonly string[] {
  const keys = countedBy(policy, spend).map(({ key }) => key)
  if (policy.marks.length > 0) keys.push(...policy.marks)
  return keys.length < 2 ? keys : [...new Set(keys)]
}

/** The same counters, with the way each one counts. Rules that count the same thing share a counter. */
export function countedBy(policy: Policy, spend: Spend): Counted[] {
  const counted: Counted[] = []
  for (const { judge } of policy.rules) {
    if (judge.counters) counted.push(...judge.counters(spend))
  }
  return counted
}

/** The series that its rules count: each once, with the number of spends if any rule needs it. */
export function seriesOf({ rules }: Pick<Policy, 'rules'>): Series[] {
  const byName = new Map<string, Series>()
  for (const series of rules.flatMap(({ judge }) => judge.series ?? [])) {
    const needsCount = series.needsCount || byName.get(series.name)?.needsCount === true
    byName.set(series.name, { ...series, needsCount })
  }
  return [...byName.values()]
}

/**
 * Matches the text of rules that need the vendor history, and rarely other rules. For SQL statements,
 * which cannot compile a policy.
 */
export const VENDOR_HISTORY = /new_vendor|price_drift|vendor_first_seen_days/

export function namesVendorHistory(rules: readonly RuleInput[] = []): boolean {
  return VENDOR_HISTORY.test(JSON.stringify(rules))
}

/** Whether the gateway must load and store the vendor history. */
export function needsVendorHistory(policy: Policy): boolean {
  return policy.needsVendorHistory
}

/** Sorts by type, in the order of RULES. Rules of one type keep the order of the mandate. */
function inOrder(rules: readonly Rule[]): Rule[] {
  const order: readonly string[] = RULES.map(({ type }) => type)
  return [...rules].sort((a, b) => order.indexOf(a.type) - order.indexOf(b.type))
}

/** A rule that cannot be compiled fails every spend, so that a defect lets nothing through. */
function judgeOf(rule: Rule, mandate: JudgedMandate): Judge {
  try {
    const judge = definitionOf(rule).judge(rule, mandate)
    return strictUntilLearned(strictUntilCounted(judge, mandate))
  } catch {
    const check = () => fail(sharedCodes.rule_error, null, null, 'The rule cannot be judged.')
    return { check, judgesChecks: true }
  }
}
