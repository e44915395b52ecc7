import type { CompiledRule } from '../mandates/policy.ts'
import { type Micros, toUnits } from '../money.ts'
import type { Situation } from '../rules/verdict.ts'
import type { Spend } from '../spend.ts'
import { type Instant, LATEST, toIso } from '../time/instant.ts'
import type { Account } from './account.ts'
import { check, situationsOf } from './evaluate.ts'
import { closedGate } from './gate.ts'

/** What an agent can do about a rejection. */
export interface Advice {
  /** The largest amount that would pass now; null when no amount can be named. */
  readonly maxAmountNow: number | null
  /** When this amount would pass if nothing else were spent; null when no time can be named. */
  readonly retryAfter: string | null
}

export const NO_ADVICE: Advice = { maxAmountNow: null, retryAfter: null }

/**
 * Rules may open and close at different times, so a spend may have to wait for one after another.
 */
const WAITS_MAX = 50

/**
 * Neither answer is trusted until the whole evaluation has judged it: the amount, or the instant,
 * is named only if it passes everything. A rule that throws has already rejected the spend, and
 * nobody can say what it would do with another one.
 */
export function adviceFor(spend: Spend, account: Account, now: Instant): Advice {
  try {
    const amount = largestAmount(spend, account, now)
    const instant = firstInstant(spend, account, now)
    return {
      maxAmountNow: amount === undefined ? null : toUnits(amount),
      retryAfter: instant === undefined ? null : toIso(instant),
    }
  } catch {
    return NO_ADVICE
  }
}

/**
 * No larger amount passes, because one of the bounds forbids it. The caller still checks whether
 * this amount passes.
 */
function largestAmount(spend: Spend, account: Account, now: Instant): Micros | undefined {
  if (closedGate(spend, account, now)) return undefined
  let largest: Micros | undefined
  for (const [{ judge }, situation] of bindingOf(spend, account, now)) {
    if (!judge.amountMax) continue
    const most = judge.amountMax(situation)
    if (most === undefined || most <= 0n) return undefined
    if (largest === undefined || most < largest) largest = most
  }
  if (largest === undefined) return undefined
  return passes({ ...spend, amount: largest }, account, now) ? largest : undefined
}

function passes(spend: Spend, account: Account, now: Instant): boolean {
  return nextTry(spend, account, now) === now
}

/**
 * Each rule names the first instant at which it would pass, so nothing passes before the latest of
 * these. At that instant another rule may stand in the way; then the spend waits for that rule too.
 */
function firstInstant(spend: Spend, account: Account, now: Instant): Instant | undefined {
  let at = now
  for (let waits = 0; waits < WAITS_MAX; waits += 1) {
    const next = nextTry(spend, account, at)
    if (next === undefined || next === at) return next
    at = next
  }
  return undefined
}

/**
 * Returns this same instant if the spend passes; otherwise a later one, before which it cannot
 * pass.
 */
function nextTry(spend: Spend, account: Account, at: Instant): Instant | undefined {
  const gate = closedGate(spend, account, at)
  if (gate) return gate.opensAt
  let latest = at
  for (const [rule, situation] of bindingOf(spend, account, at)) {
    if (check(rule, situation).code === null) continue
    const opens = rule.judge.passesAt?.(situation)
    if (opens === undefined || opens <= at || opens >= LATEST) return undefined
    latest = Math.max(latest, opens)
  }
  return latest
}

/** The rules and budgets that can stand in the way; a rule that only flags cannot. */
function* bindingOf(
  spend: Spend,
  account: Account,
  now: Instant,
): Generator<readonly [CompiledRule, Situation]> {
  const situations = situationsOf(spend, account, now)
  for (const [index, situation] of situations.entries()) {
    const policy = account.mandates[index]?.policy
    if (!policy) continue
    for (const rule of policy.rules) if (rule.effect !== 'flag') yield [rule, situation]
    yield [policy.budget, situation]
  }
}
