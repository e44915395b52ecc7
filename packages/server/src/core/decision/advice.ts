import { canBeAskedAbout } from '../approvals/permit.ts'
import { type CompiledRule, rulesFor } from '../mandates/policy.ts'
import { type Micros, toUnits } from '../money.ts'
import type { DecisionCode } from '../rules/codes.ts'
import { EXPRESSIONS_COST_MAX } from '../rules/expression/cost.ts'
import type { Situation } from '../rules/verdict.ts'
import { isCheck, partOf, type Spend, withAmount } from '../spend.ts'
import { type Instant, LATEST, toIso } from '../time/instant.ts'
import type { Account, Usage } from './account.ts'
import { check, situationsOf } from './evaluate.ts'
import { closedGate } from './gate.ts'

/** Advice for an agent whose spend was rejected. */
export interface Advice {
  /** The largest amount that would pass now; null when no amount can be named. */
  readonly maxAmountNow: number | null
  /**
   * The largest amount that would pass now if a person approved it, so rules that ask for approval
   * are ignored. It equals `maxAmountNow` if no rule asks. It is computed separately, so it can be
   * null although `maxAmountNow` is an amount: the larger amount may fail by a rule that names no
   * bound.
   */
  readonly maxAmountWithApproval: number | null
  /** When this amount would pass if nothing else were spent; null when no time can be named. */
  readonly retryAfter: string | null
}

export const NO_ADVICE: Advice = {
  maxAmountNow: null,
  maxAmountWithApproval: null,
  retryAfter: null,
}

/**
 * Rules may open and close at different times, so a spend may have to wait for one after another.
 */
const WAITS_MAX = 50

/**
 * The largest amount may be a duplicate of a recent spend. Then the next smaller amounts are tried.
 */
const AMOUNTS_MAX = 4

/**
 * The maximum cost of advice, in the units of `expression/cost.ts`. It equals one evaluation of the
 * most expensive line possible (five mandates), which is enough for hundreds of tries with usual
 * expressions.
 */
const COST_MAX = 5 * EXPRESSIONS_COST_MAX

/**
 * The maximum number of counters that are read only for advice. If more are needed, the advice names
 * no amount.
 */
const UNREAD_MAX = 64

export interface Advised {
  readonly next: Advice
  /**
   * Counters of other amounts that are still needed to find the largest one. After they are read, a
   * second call returns it.
   */
  readonly unread: readonly string[]
}

/**
 * An amount or an instant is returned only if a whole evaluation with it passes. If a rule throws,
 * it has already rejected the spend, and its verdict on other amounts is unknown, so there is no
 * advice.
 */
export function adviceFor(spend: Spend, account: Account, now: Instant): Advised {
  try {
    const all = bindingRules(spend, account)
    const allowance = { left: COST_MAX }
    const passing = largestAmount(all, spend, account, now, allowance)
    const instant = firstInstant(all, spend, account, now, allowance)
    // Most mandates have no rule that asks for approval. Then both amounts are the same.
    const others = canBeAskedAbout(spend) ? all.filter(asksNobody) : all
    const approved =
      others.length === all.length ? passing : largestAmount(others, spend, account, now, allowance)
    const next = {
      maxAmountNow: toAdvised(passing),
      maxAmountWithApproval: toAdvised(approved),
      retryAfter: instant === undefined ? null : toIso(instant),
    }
    return { next, unread: [...new Set([...passing.unread, ...approved.unread])] }
  } catch {
    return { next: NO_ADVICE, unread: [] }
  }
}

function toAdvised({ amount }: Largest): number | null {
  return amount === undefined ? null : toUnits(amount)
}

/** A rule that asks for approval but that no approval can name still rejects, so it is kept. */
function asksNobody({ rule }: BindingRule): boolean {
  return rule.asking === null
}

interface Largest {
  readonly amount: Micros | undefined
  readonly unread: readonly string[]
}

const NO_AMOUNT: Largest = { amount: undefined, unread: [] }

/**
 * No larger amount passes, because one of the bounds forbids it, or because it was judged and
 * failed.
 */
function largestAmount(
  all: readonly BindingRule[],
  spend: Spend,
  account: Account,
  now: Instant,
  allowance: Allowance,
): Largest {
  if (closedGate(spend, account, now)) return NO_AMOUNT
  const bound = smallestBound(all, situationsOf(spend, account, now))
  if (bound === undefined || bound <= 0n) return NO_AMOUNT
  const byAmount = all.filter(({ rule }) => rule.judge.countsByAmount)
  const candidates = Array.from({ length: byAmount.length > 0 ? AMOUNTS_MAX : 1 }, (_, index) =>
    withAmount(spend, bound - BigInt(index)),
  ).filter(({ amount }) => amount > 0n)
  // A partial approval of a card purchase is one of these, rounded down to the smallest unit of the
  // card's currency.
  const parts = candidates.flatMap((candidate) => partOf(spend, candidate.amount) ?? [])
  const unread = unreadBy(byAmount, [...candidates, ...parts], account.usage)
  if (unread.length > UNREAD_MAX) return NO_AMOUNT
  if (unread.length > 0) return { amount: undefined, unread }
  const largest = candidates.find((candidate) => passes(all, candidate, account, now, allowance))
  return { amount: largest?.amount, unread }
}

