import type { Micros } from '../../../core/money.ts'
import type { Instant } from '../../../core/time/instant.ts'

/**
 * A fact about an authorization (ADR 37). Facts are only ever added, each once by its kind and id. The
 * result does not depend on the order of arrival: issuers send events late, twice and out of order.
 */
export type Fact =
  | RequestFact
  | SnapshotFact
  | ReleaseFact
  | CaptureFact
  | RefundFact
  | ForeignFact
  | ConvertedFact

/** The currency in the issuer's event. Facts of an older version do not have it. */
interface Told {
  readonly currency?: string
}

/** A request of the issuer and our decision: the first one, or an increment. */
export interface RequestFact {
  readonly kind: 'request'
  readonly id: string
  /** The time of the request, by the issuer's clock. */
  readonly at: Instant
  /**
   * The position among the requests of this authorization, if the issuer counts them; null means by
   * time.
   */
  readonly index: number | null
  /** The approved amount, in addition to earlier approvals. */
  readonly amount: Micros
  readonly isApproved: boolean
  readonly transactionId: string
  /** Approved without being judged, because the connection fails open. */
  readonly isUnjudged?: true
}

/** The issuer's view of the authorization as a whole. */
export interface SnapshotFact extends Told {
  readonly kind: 'snapshot'
  readonly id: string
  /** The time by the issuer's clock. */
  readonly at: Instant
  readonly isApproved: boolean
  /**
   * `lapsed`: no event ended the hold, but it is long overdue. `by_hand`: a person of the organization
   * ended it, because the issuer was silent. Later events of the issuer still count.
   */
  readonly status: 'pending' | 'closed' | 'reversed' | 'expired' | 'lapsed' | 'by_hand'
  /**
   * The total amount that may be captured. Null if the issuer does not give it; then the amount stays.
   */
  readonly amount: Micros | null
  /** The number of requests that it includes. Null: those before it by the issuer's clock. */
  readonly covers: number | null
  /**
   * The request that it confirms, if the issuer names it: the snapshot includes that one and earlier
   * ones.
   */
  readonly ofRequest?: string
  /** The ids of the captures that it includes: `amount` no longer contains them. */
  readonly captures: readonly string[]
}

/** A part of the approved amount is released. For issuers that do not send the remaining amount. */
export interface ReleaseFact extends Told {
  readonly kind: 'release'
  readonly id: string
  readonly at: Instant
  readonly amount: Micros
}

/** The merchant took money. */
export interface CaptureFact extends Told {
  readonly kind: 'capture'
  readonly id: string
  readonly at: Instant
  readonly amount: Micros
}

/** Money came back. A negative amount reverses a refund. */
export interface RefundFact extends Told {
  readonly kind: 'refund'
  readonly id: string
  readonly at: Instant
  readonly cause: 'merchant' | 'dispute'
  readonly amount: Micros
}

/** Money in a currency other than that of the authorization, as the issuer reported it. */
export interface ForeignFact {
  readonly kind: 'foreign'
  readonly id: string
  readonly at: Instant
  readonly of: 'capture' | 'refund' | 'release'
  /** The issuer's id of the money. */
  readonly moneyId: string
  readonly amount: Micros
  readonly currency: string
}

/** The amount of a capture in another currency, converted by a person of the organization. */
export interface ConvertedFact {
  readonly kind: 'converted'
  /** The issuer's id of the capture. */
  readonly id: string
  readonly at: Instant
  readonly amount: Micros
}
