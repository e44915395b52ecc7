import type { Micros } from '../../../core/money.ts'
import type { Instant } from '../../../core/time/instant.ts'

/**
 * One version of a checkout protocol: which bytes mean what. It translates and nothing else, so that
 * another protocol can come as a further file beside these.
 */
export interface CheckoutVersion {
  /** As the merchant's entry names it, and as `API-Version` is sent. */
  readonly name: string
  /** A session as the merchant shows it. */
  readSession(body: unknown): Session | Unreadable
  /** The body that completes a session with this token. */
  completionOf(session: Session, payment: CompletionPayment): object
  /**
   * What a merchant answered to a completion, or shows of a session later. `retryAfter` is the
   * header of that name.
   */
  readOutcome(status: number, body: unknown, retryAfter?: string): CompletionOutcome
}

/** Nothing is paid for what cannot be read for certain. */
export interface Unreadable {
  /** One sentence of ours, without anything that the merchant wrote. */
  readonly unreadable: string
}

/** A checkout session in the form that all versions share. Texts are the merchant's own, bounded. */
export interface Session {
  readonly id: string
  readonly status: SessionStatus
  /** In upper case. */
  readonly currency: string
  /** The only entry of the totals that is called total. */
  readonly total: Micros
  /** The same as an integer of the currency's minor unit, as tokens are capped. */
  readonly totalMinor: number
  readonly totals: readonly SessionTotal[]
  readonly lines: readonly SessionLine[]
  readonly handlers: readonly SessionHandler[]
  /** Whether it says nothing of how it can be paid. */
  readonly isWithoutHandlers: boolean
  /** The earliest of what it says about its end. */
  readonly expiresAt: Instant | null
  readonly continueUrl: string | null
  /** What authentication of the payer needs, as it came; null where nothing is asked. */
  readonly authentication: object | null
  readonly order: SessionOrder | null
  /** Codes of the merchant's error messages, such as payment_declined. */
  readonly errors: readonly string[]
  /** Whether the merchant says that the price has changed. */
  readonly hasPriceChange: boolean
  /** Of everything that must not change between the look and the payment. */
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
  /** Who is paid, as the merchant says; it must be one of those that the directory allows. */
  readonly merchantId: string | null
  readonly needsDelegatedToken: boolean
  readonly needsCardData: boolean
  /** Gift cards, points and credit of the seller. */
  readonly isSellerBacked: boolean
}

/** What a session says of the ways to pay. */
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
  /** The result of the payer's authentication, as the agent handed it over. */
  readonly authenticationResult: object | null
}

/**
 * What is known after a completion was asked for. Only `declined` says that this request moved no
 * money. It says nothing of an earlier one: a token that was charged then is declined now.
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
  /** The merchant works on the first request with this key. */
  | { readonly kind: 'in_flight'; readonly retryAfterMs: number }
  | { readonly kind: 'unknown'; readonly why: string }
