import type { CaptureFact, ConvertedFact, Fact, ForeignFact } from './facts.ts'

/**
 * The facts of an authorization with all money of other currencies set apart: sums of two currencies
 * are none, and nothing is converted by a rate that nobody gave. Of a hold, an amount in another
 * currency says nothing.
 */
export function inCurrency<Known extends Fact>(
  facts: readonly Known[],
  currency: string | null,
): (Known | ForeignFact)[] {
  return facts.map((fact) => {
    const own = 'currency' in fact && fact.kind !== 'foreign' ? fact.currency : undefined
    if (own === undefined || currency === null || own === currency) return fact
    return fact.kind === 'snapshot' ? { ...fact, amount: null } : toForeign(fact, own)
  })
}

function toForeign<Known extends Fact>(fact: Known, currency: string): Known | ForeignFact {
  const { kind } = fact
  if (kind !== 'capture' && kind !== 'refund' && kind !== 'release') return fact
  const { id: moneyId, at, amount } = fact
  return { kind: 'foreign', id: `${kind} ${moneyId}`, of: kind, moneyId, at, amount, currency }
}

/** What of an authorization was captured, as far as anybody said it in its own currency. */
export interface Converted {
  readonly captures: readonly CaptureFact[]
  /** Money in another currency of which nobody has said what it came to. */
  readonly open: readonly ForeignFact[]
  /** Whether a person said what a capture came to, and the issuer has not. */
  readonly isByHand: boolean
}

/** The issuer's own word counts before that of a person. */
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
