import type { Micros } from '../../../core/money.ts'
import type { Instant } from '../../../core/time/instant.ts'
import type { Fact, RequestFact } from '../ledger/facts.ts'
import type { Merchant } from '../mapping/merchant.ts'
import type { SignedBytes, Verify } from './signatures.ts'
import type { IssuerTrigger } from './trigger.ts'

/**
 * An issuer's protocol. It only translates bytes: it reads no database, and knows no mandate. A new
 * issuer is one more file beside the others.
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
  /** The deadline for our answer, in milliseconds, unless the connection has its own. */
  readonly deadlineMs: number
  /**
   * Reads an authorization request. It never throws: an unreadable one is `malformed`. Some issuers'
   * bodies contain neither the kind of the message nor the time of sending; the signed headers do.
   */
  readRequest(body: unknown, header: SignedBytes['header']): CardRequest | Unread
  /** Reads an event. */
  readEvent(body: unknown, header: SignedBytes['header']): CardEvent | Unread
  /** The body of an answer; the same verdict gives the same bytes. */
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
 * `malformed`: it should be one of the known messages, and cannot be read. `other`: a message that is
 * not for us.
 */
export interface Unread {
  readonly unread: 'malformed' | 'other'
  /**
   * One sentence for the log and the health of the connection; never with any content of the payload.
   */
  readonly why: string
  /** The value that an answer must echo, if it can be read. */
  readonly echo?: string
}

/** An issuer's request to charge a card. */
export interface CardRequest {
  readonly kind: 'request'
  /** Unique within the connection: a retry has the same id. */
  readonly requestId: string
  readonly authorizationId: string
  /** Its position among the requests of the authorization; null if the issuer does not count them. */
  readonly index: number | null
  readonly isLive: boolean | null
  /**
   * `verification`: nothing is held (amount 0). `credit`: money comes back, or the issuer only
   * inquires; nothing is judged, and it is approved if the card is known and neither paused nor
   * closed. `single_message`: authorization and capture in one.
   */
  readonly type: 'authorization' | 'verification' | 'single_message' | 'credit'
  readonly card: IssuerCard
  /** The requested amount in addition to earlier approvals, in the card's currency. */
  readonly amount: Micros
  /** The total of all requests, if the issuer sends it; then the difference counts. */
  readonly total: Micros | null
  readonly currency: string
  readonly merchantAmount: Micros | null
  readonly merchantCurrency: string | null
  readonly merchant: CardMerchant
  readonly initiator: 'cardholder' | 'merchant' | 'unknown'
  /** Whether a partial approval is possible. */
  readonly partialSupported: boolean
  /** The time by the issuer's clock. */
  readonly at: Instant
  /** The value that an answer must echo. */
  readonly echo: string | null
}

/** The issuer's name of the card. Never a card number, never a card holder. */
export interface IssuerCard {
  readonly externalId: string
  readonly last4: string | null
  /** The meaning of the issuer's word for the card's state; null if it is missing or unknown. */
  readonly state: CardState | null
}

/** The stored data of a merchant. */
export interface CardMerchant extends Merchant {
  readonly mcc: string | null
  /** Two letters (ISO 3166-1). */
  readonly country: string | null
}

/** An issuer's event about an authorization or a card. */
export interface CardEvent {
  readonly kind: 'event'
  readonly eventId: string
  readonly isLive: boolean | null
  readonly at: Instant
  /** The issuer's time was too far ahead, so `at` is the time of receipt. */
  readonly isSetBack?: true
  /**
   * Null: money that belongs to no authorization. Each of its captures is then an authorization of its
   * own, named by the capture's id. A refund restores no budget, and is only stored.
   */
  readonly authorizationId: string | null
  /**
   * The id of a capture or refund, if the event names that instead of the authorization, as a dispute
   * about a transaction does.
   */
  readonly ofTransaction: string | null
  readonly card: IssuerCard | null
  readonly currency: string | null
  readonly merchant: CardMerchant | null
  /**
   * The facts that the event adds. A request is never among them: those are ours. Money without a
   * currency is in the event's currency.
   */
  readonly facts: readonly Exclude<Fact, RequestFact>[]
  /** The new state of the card. */
  readonly cardStatus: CardState | null
  /** Whether the issuer decided without us, because our answer was missing or unusable. */
  readonly decidedWithoutUs: 'timeout' | 'error' | null
}

/** The answer, in our own terms. */
export interface CardVerdict {
  readonly isApproved: boolean
  /** Our code: of the decision, or `card_unknown`, `malformed_request`. */
  readonly code: string
  /** The amount in micros; less than requested for a partial approval. */
  readonly approvedAmount: Micros
  readonly currency: string | null
  readonly isPartial: boolean
  /** The API's id; null if there is no transaction. */
  readonly transactionId: string | null
}

export interface IssuerAnswer {
  readonly status: number
  readonly headers: Readonly<Record<string, string>>
  /** JSON, as it is sent. */
  readonly body: string
}
