import type { Micros } from '../money.ts'
import type { Instant } from '../time/instant.ts'
import { figuresAt, type MandateAccount } from './account.ts'

/*
 * How a mandate's figures change. A spend is drawn when it is approved. A hold is then captured or
 * settled, or it is released when it is voided or expires. A settled spend can be refunded. All of
 * this belongs to the period of the original spend: when that period is over, its figures are gone,
 * and nothing in the current period changes. Only money that nobody was asked about belongs to the
 * period in which it arrives.
 */

/** A spend that was drawn earlier. */
interface Drawn {
  /** The instant at which it was approved. */
  readonly at: Instant
}

/** Adds an approved spend. The caller has judged that the budget covers it. */
export function draw(
  mandate: MandateAccount,
  amount: Micros,
  isHold: boolean,
  now: Instant,
): MandateAccount {
  const { spent, held, overdrawn, period } = figuresAt(mandate, now)
  return withFigures(mandate, {
    spent: spent + amount,
    held: isHold ? held + amount : held,
    overdrawn,
    periodStart: laterOf(mandate.periodStart, period?.start ?? null),
  })
}

/** Gives back an amount: a hold that is voided or expires (`wasHeld`), or a refund. */
export function release(
  mandate: MandateAccount,
  { amount, at, wasHeld }: Drawn & { readonly amount: Micros; readonly wasHeld: boolean },
): MandateAccount {
  if (!belongs(mandate, at)) return mandate
  return withFigures(mandate, {
    ...mandate,
    spent: mandate.spent - amount,
    held: wasHeld ? mandate.held - amount : mandate.held,
  })
}

/**
 * Takes the captured amount out of the hold. It has been spent since the approval, and stays spent.
 */
export function captureHeld(
  mandate: MandateAccount,
  { amount, at }: Drawn & { readonly amount: Micros },
): MandateAccount {
  if (!belongs(mandate, at)) return mandate
  return withFigures(mandate, { ...mandate, held: mandate.held - amount })
}

/**
 * Adds money that nobody was asked about, or more than was asked for. It belongs to the period in
 * which it arrives. The part that exceeds the budget is marked as overdrawn.
 */
export function drawUnasked(
  mandate: MandateAccount,
  amount: Micros,
  isHold: boolean,
  now: Instant,
): MandateAccount {
  const drawn = draw(mandate, amount, isHold, now)
  const { overdrawn } = figuresAt(mandate, now)
  return withFigures(drawn, { ...drawn, overdrawn: overdrawn + amount })
}

/**
 * Books money that moved without being judged, for example when a card captures more than it had
 * authorized. It can no longer be refused. The part that exceeds the budget is marked as overdrawn.
 * Only this function and `drawUnasked` mark anything, so if `spent - overdrawn` is above the total,
 * a decision was wrong.
 */
export function overdraw(mandate: MandateAccount, amount: Micros): MandateAccount {
  return withFigures(mandate, {
    ...mandate,
    spent: mandate.spent + amount,
    overdrawn: mandate.overdrawn + amount,
  })
}

/** Books a hold again that was given back, because its money has moved after all. */
export function redraw(
  mandate: MandateAccount,
  { amount, at }: Drawn & { readonly amount: Micros },
): MandateAccount {
  return belongs(mandate, at) ? overdraw(mandate, amount) : mandate
}

/** The figures of a later period no longer include the spend. */
function belongs({ periodStart }: MandateAccount, at: Instant): boolean {
  return periodStart === null || at >= periodStart
}

function withFigures(
  mandate: MandateAccount,
  figures: Pick<MandateAccount, 'spent' | 'held' | 'overdrawn' | 'periodStart'>,
): MandateAccount {
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
