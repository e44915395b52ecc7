import type { Micros } from '../money.ts'
import type { Instant } from '../time/instant.ts'
import { figuresAt, type MandateAccount } from './account.ts'

/** A budget that reached a threshold, and its figures when that happened. */
export interface BudgetEvent {
  readonly kind: 'mandate.budget.warning' | 'mandate.budget.exhausted'
  readonly mandateId: string
  readonly agentId: string
  readonly budgetTotal: Micros
  readonly budgetSpent: Micros
}

/**
 * The events for a budget that reaches a threshold: one each time the threshold is crossed upwards,
 * the warning first. Comparing the figures before and after needs no memory of earlier events. After
 * a change that takes the figures below the threshold, the event can occur again.
 */
export function budgetEvents(
  before: MandateAccount,
  after: MandateAccount,
  now: Instant,
): BudgetEvent[] {
  const from = { spent: figuresAt(before, now).spent, total: before.budgetTotal }
  const to = { spent: figuresAt(after, now).spent, total: after.budgetTotal }
  return eventsBetween(after.policy.mandateId, after.agentId, from, to)
}

/**
 * Like `budgetEvents`, for figures that are already known, for example when only the budget changes.
 */
export function eventsBetween(
  mandateId: string,
  agentId: string,
  from: BudgetUse,
  to: BudgetUse,
): BudgetEvent[] {
  const events: BudgetEvent[] = []
  // Most spends cross no threshold, so nothing is allocated for them.
  if (!isWarned(to) || isExhausted(from)) return events
  const told = { mandateId, agentId, budgetTotal: to.total, budgetSpent: to.spent }
  if (!isWarned(from)) events.push({ kind: 'mandate.budget.warning', ...told })
  if (isExhausted(to)) events.push({ kind: 'mandate.budget.exhausted', ...told })
  return events
}

interface BudgetUse {
  readonly spent: Micros
  readonly total: Micros
}

function isWarned({ spent, total }: BudgetUse): boolean {
  return spent * 5n >= total * 4n
}

function isExhausted({ spent, total }: BudgetUse): boolean {
  return spent >= total
}
