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
  const { mandateId, warningPercents } = after.policy
  return eventsBetween({ mandateId, agentId: after.agentId, warningPercents }, from, to)
}

/**
 * Like `budgetEvents`, for figures that are already known, for example when only the budget changes.
 */
export function eventsBetween(
  { mandateId, agentId, warningPercents }: WatchedBudget,
  from: BudgetUse,
  to: BudgetUse,
): BudgetEvent[] {
  const events: BudgetEvent[] = []
  // Most spends stay below the lowest threshold, so nothing more is computed for them.
  if (!isAt(to, warningPercents[0] ?? WHOLE)) return events
  const isCrossed = (percent: bigint) => isAt(to, percent) && !isAt(from, percent)
  const told = { mandateId, agentId, budgetTotal: to.total, budgetSpent: to.spent }
  // One event, even if the change crosses several levels: it has the figures, not the level.
  if (warningPercents.some(isCrossed)) events.push({ kind: 'mandate.budget.warning', ...told })
  if (isCrossed(WHOLE)) events.push({ kind: 'mandate.budget.exhausted', ...told })
  return events
}

interface WatchedBudget {
  readonly mandateId: string
  readonly agentId: string
  readonly warningPercents: readonly bigint[]
}

interface BudgetUse {
  readonly spent: Micros
  readonly total: Micros
}

const WHOLE = 100n

function isAt({ spent, total }: BudgetUse, percent: bigint): boolean {
  return spent * WHOLE >= total * percent
}
