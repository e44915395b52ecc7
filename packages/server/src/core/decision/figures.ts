import type { Micros } from '../money.ts'
import type { Instant } from '../time/instant.ts'
import { figuresAt, type MandateAccount } from './account.ts'
import type { Rebooking } from './parts.ts'

/*
 * How a mandate's figures change. A spend is drawn when it is approved. A hold is then captured, or
 * released when it is voided or expires. A settled spend can be refunded. All of this belongs to the
 * period of the original spend: when that period is over, its figures are gone, and nothing in the
 * current period changes. Only money that moved without a decision belongs to the period in which it
 * arrives.
 */

/** Adds an approved spend. The caller has checked that the budget covers it. */
export function draw(
  mandate: MandateAccount,
  amount: Micros,
  isHold: boolean,
  now: Instant,
): MandateAccount {
  const { spent, held, overdrawn, periodStart } = currentOf(mandate, now)
  return withFigures(mandate, {
    spent: spent + amount,
    held: isHold ? held + amount : held,
    overdrawn,
    periodStart,
  })
}

/**
 * Adds money that moved without a decision, or beyond the approved amount. It belongs to the period
 * in which it arrives. The part that exceeds the budget is marked as overdrawn.
 */
export function drawUnasked(
  mandate: MandateAccount,
  amount: Micros,
  isHold: boolean,
  now: Instant,
): MandateAccount {
  return rebook(mandate, { at: now, spent: amount, held: isHold ? amount : 0n }, now)
}

/**
 * Corrects the amounts that were booked at an instant. An increase moved without a decision and can
 * no longer be refused, so the part that exceeds the budget is marked as overdrawn. Only this
 * function marks amounts, so if `spent - overdrawn` is above the total, a decision was wrong.
 */
export function rebook(
  mandate: MandateAccount,
  { at, spent: moreSpent, held: moreHeld }: Rebooking,
  now: Instant,
): MandateAccount {
  if (at !== now && !belongs(mandate, at)) return mandate
  const { spent, held, overdrawn, periodStart } = at === now ? currentOf(mandate, now) : mandate
  return withFigures(mandate, {
    spent: spent + moreSpent,
    held: held + moreHeld,
    overdrawn: moreSpent > 0n ? overdrawn + moreSpent : overdrawn,
    periodStart,
  })
}

type Booked = Pick<MandateAccount, 'spent' | 'held' | 'overdrawn' | 'periodStart'>

/** The figures of the current period. */
function currentOf(mandate: MandateAccount, now: Instant): Booked {
  const { spent, held, overdrawn, period } = figuresAt(mandate, now)
  return {
    spent,
    held,
    overdrawn,
    periodStart: laterOf(mandate.periodStart, period?.start ?? null),
  }
}

/** The figures of a later period no longer include the spend. */
function belongs({ periodStart }: MandateAccount, at: Instant): boolean {
  return periodStart === null || at >= periodStart
}

function withFigures(mandate: MandateAccount, figures: Booked): MandateAccount {
  const spent = atLeastZero(figures.spent)
  const beyond = atLeastZero(spent - mandate.budgetTotal)
  return {
    policy: mandate.policy,
    agentId: mandate.agentId,
    status: mandate.status,
    budgetTotal: mandate.budgetTotal,
    spent,
    held: atMost(spent, atLeastZero(figures.held)),
    overdrawn: atMost(beyond, figures.overdrawn),
    periodStart: figures.periodStart,
  }
}

function laterOf(a: Instant | null, b: Instant | null): Instant | null {
  if (a === null || b === null) return a ?? b
  return Math.max(a, b)
}

function atLeastZero(amount: Micros): Micros {
  return amount > 0n ? amount : 0n
}

function atMost(most: Micros, amount: Micros): Micros {
  return amount < most ? amount : most
}
