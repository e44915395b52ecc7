import type { Micros } from '../money.ts'
import type { Instant } from '../time/instant.ts'
import { figuresAt, type MandateAccount } from './account.ts'

/*
 * What becomes of a mandate's figures. A spend is drawn when it is approved; a hold is then settled,
 * or released when it is voided or expires; a settled spend can be refunded. All of it belongs to the
 * period of the original spend: when that period is over, the figures it was part of are gone,
 * and nothing of the current one changes.
 */

/** A spend that was drawn before. */
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

/** Gives an amount back: a hold that is voided or expires (`wasHeld`), or a refund. */
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

/** Takes what was captured out of the hold; it was spent from the approval on, and stays so. */
export function captureHeld(
  mandate: MandateAccount,
  { amount, at }: Drawn & { readonly amount: Micros },
): MandateAccount {
  if (!belongs(mandate, at)) return mandate
  return withFigures(mandate, { ...mandate, held: mandate.held - amount })
}

/**
 * Adds money that nobody was asked about, or more than was asked for. It belongs to the period in which
 * it arrives. What of it exceeds the budget is marked as overdrawn.
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

/** Ends a hold with what was really charged, which may be less than was held, or more. */
export function settle(
  mandate: MandateAccount,
  { held, actual, at }: Drawn & { readonly held: Micros; readonly actual: Micros },
): MandateAccount {
  if (!belongs(mandate, at)) return mandate
  if (actual > held) {
    const settled = withFigures(mandate, { ...mandate, held: mandate.held - held })
    return overdraw(settled, actual - held)
  }
  return withFigures(mandate, {
    ...mandate,
    spent: mandate.spent - (held - actual),
    held: mandate.held - held,
  })
}

/**
 * Books money that has moved without being judged, as when a card captures more than it had
 * authorized. It cannot be refused any more; what of it exceeds the budget is marked as overdrawn, and
 * only here. So `spent - overdrawn` above the total still means that a decision was wrong.
 */
export function overdraw(mandate: MandateAccount, amount: Micros): MandateAccount {
  return withFigures(mandate, {
    ...mandate,
    spent: mandate.spent + amount,
    overdrawn: mandate.overdrawn + amount,
  })
}

/** Books a hold that was given back, because its money has moved all the same. */
export function redraw(
  mandate: MandateAccount,
  { amount, at }: Drawn & { readonly amount: Micros },
): MandateAccount {
  return belongs(mandate, at) ? overdraw(mandate, amount) : mandate
}

/** Figures of a later period than that of the spend do not hold it any more. */
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
