import { formatMoney } from '../money.ts'
import { shortId } from '../text.ts'

/** A part of a sentence: plain words, the name of a thing, or words that a person wrote. */
export type Piece = string | { readonly strong: string } | { readonly quote: string }

/** The subject of a leaf, for its icon. */
export type LeafIcon =
  | ('spent' | 'rejected' | 'held' | 'back' | 'warning' | 'person' | 'edit' | 'agent' | 'mandate')
  | ('key' | 'vendor' | 'wallet' | 'card' | 'webhook' | 'members' | 'sign_in' | 'log' | 'paused')
  | ('resumed' | 'removed' | 'organization')

/** The end of a sentence that begins with the name of the actor. */
export interface Told {
  readonly what: readonly Piece[]
  readonly icon: LeafIcon
  /** The actor, where it is not the one of the leaf. */
  readonly who?: string
}

/** A spend that a leaf refers to by the id of its transaction or approval. */
export interface LeafSpend {
  readonly amount: number
  readonly currency: string | null
  readonly vendor: string
  readonly agentId: string | null
}

/** The names that are not in the leaf itself. */
export interface LeafNames {
  /** The current name of the object with this id. */
  readonly nameOf: (id: string) => string | undefined
  readonly spendOf: (id: string) => LeafSpend | undefined
  /** The currency of a mandate. */
  readonly currencyOf: (mandateId: string) => string | undefined
  readonly timezone: string
}

export type Fields = Readonly<Record<string, unknown>>

/** A change record: an action of a person, a key or the operator. */
export interface ChangeLeaf {
  readonly kind: string
  readonly subject: string
  readonly before: Fields
  readonly after: Fields
}

export type ChangeTeller = (leaf: ChangeLeaf, names: LeafNames) => Told

/** The fields of an unknown value; none if it is no object. */
export function fieldsOf(value: unknown): Fields {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
    ? (value as Fields)
    : {}
}

export function textOf(value: unknown): string | undefined {
  return typeof value === 'string' && value !== '' ? value : undefined
}

export function numberOf(value: unknown): number | undefined {
  return typeof value === 'number' ? value : undefined
}

/** Millionths of the currency, written as digits, in units of it. */
export function unitsOf(micros: unknown): number | undefined {
  const text = textOf(micros)
  return text === undefined ? undefined : Number(text) / 1_000_000
}

/** "480.00 USD at snowflake.com". */
export function spendWords(spend: LeafSpend): string {
  return `${formatMoney(spend.amount, spend.currency)} at ${spend.vendor}`
}

/** The name of a thing: from the leaf, else the current one, else its id. */
export function named(id: string, names: LeafNames, told?: unknown): Piece {
  return { strong: textOf(told) ?? names.nameOf(id) ?? shortId(id) }
}

/** The comment of a person, after a colon. */
export function commented(comment: unknown): readonly Piece[] {
  const text = textOf(comment)
  return text === undefined ? [] : [': ', { quote: text }]
}

/** The sentence as plain text, for titles and screen readers. */
export function plainText(pieces: readonly Piece[]): string {
  return pieces
    .map((piece) => {
      if (typeof piece === 'string') return piece
      return 'quote' in piece ? `“${piece.quote}”` : piece.strong
    })
    .join('')
}
