import type { Micros } from './money.ts'
import type { PathName } from './path.ts'
import type { Payee } from './payee.ts'

/** The common form of every attempt to spend, whichever payment path it came through. */
export interface Spend {
  readonly transactionId: string
  readonly organizationId: string
  readonly agentId: string
  readonly path: PathName
  readonly amount: Micros
  /** Null: the currency of the mandate. */
  readonly currency: string | null
  /** In normal form. */
  readonly vendor: string
  /** In normal form; null only on paths that do not know a category. */
  readonly category: string | null
  readonly reference: string | null
  /** Where the money goes, on paths that pay somebody themselves. */
  readonly payee: KnownPayee | null
  /**
   * Null: settled at once. Otherwise a hold, which is released after this time. `Infinity` means
   * that it never ends by itself: only its path ends it, because the path learns what became of the
   * money.
   */
  readonly holdMs: number | null
  /** What only the network of a card says of a spend; null on all other paths. */
  readonly card: CardSpend | null
}

/** What a card's network and its issuer add to a spend. */
export interface CardSpend {
  /** Null where it does not matter which card it was. */
  readonly cardId: string | null
  /** The code of what the merchant sells, as its acquirer says; four digits. */
  readonly mcc: string | null
  /**
   * The category of this code, where such merchants are refused unless a mandate names that very
   * category or the code; null for all others. The spend's own category may be the directory's word.
   */
  readonly highRisk: string | null
  /**
   * Set where more is asked for a purchase that is already approved: what all of it comes to then. It
   * is one purchase, so it is counted once; `amount` is only what is added.
   */
  readonly total: Micros | null
  /**
   * The smallest unit of the card's currency, where less may be approved than was asked for; null
   * where it is all or nothing.
   */
  readonly partialUnit: Micros | null
  /** Why the card itself may not be used. */
  readonly stop: 'card_paused' | 'card_closed' | null
}

/**
 * Whether a card is only checked, without any money. Nothing is booked or counted for it, and only
 * rules judge it that ask who is paid, for what and by which path.
 */
export function isCheck({ amount, card }: Spend): boolean {
  return card !== null && amount === 0n
}

/** The code of what a card's merchant sells, as a rule about categories names it. */
export function mccOf({ card }: Spend): string | undefined {
  return card === null || card.mcc === null ? undefined : `mcc:${card.mcc}`
}

/** Whether it is more of a purchase that is already approved. */
export function isIncrement({ card }: Spend): boolean {
  return card !== null && card.total !== null
}

/** How it counts where spends are counted: a purchase is one, however often more is asked for. */
export function countOf(spend: Spend): 0 | 1 {
  return isIncrement(spend) ? 0 : 1
}

/** What the whole purchase comes to. */
export function purchaseOf({ amount, card }: Spend): Micros {
  return card === null ? amount : (card.total ?? amount)
}

/** The most that may be added to what is already approved of the purchase, so that it is at most this. */
export function roomUpTo(most: Micros, spend: Spend): Micros {
  if (!isIncrement(spend)) return most
  const approved = purchaseOf(spend) - spend.amount
  return most > approved ? most - approved : 0n
}

/** The same spend with another amount. */
export function withAmount(spend: Spend, amount: Micros): Spend {
  const { card } = spend
  if (card === null || card.total === null) return { ...spend, amount }
  return { ...spend, amount, card: { ...card, total: card.total - spend.amount + amount } }
}

/**
 * The same spend with the largest amount up to this one that the card's currency can pay. Undefined
 * where it is all or nothing, or nothing is left.
 */
export function partOf(spend: Spend, most: Micros): Spend | undefined {
  const unit = spend.card?.partialUnit ?? null
  if (unit === null) return undefined
  const amount = most - (most % unit)
  return amount > 0n && amount < spend.amount ? withAmount(spend, amount) : undefined
}

/** A payee, and how the gateway knows about it. */
export interface KnownPayee extends Payee {
  readonly assurance: Assurance
  /** What speaks against it, as one sentence; null when nothing does. */
  readonly mismatch: string | null
}

/**
 * `payto_pinned`: the directory names it for this vendor. `gateway_observed`: the gateway heard it
 * from the vendor itself. `agent_claimed`: the agent says so, but somebody else may have told the
 * agent.
 */
export type Assurance = 'payto_pinned' | 'gateway_observed' | 'agent_claimed'
