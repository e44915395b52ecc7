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
 * the warning first. Comparing the figures before and after needs no memory of earlier events.
 * Whatever takes the figures below the threshold makes the event possible again.
 */
export function budgetEvents(
  before: MandateAccount,
  after: MandateAccount,
  now: Instant,
): BudgetEvent[] {
  const from = { spent: figuresAt(before, now).spent, total: before.budgetTotal }
  const to = { spent: figuresAt(after, now).spent, total: after.budgetTotal }
  const events: BudgetEvent[] = []
  if (isWarned(to) && !isWarned(from)) events.push(toEvent('mandate.budget.warning', after, to))
  if (isExhausted(to) && !isExhausted(from)) {
    events.push(toEvent('mandate.budget.exhausted', after, to))
  }
  return events
}

interface Use {
  readonly spent: Micros
  readonly total: Micros
}

function isWarned({ spent, total }: Use): boolean {
  return spent * 5n >= total * 4n
}

function isExhausted({ spent, total }: Use): boolean {
  return spent >= total
}

function toEvent(
  kind: BudgetEvent['kind'],
  { policy, agentId }: MandateAccount,
  use: Use,
): BudgetEvent {
  return {
    kind,
    mandateId: policy.mandateId,
    agentId,
    budgetTotal: use.total,
    budgetSpent: use.spent,
  }
}
