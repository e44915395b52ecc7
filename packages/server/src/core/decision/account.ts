import type { AgentStatus } from '../agent.ts'
import type { Permit } from '../approvals/permit.ts'
import type { Usage } from '../counters/usage.ts'
import type { StoredMandateStatus } from '../mandates/mandate.ts'
import type { Policy } from '../mandates/policy.ts'
import type { Micros } from '../money.ts'
import type { Instant } from '../time/instant.ts'
import type { Period } from '../time/period.ts'

export type { Usage, VendorHistory } from '../counters/usage.ts'

/** Everything that a spend is judged by. The rows behind it are locked. */
export interface Account {
  readonly organization: { readonly frozen: boolean }
  readonly agent: {
    readonly id: string
    readonly status: AgentStatus
    readonly tags: readonly string[]
    /** A draft of the agent, if it has one and no active mandate. */
    readonly draftMandateId?: string | undefined
  }
  /**
   * The agent's own mandate first, then its parents, nearest first. Empty if the agent has no active
   * mandate.
   */
  readonly mandates: readonly MandateAccount[]
  readonly usage: Usage
  /** The approval that the spend presents, or that was found for it. */
  readonly permit?: Permit | undefined
}

/**
 * A mandate with its figures as they are stored. The figures may still be those of a period that is
 * over.
 */
export interface MandateAccount {
  readonly policy: Policy
  readonly agentId: string
  readonly status: StoredMandateStatus
  readonly budgetTotal: Micros
  /** Includes held and overdrawn amounts. */
  readonly spent: Micros
  readonly held: Micros
  /** The part of `spent` that was charged beyond the budget after the decision. */
  readonly overdrawn: Micros
  /** The start of the period that the figures belong to; null for a budget that never resets. */
  readonly periodStart: Instant | null
}

/** The figures of a mandate as they stand at an instant. */
export interface Figures {
  readonly spent: Micros
  readonly held: Micros
  readonly overdrawn: Micros
  /** Never below zero. */
  readonly remaining: Micros
  readonly period: Period | undefined
}

/**
 * Figures of an earlier period count for nothing. Figures of a later period count in full: it only
 * seems later because two clocks disagree, and forgetting its figures would allow the budget twice.
 */
export function figuresAt(mandate: MandateAccount, now: Instant): Figures {
  const { policy, budgetTotal, periodStart } = mandate
  const period = policy.zone.periodAt(policy.terms.budgetPeriod, now)
  if (period && periodStart !== null && periodStart < period.start) {
    return { spent: 0n, held: 0n, overdrawn: 0n, remaining: budgetTotal, period }
  }
  const { spent, held, overdrawn } = mandate
  return { spent, held, overdrawn, remaining: remainingOf(budgetTotal, spent), period }
}

/** The smallest amount that the mandate or one of its parents has left. */
export function smallestRemaining(mandates: readonly MandateAccount[], now: Instant): Micros {
  let smallest: Micros | undefined
  for (const mandate of mandates) {
    const { remaining } = figuresAt(mandate, now)
    if (smallest === undefined || remaining < smallest) smallest = remaining
  }
  return smallest ?? 0n
}

function remainingOf(budgetTotal: Micros, spent: Micros): Micros {
  return spent < budgetTotal ? budgetTotal - spent : 0n
}
