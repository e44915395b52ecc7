import type { Rule } from '../../../src/core/rules/rule-set.ts'
import type { Spend } from '../../../src/core/spend.ts'
import type { BudgetPeriod } from '../../../src/core/time/period.ts'
import { hourOf, isInside } from './calendar.ts'
import type { Fact } from './fact.ts'
import { countedBy, countName, lengthOf } from './rule-sets.ts'

interface Case {
  readonly spend: Spend
  readonly mandate: number
  readonly period: BudgetPeriod
  readonly facts: readonly Fact[]
  readonly now: number
}

type RuleOfType<Type extends Rule['type']> = Extract<Rule, { readonly type: Type }>

/** The code with which a rule fails, or undefined. Written to be read, and as slow as it likes. */
export function judge(rule: Rule, situation: Case): string | undefined {
  const { spend, now } = situation
  switch (rule.type) {
    case 'paths':
      return failing('path_not_allowed', !rule.allow.includes(spend.path))
    case 'vendors':
      return judgeVendor(rule, spend.vendor)
    case 'categories':
      return judgeCategory(rule, spend.category)
    case 'amount':
      if (spend.amount < micros(rule.min ?? 0)) return 'amount_below_min'
      return failing('amount_above_max', spend.amount > micros(rule.max ?? 1e9))
    case 'schedule':
      return failing('outside_schedule', hourOf(now) < 22 && hourOf(now) >= 14)
    case 'limit':
      return judgeLimit(rule, situation)
    case 'duplicate':
      return judgeDuplicate(rule, situation)
    case 'new_vendor':
      return failing('new_vendor', historyOf(situation).length === 0)
    case 'price_drift':
      return judgePrice(rule, situation)
    case 'expression':
      return judgeExpression(rule, situation)
    case 'approval':
      return failing('approval_required', spend.amount > micros(rule.above ?? 0))
  }
}

function failing(code: string, fails: boolean): string | undefined {
  return fails ? code : undefined
}

function judgeVendor({ allow, block = [] }: RuleOfType<'vendors'>, vendor: string) {
  if (block.some((pattern) => covers(pattern, vendor))) return 'vendor_blocked'
  if (!allow || allow.some((pattern) => covers(pattern, vendor))) return undefined
  return 'vendor_not_allowed'
}

function judgeCategory({ allow, block = [] }: RuleOfType<'categories'>, category: string | null) {
  if (category === null) return 'category_required'
  if (block.includes(category)) return 'category_blocked'
  return !allow || allow.includes(category) ? undefined : 'category_not_allowed'
}

function judgeLimit(rule: RuleOfType<'limit'>, situation: Case): string | undefined {
  const { spend } = situation
  const { maxCount = Number.POSITIVE_INFINITY, maxAmount = 1e9, groupBy, match } = rule
  const needsCategory = match?.category !== undefined || groupBy === 'category'
  const guess = { ...spend, category: spend.category ?? match?.category ?? null }
  if (!isMeant(rule, guess)) return undefined
  if (needsCategory && spend.category === null) return 'category_required'

  const [name = ''] = countedBy(rule)
  const counted = countedUnder(name, lengthOf(rule.window), situation)
    .filter((fact) => isMeant(rule, fact.spend))
    .filter((fact) => groupBy === undefined || fact.spend[groupBy] === spend[groupBy])
  if (counted.length + 1 > maxCount) return 'limit_count_exceeded'
  return total(counted) + spend.amount > micros(maxAmount) ? 'limit_amount_exceeded' : undefined
}

function isMeant({ match = {} }: RuleOfType<'limit'>, spend: Spend): boolean {
  const { path, vendor, category } = match
  return (
    (path === undefined || path === spend.path) &&
    (vendor === undefined || covers(vendor, spend.vendor)) &&
    (category === undefined || category === spend.category)
  )
}

function judgeDuplicate(rule: RuleOfType<'duplicate'>, situation: Case): string | undefined {
  const fields = rule.match ?? ['vendor', 'amount', 'reference']
  const [name = ''] = countedBy(rule)
  const same = countedUnder(name, lengthOf(rule.window), situation).filter((fact) =>
    fields.every((field) => fact.spend[field] === situation.spend[field]),
  )
  return same.length > 0 ? 'duplicate_transaction' : undefined
}

function judgePrice(rule: RuleOfType<'price_drift'>, situation: Case): string | undefined {
  const last = historyOf(situation).at(-1)
  if (!last) return undefined
  const percent = BigInt(rule.maxIncreasePercent * 100)
  const isOver = situation.spend.amount * 10_000n > last.spend.amount * (10_000n + percent)
  return isOver ? 'price_drift' : undefined
}

function judgeExpression({ expr }: RuleOfType<'expression'>, situation: Case): string | undefined {
  if (expr === 'count.hour < 3') {
    const { length } = countedUnder(countName('hour'), 'hour', situation)
    return length < 3 ? undefined : 'expression_false'
  }
  const spent = total(countedUnder(countName('day'), 'day', situation))
  return spent + situation.spend.amount <= micros(70) ? undefined : 'expression_false'
}

/**
 * The spends a count holds: those of the mandate that were approved while one of its rules counted
 * this, that were not voided, and that are still inside the window.
 */
function countedUnder(name: string, window: string, situation: Case): Fact[] {
  const { facts, mandate, period, now } = situation
  return facts.filter((fact) => {
    const depth = fact.line.indexOf(mandate)
    if (depth === -1 || fact.isVoided || !fact.said[depth]?.counts.has(name)) return false
    return isInside(window, period, fact.at, now)
  })
}

/** The agent's approved spends with the vendor, while one of its mandates asked for the history. */
function historyOf({ facts, spend }: Case): Fact[] {
  return facts.filter(
    (fact) =>
      fact.spend.agentId === spend.agentId &&
      fact.spend.vendor === spend.vendor &&
      // A hold teaches nothing; the gateway notes the vendor when it is settled.
      fact.spend.holdMs === null &&
      fact.said.some(({ needsHistory }) => needsHistory),
  )
}

function covers(pattern: string, vendor: string): boolean {
  if (!pattern.startsWith('*.')) return pattern === vendor
  return vendor.endsWith(pattern.slice(1))
}

function total(facts: readonly Fact[]): bigint {
  return facts.reduce((sum, { amount }) => sum + amount, 0n)
}

function micros(units: number): bigint {
  return BigInt(Math.round(units * 1e6))
}