function unreadBy(
  bindings: readonly BindingRule[],
  spends: readonly Spend[],
  usage: Usage,
): string[] {
  const keys = bindings.flatMap(({ rule }) =>
    spends.flatMap((spend) => rule.judge.counters?.(spend).map(({ key }) => key) ?? []),
  )
  return [...new Set(keys)].filter((key) => !usage.isRead(key))
}

function smallestBound(
  all: readonly BindingRule[],
  situations: readonly Situation[],
): Micros | undefined {
  let smallest: Micros | undefined
  for (const { rule, place } of all) {
    const situation = situations[place]
    if (!situation || !rule.judge.amountMax) continue
    const most = rule.judge.amountMax(situation)
    if (smallest === undefined || most < smallest) smallest = most
  }
  return smallest
}

function passes(
  all: readonly BindingRule[],
  spend: Spend,
  account: Account,
  now: Instant,
  allowance: Allowance,
): boolean {
  const situations = situationsOf(spend, account, now)
  return failuresOf(all, situations, allowance)?.length === 0
}

/**
 * A rule that fails names an instant before which it does not pass, so nothing passes before the
 * latest of these. At that instant the rule may fail again, because an expression only knows when
 * its value may change, or another rule may fail. Then the search continues from there.
 *
 * Rules that failed in the last try are evaluated first, because they are the most likely to fail
 * again. The others, which may be expensive, are evaluated only if these pass.
 */
function firstInstant(
  all: readonly BindingRule[],
  spend: Spend,
  account: Account,
  now: Instant,
  allowance: Allowance,
): Instant | undefined {
  let suspects: readonly BindingRule[] = []
  let at = now
  for (let waits = 0; waits < WAITS_MAX; waits += 1) {
    const opensAt = openingOf(spend, account, at)
    if (opensAt === undefined) return undefined
    at = opensAt
    const situations = situationsOf(spend, account, at)
    const again = failuresOf(suspects, situations, allowance)
    const failures = again?.length === 0 ? failuresOf(all, situations, allowance) : again
    if (!failures) return undefined
    if (failures.length === 0) return at
    const next = latestOpening(failures, at)
    if (next === undefined) return undefined
    at = next
    suspects = failures.map(({ binding }) => binding)
  }
  return undefined
}

/**
 * The first instant, from this one on, at which every gate is open; undefined if one never opens.
 */
function openingOf(spend: Spend, account: Account, at: Instant): Instant | undefined {
  const gate = closedGate(spend, account, at)
  if (!gate || gate.opensAt === undefined) return gate ? undefined : at
  return closedGate(spend, account, gate.opensAt) ? undefined : gate.opensAt
}

/** A rule or budget that can reject the spend. Rules that only flag are left out. */
interface BindingRule {
  readonly rule: CompiledRule
  /** The index of its mandate: 0 is the agent's own, then its parents. */
  readonly place: number
}

interface Failure {
  readonly binding: BindingRule
  readonly situation: Situation
  readonly code: DecisionCode
}

function bindingRules(spend: Spend, { mandates }: Account): BindingRule[] {
  const bindings: BindingRule[] = []
  for (const [place, { policy }] of mandates.entries()) {
    for (const rule of rulesFor(policy, spend)) {
      if (rule.effect !== 'flag') bindings.push({ rule, place })
    }
    if (!isCheck(spend)) bindings.push({ rule: policy.budget, place })
  }
  return bindings
}

/** The cost that advice may still cause. */
interface Allowance {
  left: number
}

/** Undefined if the evaluation would cost more than is left. */
function failuresOf(
  bindings: readonly BindingRule[],
  situations: readonly Situation[],
  allowance: Allowance,
): readonly Failure[] | undefined {
  for (const { rule } of bindings) allowance.left -= rule.judge.cost ?? 0
  if (allowance.left < 0) return undefined
  const failures: Failure[] = []
  for (const binding of bindings) {
    const situation = situations[binding.place]
    if (!situation) continue
    const { code } = check(binding.rule, situation)
    if (code !== null) failures.push({ binding, situation, code })
  }
  return failures
}

/** Undefined if waiting does not help, or if the time is unknown. */
function latestOpening(failures: readonly Failure[], at: Instant): Instant | undefined {
  let latest = at
  for (const { binding, situation, code } of failures) {
    const opens = binding.rule.judge.passesAt?.(situation, code)
    if (opens === undefined || opens <= at || opens >= LATEST) return undefined
    latest = Math.max(latest, opens)
  }
  return latest
}
