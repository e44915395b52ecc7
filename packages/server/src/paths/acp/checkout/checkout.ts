import type { Micros } from '../../../core/money.ts'
import type { Instant } from '../../../core/time/instant.ts'
import type { Spender } from '../../../storage/spending-stops.ts'
import type { SessionOrder } from '../versions/version.ts'

/**
 * The states of a checkout. Each is stored before the call that follows from it (ADR 40):
 *
 *     held → minting → minted → completing → completed → settled
 *               └ handed          ├ authenticating ┐
 *                                 └ unknown ───────┴→ closing → released
 *
 * `handed`: the agent has the token, and completes the session itself. `closing`: nothing will be
 * bought, and the next steps verify that nothing was. `completed`: the payment is booked, and the
 * rest of the token's amount is held until the token is revoked. Only `settled` and `released` are
 * ends.
 */
export type CheckoutState =
  | 'held'
  | 'minting'
  | 'minted'
  | 'completing'
  | 'authenticating'
  | 'unknown'
  | 'handed'
  | 'closing'
  | 'completed'
  | 'settled'
  | 'released'

/** `managed`: the gateway completes the session. `delegated`: the agent gets the token. */
export type CheckoutMode = 'managed' | 'delegated'

export interface CheckoutKey {
  readonly organizationId: string
  /** The id of its transaction. */
  readonly id: string
}

/** A checkout that a decision allowed, and its progress. */
export interface AcpCheckout extends CheckoutKey {
  readonly mode: CheckoutMode
  readonly state: CheckoutState
  /** Grows with every change, so that no process continues with an outdated checkout. */
  readonly step: number
  readonly agentId: string
  readonly mandateId: string | null
  /** The API key or the member that last continued the checkout. */
  readonly askedBy: Spender['askedBy']
  readonly vendorId: string
  /** The host of the vendor. */
  readonly vendor: string
  readonly sessionId: string
  readonly version: string
  readonly merchantId: string
  readonly handlerId: string | null
  readonly psp: string
  readonly instrumentId: string
  /** The ISO 4217 code, in upper case. */
  readonly currency: string
  /** The judged amount, which is also the limit of the token. */
  readonly maxMinor: number
  readonly tokenEndsAt: Instant
  readonly fingerprint: string
  readonly totals: readonly ShownTotal[]
  readonly lineItems: readonly ShownLine[]
  /** The sealed secrets. Null once they are no longer needed. */
  readonly sealed: Buffer | null
  /** A hash of the token. It is kept after the token is removed. */
  readonly tokenDigest: Buffer | null
  /**
   * The number of different completion bodies sent to the merchant. 1 once the agent has the token.
   */
  readonly completions: number
  /** Whether the merchant has said that nothing was paid. */
  readonly isDenied: boolean
  /**
   * Whether the merchant has shown the session as completed with a total that proves nothing. Its
   * later statements release nothing.
   */
  readonly isDoubtful: boolean
  readonly order: SessionOrder | null
  readonly failure: Failure | null
  readonly authentication: Authentication | null
  readonly resumed: Resumed | null
  /** The refund of each order adjustment, in micros. */
  readonly refunds: Readonly<Record<string, string>>
  /** Digests of the received order events, oldest first. */
  readonly heard: readonly string[]
  /** The booked part of the refunds. */
  readonly refunded: Micros
  /** The time limit for the payer's authentication. */
  readonly waitsUntil: Instant | null
  readonly checks: number
  /** The time of the next check. Null once the checkout has ended. */
  readonly nextCheckAt: Instant | null
  readonly createdAt: Instant
}

/** A total in major units, as answers show it. */
export interface ShownTotal {
  readonly type: string
  readonly amount: number
}

export interface ShownLine {
  readonly id: string
  readonly itemId: string
  readonly name: string | null
  readonly quantity: number
  readonly amount: number | null
}

/** The reason why nothing was bought. */
export interface Failure {
  readonly code: string
  readonly retryable: boolean
  /** The time until which the hold stays in any case, as a timestamp of answers. */
  readonly heldUntil?: string
}

/** The authentication that the payer has to complete, and its URL. */
export interface Authentication {
  readonly metadata: object | null
  readonly continueUrl: string | null
}

/** The request that continued a checkout. */
export interface Resumed {
  readonly key: string
  readonly fingerprint: Buffer
}

/** The values that are stored sealed while a completion may have to be sent. */
export interface Secrets {
  readonly token: Token | null
  readonly buyer: object | null
  readonly billingAddress: object | null
  readonly authenticationResult: object | null
}

export interface Token {
  readonly id: string
  readonly credentialType: string
}

export function isEnded({ state }: Pick<AcpCheckout, 'state'>): boolean {
  return state === 'settled' || state === 'released'
}

/** Returns whether the token may have left the gateway. */
export function hasLeft({ completions }: Pick<AcpCheckout, 'completions'>): boolean {
  return completions > 0
}
