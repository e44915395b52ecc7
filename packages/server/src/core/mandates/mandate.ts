import assert from 'node:assert/strict'
import { isSameJson } from '@purser/audit'
import { type Micros, percentOf, toUnits } from '../money.ts'
import type { Rule } from '../rules/rule-set.ts'
import type { Origins } from '../rules/verdict.ts'
import { type Instant, toIso } from '../time/instant.ts'
import { type BudgetPeriod, periodAt } from '../time/period.ts'

export type { BudgetPeriod } from '../time/period.ts'

export type StoredMandateStatus = 'draft' | 'active' | 'revoked' | 'expired'

/**
 * The status that the API shows. It has the same names as in storage, but `expired` also follows
 * from the clock.
 */
export type MandateStatus = StoredMandateStatus

/** The agreed terms; each version of a mandate has its own. */
export interface MandateTerms {
  readonly name: string
  readonly currency: string
  readonly timezone: string
  readonly validFrom: Instant | null
  readonly validUntil: Instant | null
  readonly budgetPeriod: BudgetPeriod
  readonly budgetTotal: Micros
  /** The used parts of the budget that raise a warning event: ascending, each once. */
  readonly warningPercents: readonly number[]
  readonly rules: readonly Rule[]
}

export const DEFAULT_WARNING_PERCENTS: readonly number[] = [80]

/** All terms of a version. `discloseLimits` is for tokens, and plays no part in judging a spend. */
export interface VersionTerms extends MandateTerms {
  /** Whether mandate tokens may disclose the largest amount of a single spend to their audience. */
  readonly discloseLimits: boolean
}

export interface Mandate extends VersionTerms {
  readonly id: string
  readonly agentId: string
  readonly parentMandateId: string | null
  readonly status: StoredMandateStatus
  readonly version: number
  /** For a draft of a next version: the active mandate that it changes; null otherwise. */
  readonly draftOf: string | null
  /** The version of that mandate that the draft was made from. */
  readonly draftOfVersion: number | null
  /** The origins of the counters of rules that were added while the mandate was active. */
  readonly origins: Origins | null
  /** Includes held amounts. */
  readonly budgetSpent: Micros
  readonly budgetHeld: Micros
  /** The start of the period that the two figures belong to; null if nothing was spent yet. */
  readonly spentPeriodStart: Instant | null
  readonly createdAt: Instant
  readonly activatedAt: Instant | null
  readonly revokedAt: Instant | null
  readonly archivedAt: Instant | null
  readonly updatedAt: Instant
  /** The text of `actorText`; null if it was not stored. */
  readonly updatedBy: string | null
}

export interface Budget {
  readonly spent: Micros
  readonly held: Micros
  /** Never below zero, even if a card was charged more than it had authorized. */
  readonly remaining: Micros
  readonly percentUsed: number
  readonly exhausted: boolean
  readonly periodStart: Instant | null
  readonly periodEnd: Instant | null
}

export interface TermChange {
  readonly field: string
  readonly before: unknown
  readonly after: unknown
}

/**
 * An active mandate expires by the clock. `validUntil` is the first instant at which it has ended.
 */
export function statusAt(
  mandate: Pick<Mandate, 'status' | 'validUntil'>,
  now: Instant,
): MandateStatus {
  const { status, validUntil } = mandate
  return status === 'active' && validUntil !== null && now >= validUntil ? 'expired' : status
}

/** The fields of a mandate that determine its budget. */
export type Budgeted = Pick<
  Mandate,
  'budgetTotal' | 'budgetSpent' | 'budgetHeld' | 'spentPeriodStart' | 'budgetPeriod' | 'timezone'
>

/**
 * The budget as it stands now. Stored figures from an earlier period count for nothing: a hold
 * belongs to the period in which it was approved, so both figures start again at zero.
 */
export function budgetAt(mandate: Budgeted, now: Instant): Budget {
  const { budgetTotal, spentPeriodStart } = mandate
  assert(budgetTotal > 0n, 'a mandate has a budget')
  const period = periodAt(mandate.budgetPeriod, mandate.timezone, now)
  const isOver =
    period !== undefined && spentPeriodStart !== null && spentPeriodStart < period.start
  const spent = isOver ? 0n : mandate.budgetSpent
  return {
    spent,
    held: isOver ? 0n : mandate.budgetHeld,
    remaining: spent < budgetTotal ? budgetTotal - spent : 0n,
    percentUsed: percentOf(spent, budgetTotal),
    exhausted: spent >= budgetTotal,
    periodStart: period?.start ?? null,
    periodEnd: period?.end ?? null,
  }
}

/**
 * Lists the differences between two versions, in the values of the API. Rules are compared by their
 * ids: an added rule has no `before`, and a removed rule has no `after`. The order of rules does not
 * matter.
 */
export function changedTerms(before: VersionTerms, after: VersionTerms): TermChange[] {
  const earlier = new Map(before.rules.map((rule) => [rule.id, rule]))
  const later = new Map(after.rules.map((rule) => [rule.id, rule]))
  return [
    ...changesOf('', shownTerms(before), shownTerms(after)),
    ...[...new Set([...later.keys(), ...earlier.keys()])].flatMap((id) =>
      ruleChanges(id, earlier.get(id), later.get(id)),
    ),
  ]
}

function shownTerms({ rules: _, ...terms }: VersionTerms): Record<string, unknown> {
  return {
    name: terms.name,
    currency: terms.currency,
    timezone: terms.timezone,
    validFrom: terms.validFrom === null ? null : toIso(terms.validFrom),
    validUntil: terms.validUntil === null ? null : toIso(terms.validUntil),
    budgetPeriod: terms.budgetPeriod,
    budgetTotal: toUnits(terms.budgetTotal),
    warningPercents: terms.warningPercents,
    discloseLimits: terms.discloseLimits,
  }
}

function ruleChanges(id: string, before: Rule | undefined, after: Rule | undefined): TermChange[] {
  if (before && after) return changesOf(`rules.${id}.`, before, after)
  return [{ field: `rules.${id}`, before: before ?? null, after: after ?? null }]
}

function changesOf(
  prefix: string,
  before: Readonly<Record<string, unknown>>,
  after: Readonly<Record<string, unknown>>,
): TermChange[] {
  const names = [...new Set([...Object.keys(before), ...Object.keys(after)])]
  return names
    .map((name) => ({
      field: prefix + name,
      before: before[name] ?? null,
      after: after[name] ?? null,
    }))
    .filter((change) => !isSameJson(change.before, change.after))
}
