import type { Micros } from '../../../core/money.ts'
import type { Instant } from '../../../core/time/instant.ts'
import type { Fact, RequestFact } from '../ledger/facts.ts'
import type { Merchant } from '../mapping/merchant.ts'
import type { SignedBytes, Verify } from './signatures.ts'
import type { IssuerTrigger } from './trigger.ts'

/**
 * What an issuer's protocol is: which bytes mean what. It translates and nothing else: it asks no
 * database, and knows no mandate. A further issuer is one file beside the others, and its line in
 * `index.ts`.
 */
export interface Issuer {
  /** Its name in the API and in addresses: lowercase letters, digits and underscores. */
  readonly provider: Provider
  /** Its name as people write it. */
  readonly title: string
  /** The end of the address for its requests: /ingest/<provider>/<token>/<asks>. */
  readonly asks: string
  /** How its requests prove where they come from. Both doors have the same scheme and two secrets. */
  readonly verify: Verify
  /** By when it must have our answer, in milliseconds, unless the connection says otherwise. */
  readonly deadlineMs: number
  /**
   * What it asks before it approves. Throws nothing: what cannot be read is `malformed`. Bodies of some
   * issuers do not say which message they are and when it was sent; the signed headers do.
   */
  readRequest(body: unknown, header: SignedBytes['header']): CardRequest | Unread
  /** What it tells afterwards. */
  readEvent(body: unknown, header: SignedBytes['header']): CardEvent | Unread
  /** The body of an answer, the same bytes for the same verdict. */
  answer(verdict: CardVerdict, request: CardRequest | Unread): IssuerAnswer
  /** Why a text cannot be one of its secrets. Absent: the issuer's secrets have no form to check. */
  whyNoSecret?(secret: string): string | undefined
  /** How `purser trigger card` plays it. */
  readonly trigger: IssuerTrigger
}

/** The name of an issuer, or `generic`. The schema of a connection checks it. */
export type Provider = string

export type CardState = 'active' | 'paused' | 'closed'

/**
 * `malformed`: it should be one of those we know, and cannot be read. `other`: something that is not
 * for us.
 */
export interface Unread {
  readonly unread: 'malformed' | 'other'
  /** One sentence for the log and the health of the connection; never with anything of the payload. */
  readonly why: string
  /** What an answer must echo, as far as it can be read. */
  readonly echo?: string
}

/** An issuer asks whether a card may be charged. */
export interface CardRequest {
  readonly kind: 'request'
  /** Unique within the connection: a repeat has the same. */
  readonly requestId: string
  readonly authorizationId: string
  /** Its place among the requests of the authorization; null where the issuer does not count them. */
  readonly index: number | null
  readonly isLive: boolean | null
  /**
   * `verification`: nothing is to be held (amount 0). `credit`: money comes back, or is only asked
   * about; nothing is judged, and it is approved where the card is known and not closed.
   * `single_message`: authorization and capture in one.
   */
  readonly type: 'authorization' | 'verification' | 'single_message' | 'credit'
  readonly card: IssuerCard
  /** What is asked for in addition to what was approved before, in the card's currency. */
  readonly amount: Micros
  /** What all requests come to, where the issuer says so; the difference counts then. */
  readonly total: Micros | null
  readonly currency: string
  readonly merchantAmount: Micros | null
  readonly merchantCurrency: string | null
  readonly merchant: CardMerchant
  readonly initiator: 'cardholder' | 'merchant' | 'unknown'
  /** Whether less than the amount may be approved. */
  readonly partialSupported: boolean
  /** By the issuer's clock. */
  readonly at: Instant
  /** What an answer must echo. */
  readonly echo: string | null
}

/** As the issuer names the card. Never a number, never a holder. */
export interface IssuerCard {
  readonly externalId: string
  readonly last4: string | null
  /** What its issuer's own word for its state means; null where it says none, or one that we do not know. */
  readonly state: CardState | null
}

/** What is kept of a merchant. */
export interface CardMerchant extends Merchant {
  readonly mcc: string | null
  /** Two letters. */
  readonly country: string | null
}

/** An issuer tells what became of an authorization, or of a card. */
export interface CardEvent {
  readonly kind: 'event'
  readonly eventId: string
  readonly isLive: boolean | null
  readonly at: Instant
  /** The issuer's time was too far ahead, so `at` is that of the receipt. */
  readonly isSetBack?: true
  /**
   * Null: money that belongs to no authorization. Each of its captures is then an authorization of
   * its own, named by the capture's id; a refund gives no budget back, and is only kept.
   */
  readonly authorizationId: string | null
  /**
   * Where the authorization is not named, but a capture or refund of it is: the id of that fact. Such
   * is a dispute about a transaction.
   */
  readonly ofTransaction: string | null
  readonly card: IssuerCard | null
  readonly currency: string | null
  readonly merchant: CardMerchant | null
  /** What it adds to what is known. A request is never among them: those are ours. Money that names no currency is in the event's. */
  readonly facts: readonly Exclude<Fact, RequestFact>[]
  /** The card was told to be in another state. */
  readonly cardStatus: CardState | null
  /** Whether the issuer says that it decided without us because we were silent. */
  readonly decidedWithoutUs: 'timeout' | 'error' | null
}

/** What is answered, in our words. */
export interface CardVerdict {
  readonly isApproved: boolean
  /** Our code: of the decision, or `card_unknown`, `malformed_request`. */
  readonly code: string
  /** In micros; less than asked for on a partial approval. */
  readonly approvedAmount: Micros
  readonly currency: string | null
  readonly isPartial: boolean
  /** As the API names it; null where there is no transaction. */
  readonly transactionId: string | null
}

export interface IssuerAnswer {
  readonly status: number
  readonly headers: Readonly<Record<string, string>>
  /** JSON, as it is sent. */
  readonly body: string
}
