import type { Micros } from './money.ts'
import type { PathName } from './path.ts'
import type { Payee } from './payee.ts'

/** The common form of every attempt to spend, on all payment paths. */
export interface Spend {
  readonly transactionId: string
  readonly organizationId: string
  readonly agentId: string
  readonly path: PathName
  readonly amount: Micros
  /** Null means the currency of the mandate. */
  readonly currency: string | null
  /** The vendor in normal form. */
  readonly vendor: string
  /** The category in normal form; null only on paths that have no category. */
  readonly category: string | null
  readonly reference: string | null
  /** The recipient of the money, on paths that pay by themselves. */
  readonly payee: KnownPayee | null
  /**
   * Null: settled at once. Otherwise a hold, which is released after this time. `Infinity` means that
   * it never expires: only its path ends it, once it knows whether the money moved.
   */
  readonly holdMs: number | null
  /** Data from the card network; null on all other paths. */
  readonly card: CardSpend | null
}

/** The data that a card's network and issuer add to a spend. */
export interface CardSpend {
  /** Null if the card does not matter. */
  readonly cardId: string | null
  /** The merchant category code from the acquirer; four digits. */
  readonly mcc: string | null
  /**
   * The category of a high-risk code; null for all others. Such merchants are refused unless a mandate
   * allows exactly that category or code. The spend's own category may come from the directory.
   */
  readonly highRisk: string | null
  /**
   * Set for an increment of an approved purchase: the new total of the purchase. It is one purchase, so
   * it is counted once; `amount` is only the addition.
   */
  readonly total: Micros | null
  /**
   * The smallest unit of the card's currency, if a partial approval is possible; null if it is all or
   * nothing.
   */
  readonly partialUnit: Micros | null
  /** Why the card itself may not be used. */
  readonly stop: 'card_paused' | 'card_closed' | null
}

/**
 * Whether a card is only verified, without any money. Nothing is booked or counted for it, and only
 * rules about the vendor, the category and the path judge it.
 */
export function isCheck({ amount, card }: Spend): boolean {
  return card !== null && amount === 0n
}

/** The merchant category code, as a category rule names it. */
export function mccOf({ card }: Spend): string | undefined {
  return card === null || card.mcc === null ? undefined : `mcc:${card.mcc}`
}

/** Whether it is an increment of an approved purchase. */
export function isIncrement({ card }: Spend): boolean {
  return card !== null && card.total !== null
}

/** How it counts in a number of spends: a purchase counts once, with all its increments. */
export function countOf(spend: Spend): 0 | 1 {
  return isIncrement(spend) ? 0 : 1
}

/** The total of the whole purchase. */
export function purchaseOf({ amount, card }: Spend): Micros {
  return card === null ? amount : (card.total ?? amount)
}

/**
 * The most that may be added to the approved part of the purchase, so that its total stays within
 * `most`.
 */
export function roomUpTo(most: Micros, spend: Spend): Micros {
  if (!isIncrement(spend)) return most
  const approved = purchaseOf(spend) - spend.amount
  return most > approved ? most - approved : 0n
}

/** The same spend with a different amount. */
export function withAmount(spend: Spend, amount: Micros): Spend {
  const { card } = spend
  if (card === null || card.total === null) return { ...spend, amount }
  return { ...spend, amount, card: { ...card, total: card.total - spend.amount + amount } }
}

/**
 * The same spend with the largest amount up to `most` that the card's currency can pay. Undefined if it
 * is all or nothing, or if nothing is left.
 */
export function partOf(spend: Spend, most: Micros): Spend | undefined {
  const unit = spend.card?.partialUnit ?? null
  if (unit === null) return undefined
  const amount = most - (most % unit)
  return amount > 0n && amount < spend.amount ? withAmount(spend, amount) : undefined
}

/** A payee, and how the gateway knows it. */
export interface KnownPayee extends Payee {
  readonly assurance: Assurance
  /** The objection to it, as one sentence; null if there is none. */
  readonly mismatch: string | null
}

/**
 * `payto_pinned`: the directory names it for this vendor. `gateway_observed`: the gateway received it
 * from the vendor itself. `agent_claimed`: the agent sent it, but may have it from a third party.
 */
export type Assurance = 'payto_pinned' | 'gateway_observed' | 'agent_claimed'
