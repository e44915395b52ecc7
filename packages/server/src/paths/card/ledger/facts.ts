import type { Micros } from '../../../core/money.ts'
import type { Instant } from '../../../core/time/instant.ts'

/**
 * What is known of an authorization. Facts are only ever added, each once by its kind and id, and
 * nothing depends on the order in which they came: issuers send events late, twice and out of order.
 */
export type Fact =
  | RequestFact
  | SnapshotFact
  | ReleaseFact
  | CaptureFact
  | RefundFact
  | ForeignFact
  | ConvertedFact

/** In which currency the issuer told it. Absent in facts of an older version. */
interface Told {
  readonly currency?: string
}

/** The issuer asked, and we decided: the first time, or for more. */
export interface RequestFact {
  readonly kind: 'request'
  readonly id: string
  /** When the issuer asked, by its own clock. */
  readonly at: Instant
  /** Its place among the requests of this authorization, as the issuer counts them; else in order of time. */
  readonly index: number | null
  /** What was approved, in addition to what was approved before. */
  readonly amount: Micros
  readonly isApproved: boolean
  readonly transactionId: string
  /** Approved without being judged, because the connection fails open. */
  readonly isUnjudged?: true
}

/** How the issuer sees the authorization as a whole. */
export interface SnapshotFact extends Told {
  readonly kind: 'snapshot'
  readonly id: string
  /** By the issuer's clock. */
  readonly at: Instant
  readonly isApproved: boolean
  /**
   * `lapsed`: nobody told us, but its time was over long ago. `by_hand`: the organization ended it,
   * because the issuer was silent. Anything that the issuer says later counts.
   */
  readonly status: 'pending' | 'closed' | 'reversed' | 'expired' | 'lapsed' | 'by_hand'
  /** What may be captured in all; null where the issuer does not say, and nothing changes. */
  readonly amount: Micros | null
  /** How many requests it includes; null: those that came before it by the issuer's clock. */
  readonly covers: number | null
  /** The request that it confirms, where the issuer names it: it includes that one and those before. */
  readonly ofRequest?: string
  /** The ids of the captures that it includes: they have left `amount` already. */
  readonly captures: readonly string[]
}

/** A part of what was approved is given up, for issuers that do not say what is left. */
export interface ReleaseFact extends Told {
  readonly kind: 'release'
  readonly id: string
  readonly at: Instant
  readonly amount: Micros
}

/** Money was taken. */
export interface CaptureFact extends Told {
  readonly kind: 'capture'
  readonly id: string
  readonly at: Instant
  readonly amount: Micros
}

/** Money came back: below zero, it was taken again. */
export interface RefundFact extends Told {
  readonly kind: 'refund'
  readonly id: string
  readonly at: Instant
  readonly cause: 'merchant' | 'dispute'
  readonly amount: Micros
}

/** Money in another currency than that of the authorization, as it was told. */
export interface ForeignFact {
  readonly kind: 'foreign'
  readonly id: string
  readonly at: Instant
  readonly of: 'capture' | 'refund' | 'release'
  /** As the issuer names the money. */
  readonly moneyId: string
  readonly amount: Micros
  readonly currency: string
}

/** What a capture in another currency came to, as a person of the organization says. */
export interface ConvertedFact {
  readonly kind: 'converted'
  /** As the issuer names the capture. */
  readonly id: string
  readonly at: Instant
  readonly amount: Micros
}
