import type { Rule } from '../../../src/core/rules/rule-set.ts'
import type { Spend } from '../../../src/core/spend.ts'
import type { BudgetPeriod } from '../../../src/core/time/period.ts'
import { startOf } from './calendar.ts'
import type { Fact } from './fact.ts'
import { judge } from './naive-rules.ts'
import type { RuleSet } from './rule-sets.ts'

/** What is in force. */
export interface Terms {
  ruleSet: RuleSet
  budgetTotal: bigint
  readonly period: BudgetPeriod
}

export interface Expected {
  readonly code: string
  readonly remaining: bigint
  /** Kind, mandate and percentage of every event about a budget. */
  readonly budgetEvents: readonly string[]
}

/** Written out again, so that the model does not take the order from what it checks. */
export const ORDER =
  'paths vendors categories amount schedule limit duplicate new_vendor price_drift expression approval'.split(
    ' ',
  )

/** What must be decided, worked out from the whole history each time and from nothing else. */
export function expect(
  spend: Spend,
  line: readonly number[],
  terms: readonly Terms[],
  facts: readonly Fact[],
  now: number,
): Expected {
  const before = line.map((mandate) => figuresOf(mandate, terms, facts, now).spent)
  const code = codeOf(spend, line, terms, facts, now, before)
  const added = code === 'approved' ? spend.amount : 0n
  const events: string[] = []
  let remaining: bigint | undefined
  line.forEach((mandate, depth) => {
    const total = terms[mandate]?.budgetTotal ?? 0n
    const spent = before[depth] ?? 0n
    const left = spent + added < total ? total - spent - added : 0n
    if (remaining === undefined || left < remaining) remaining = left
    events.push(...crossings(mandate, total, spent, spent + added))
  })
  return { code, remaining: remaining ?? 0n, budgetEvents: events }
}

export interface Figures {
  readonly spent: bigint
  readonly held: bigint
}

/** What the spends of the current period come to, less what was given back. */
export function figuresOf(
  mandate: number,
  terms: readonly Terms[],
  facts: readonly Fact[],
  now: number,
): Figures {
  const period = terms[mandate]?.period ?? 'none'
  const start = startOf(period, now)
  let spent = 0n
  let held = 0n
  for (const fact of facts) {
    if (fact.isVoided || !fact.line.includes(mandate)) continue
    if (startOf(period, fact.at) !== start) continue
    spent += fact.amount - fact.refunded
    if (fact.isHeld) held += fact.amount
  }
  return { spent, held }
}

function codeOf(
  spend: Spend,
  line: readonly number[],
  terms: readonly Terms[],
  facts: readonly Fact[],
  now: number,
  spent: readonly bigint[],
): string {
  const failures = line.flatMap((mandate) => {
    const { ruleSet, period } = terms[mandate] ?? { period: 'none' }
    return inOrder(ruleSet?.rules ?? []).flatMap((rule) => {
      const code = judge(rule, { spend, mandate, period, facts, now })
      return code === undefined ? [] : [{ code, effect: rule.effect }]
    })
  })
  const rejection = failures.find(({ effect }) => effect === 'reject')
  if (rejection) return rejection.code
  const short = line.findIndex(
    (mandate, depth) => (spent[depth] ?? 0n) + spend.amount > (terms[mandate]?.budgetTotal ?? 0n),
  )
  if (short !== -1) return short === 0 ? 'budget_exceeded' : 'parent_budget_exceeded'
  const asks = failures.some(({ effect }) => effect === 'require_approval')
  return asks ? 'approval_required' : 'approved'
}

function inOrder(rules: readonly Rule[]): readonly Rule[] {
  if (rules.length < 2) return rules
  return [...rules].sort((a, b) => ORDER.indexOf(a.type) - ORDER.indexOf(b.type))
}

function crossings(mandate: number, total: bigint, before: bigint, after: bigint): string[] {
  const lines = [
    ['mandate.budget.warning', (total * 80n + 99n) / 100n],
    ['mandate.budget.exhausted', total],
  ] as const
  const hundredths = (after * 10_000n) / total
  const percent = Number(hundredths > 10_000n ? 10_000n : hundredths) / 100
  return lines
    .filter(([, line]) => before < line && after >= line)
    .map(([kind]) => `${kind} ${mandate} ${percent}`)
}
