import type { CaptureFact, ConvertedFact, Fact, ForeignFact } from './facts.ts'

/**
 * Returns the facts of an authorization with all money of other currencies set apart: amounts of two
 * currencies cannot be added, and Purser converts nothing without a rate from the issuer or a person.
 * The amount of a snapshot in another currency is ignored.
 */
export function inCurrency<Known extends Fact>(
  facts: readonly Known[],
  currency: string | null,
): (Known | ForeignFact)[] {
  return facts.map((fact) => {
    const own = 'currency' in fact ? fact.currency : undefined
    if (own === undefined || currency === null || own === currency) return fact
    return fact.kind === 'snapshot' ? { ...fact, amount: null } : toForeign(fact, own)
  })
}

/** Money that is set apart already stays as it is. */
function toForeign<Known extends Fact>(fact: Known, currency: string): Known | ForeignFact {
  const { kind } = fact
  if (kind !== 'capture' && kind !== 'refund' && kind !== 'release') return fact
  const { id: moneyId, at, amount } = fact
  return { kind: 'foreign', id: `${kind} ${moneyId}`, of: kind, moneyId, at, amount, currency }
}

/** The captures of an authorization in its own currency, and the money that is not converted yet. */
export interface Converted {
  readonly captures: readonly CaptureFact[]
  /** Money in another currency that has no converted amount yet. */
  readonly open: readonly ForeignFact[]
  /** Whether a person gave a converted amount that the issuer has not given. */
  readonly isByHand: boolean
}

/** The issuer's converted amount takes precedence over a person's. */
export function convert(facts: readonly Fact[]): Converted {
  const told = facts.filter((fact) => fact.kind === 'capture')
  const toldIds = new Set(facts.map(({ kind, id }) => `${kind} ${id}`))
  const isTold = (id: string): boolean => toldIds.has(`capture ${id}`)
  const byHand = facts
    .filter((fact): fact is ConvertedFact => fact.kind === 'converted')
    .filter(({ id }) => !isTold(id))
  const saidIds = new Set(byHand.map(({ id }) => id))
  const isOpen = ({ of, moneyId }: ForeignFact): boolean =>
    !toldIds.has(`${of} ${moneyId}`) && !(of === 'capture' && saidIds.has(moneyId))
  return {
    captures: [...told, ...byHand.map((said) => ({ ...said, kind: 'capture' as const }))],
    open: facts.filter((fact) => fact.kind === 'foreign').filter(isOpen),
    isByHand: byHand.length > 0,
  }
}
