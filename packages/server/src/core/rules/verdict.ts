import type { BucketLayout } from '../counters/buckets.ts'
import type { Usage } from '../counters/usage.ts'
import type { Micros } from '../money.ts'
import type { Spend } from '../spend.ts'
import type { Instant } from '../time/instant.ts'
import type { BudgetPeriod, Period } from '../time/period.ts'
import type { Zone } from '../time/zone.ts'
import type { DecisionCode, DeclaredCode } from './codes.ts'

/** What a rule needs to know about its mandate, once, to make itself ready. */
export interface JudgedMandate {
  readonly mandateId: string
  readonly currency: string
  readonly budgetPeriod: BudgetPeriod
  readonly zone: Zone
  /** Where series of counters come from that the mandate has not had from its beginning. */
  readonly origins: Origins
}

/**
 * What is known of the past of a series of counters, which are those that differ only in their
 * group. A series that is not named here counts from the beginning of the mandate.
 */
export type Origins = Readonly<Record<string, Origin>>

export interface Origin {
  /** The version of the mandate that brought the series; it has its own counters. */
  readonly since: number
  /** Set when the past was too long to be counted at once, and is counted by and by. */
  readonly isLate?: true
  /** Set when the past was taken from the budget, which knows a sum and no number of spends. */
  readonly isSumOnly?: true
}

/** Counters that differ only in their group. */
export interface Series {
  /** Says what is counted: the window, the grouping, the match. */
  readonly name: string
  readonly layout: BucketLayout
  /** Whether the number of spends matters, and not only their sum. */
  readonly needsCount: boolean
}

/** One spend as one mandate sees it. */
export interface Situation {
  readonly spend: Spend
  readonly now: Instant
  readonly agent: { readonly id: string; readonly tags: readonly string[] }
  readonly usage: Usage
  readonly budgetTotal: Micros
  /** Spent in the mandate's current period before this spend, including what is held. */
  readonly budgetSpent: Micros
  /** Undefined for a budget that never resets. */
  readonly period: Period | undefined
  /** Whether the mandate is above the agent's own mandate. */
  readonly isInherited: boolean
}

/** What a rule says. `observed` and `limit` are set on both outcomes, to show how close it was. */
export interface Verdict {
  /** Null: the spend passes. */
  readonly code: DecisionCode | null
  readonly observed: string | number | null
  readonly limit: string | number | null
  readonly window: string | null
  /** One plain sentence. */
  readonly message: string
}

/** A counter that a spend is judged by, and counted in when it is approved. */
export interface Counted {
  /** Says what is counted but not by which rule, so that a rule can change and keep its count. */
  readonly key: string
  readonly layout: BucketLayout
}

/** A rule of one mandate, ready to judge. */
export interface Judge {
  check(situation: Situation): Verdict
  /**
   * The largest amount that this rule alone would let pass, however small. Absent when the rule
   * does not bound the amount.
   */
  amountMax?(situation: Situation): Micros
  /**
   * An instant before which this rule alone would not let the spend pass, if nothing else were
   * spent: the first at which it would, if the rule can tell, and otherwise the first at which it
   * may. It is asked when the rule has failed, with the code that it gave. Undefined, or absent:
   * waiting does not help.
   */
  passesAt?(situation: Situation, failed: DecisionCode): Instant | undefined
  counters?(spend: Spend): readonly Counted[]
  /** Whether spends of different amounts are counted in different counters. */
  readonly countsByAmount?: boolean
  /** What `counters` can name, whatever the spend. */
  readonly series?: readonly Series[]
  /** Set where it also judges the check of a card, which asks for no money. */
  readonly judgesChecks?: true
  /** The most work that a check can need; absent where it is hardly worth counting. */
  readonly cost?: number
  /** Whether it needs the vendor history. */
  readonly needsVendorHistory?: boolean
  /**
   * Whether it could say something else of the same spend at another vendor. Absent: never. Its
   * codes then include `payee_mismatch` (`claimed-vendor.ts`).
   */
  readsVendor?(spend: Spend): boolean
}

type Shown = Verdict['observed']

export function pass(
  observed: Shown,
  limit: Shown,
  message: string,
  window: string | null = null,
): Verdict {
  return { code: null, observed, limit, window, message }
}

export function fail(
  { code }: DeclaredCode,
  observed: Shown,
  limit: Shown,
  message: string,
  window: string | null = null,
): Verdict {
  return { code, observed, limit, window, message }
}
