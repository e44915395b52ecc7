import type { Micros } from '../../../core/money.ts'
import type { Instant } from '../../../core/time/instant.ts'

/**
 * One version of a checkout protocol: the meaning of its messages. It only translates, so that a
 * different protocol can be added as a further file.
 */
export interface CheckoutVersion {
  /** The version name in the merchant's directory entry and in the `API-Version` header. */
  readonly name: string
  /** Reads a session from the merchant's answer. */
  readSession(body: unknown): Session | Unreadable
  /** Builds the body that completes a session with this token. */
  completionOf(session: Session, payment: CompletionPayment): object
  /**
   * Reads the outcome from the answer to a completion, or from a later read of the session.
   * `retryAfter` is the header of that name.
   */
  readOutcome(status: number, body: unknown, retryAfter?: string): CompletionOutcome
}

/** A session that cannot be read with certainty is not paid. */
export interface Unreadable {
  /** A sentence of ours, without any text of the merchant. */
  readonly unreadable: string
}

/**
 * A checkout session in the form that all versions share. Texts are the merchant's, in limited
 * length.
 */
export interface Session {
  readonly id: string
  readonly status: SessionStatus
  /** The ISO 4217 code, in upper case. */
  readonly currency: string
  /** The only entry of the totals with the type `total`. */
  readonly total: Micros
  /** The same in minor units, the unit of a token's limit. */
  readonly totalMinor: number
  readonly totals: readonly SessionTotal[]
  readonly lines: readonly SessionLine[]
  readonly handlers: readonly SessionHandler[]
  /** Whether the session names no way to pay. */
  readonly isWithoutHandlers: boolean
  /** The earliest of its end times. */
  readonly expiresAt: Instant | null
  readonly continueUrl: string | null
  /** The data for the payer's authentication, unchanged. Null if none is required. */
  readonly authentication: object | null
  readonly order: SessionOrder | null
  /** Codes of the merchant's error messages, such as payment_declined. */
  readonly errors: readonly string[]
  /** Whether the merchant says that the price has changed. */
  readonly hasPriceChange: boolean
  /** A hash of everything that must not change between the first read and the payment. */
  readonly fingerprint: string
}

export type SessionStatus =
  | 'not_ready'
  | 'ready_for_payment'
  | 'authentication_required'
  | 'requires_escalation'
  | 'in_progress'
  | 'completed'
  | 'canceled'
  | 'expired'

export interface SessionTotal {
  readonly type: string
  readonly amount: Micros
}

export interface SessionLine {
  readonly id: string
  readonly itemId: string
  readonly name: string | null
  readonly quantity: number
  readonly amount: Micros | null
  readonly category: string | null
}

/** A way to pay that the merchant offers. */
export interface SessionHandler {
  readonly id: string
  readonly name: string
  readonly psp: string
  /** The payee by the merchant's statement. It must be one that the directory allows. */
  readonly merchantId: string | null
  readonly needsDelegatedToken: boolean
  readonly needsCardData: boolean
  /** True for gift cards, points and store credit of the seller. */
  readonly isSellerBacked: boolean
}

/** The ways to pay of a session. */
export type ReadHandlers = Pick<Session, 'handlers' | 'isWithoutHandlers'>

export interface SessionOrder {
  readonly id: string
  readonly permalinkUrl: string | null
  readonly status: string | null
}

export interface CompletionPayment {
  readonly handlerId: string | null
  readonly psp: string
  readonly token: string
  readonly credentialType: string
  readonly buyer: object | null
  readonly billingAddress: object | null
  /** The result of the payer's authentication, as received from the agent. */
  readonly authenticationResult: object | null
}

/**
 * The outcome of a completion request. Only `declined` proves that this request moved no money. It
 * proves nothing about an earlier request: a token that was charged then is declined now.
 */
export type CompletionOutcome =
  | { readonly kind: 'completed'; readonly session: Session }
  | {
      readonly kind: 'declined'
      readonly code: string
      readonly retryable: boolean
      /** Whether the merchant shows the session as unpaid. Otherwise it has refused the request. */
      readonly isShown: boolean
    }
  | { readonly kind: 'authentication'; readonly session: Session | null }
  | { readonly kind: 'in_progress' }
  /** The merchant is still processing the first request with this key. */
  | { readonly kind: 'in_flight'; readonly retryAfterMs: number }
  | { readonly kind: 'unknown'; readonly why: string }
