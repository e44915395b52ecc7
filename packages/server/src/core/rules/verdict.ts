import type { BucketLayout } from '../counters/buckets.ts'
import type { Usage } from '../counters/usage.ts'
import type { Micros } from '../money.ts'
import type { Spend } from '../spend.ts'
import type { Instant } from '../time/instant.ts'
import type { BudgetPeriod, Period } from '../time/period.ts'
import type { Zone } from '../time/zone.ts'
import type { DecisionCode, DeclaredCode } from './codes.ts'

/** The data about its mandate that a rule needs once, to prepare itself. */
export interface JudgedMandate {
  readonly mandateId: string
  readonly currency: string
  readonly budgetPeriod: BudgetPeriod
  readonly zone: Zone
  /** The origins of the series of counters that were added after the mandate began. */
  readonly origins: Origins
}

/**
 * The origin of each series of counters; a series is a set of counters that differ only in their
 * group. A series without an entry counts from the beginning of the mandate.
 */
export type Origins = Readonly<Record<string, Origin>>

export interface Origin {
  /** The version of the mandate that added the series; it has its own counters. */
  readonly since: number
  /**
   * Set if there were too many earlier spends to count at once; they are counted in the background.
   */
  readonly isLate?: true
  /** Set if the series began with the spent amount of the budget, which has no number of spends. */
  readonly isSumOnly?: true
}

/** Counters that differ only in their group. */
export interface Series {
  /** Identifies the counted spends: window, grouping and match. */
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
  /** Spent in the mandate's current period before this spend, including holds. */
  readonly budgetSpent: Micros
  /** Undefined for a budget that never resets. */
  readonly period: Period | undefined
  /** Whether the mandate is a parent of the agent's own mandate. */
  readonly isInherited: boolean
}

/**
 * The verdict of a rule. `observed` and `limit` are set on both outcomes, to show how close it was.
 */
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
  /**
   * Identifies the counted spends but not the rule, so that a rule can change and keep its count.
   */
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
   * spent: the first at which it passes, if the rule knows that, and otherwise the first at which it
   * may pass. Called after the rule failed, with its code. Undefined or absent if waiting does not
   * help.
   */
  passesAt?(situation: Situation, failed: DecisionCode): Instant | undefined
  counters?(spend: Spend): readonly Counted[]
  /** Whether spends of different amounts are counted in different counters. */
  readonly countsByAmount?: boolean
  /** All series that `counters` can name, for any spend. */
  readonly series?: readonly Series[]
  /** Set if the rule also judges card checks, which involve no money. */
  readonly judgesChecks?: true
  /** The maximum cost of a check; absent if negligible. */
  readonly cost?: number
  /** Whether it needs the vendor history. */
  readonly needsVendorHistory?: boolean
  /**
   * Whether the verdict could differ for the same spend at a different vendor. Absent means never.
   * The codes of such a rule include `payee_mismatch` (`doubtClaim` in `decision/evaluate.ts`).
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
