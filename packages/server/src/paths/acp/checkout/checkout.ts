import type { Micros } from '../../../core/money.ts'
import type { Instant } from '../../../core/time/instant.ts'
import type { Spender } from '../../../storage/spending-stops.ts'
import type { SessionOrder } from '../versions/version.ts'

/**
 * The points that a checkout passes. Each is stored before the call that follows from it:
 *
 *     held → minting → minted → completing → completed → settled
 *               └ handed          ├ authenticating ┐
 *                                 └ unknown ───────┴→ closing → released
 *
 * `handed`: the agent was given the token, and completes the session itself. `closing`: nothing is to
 * be bought any more, and it has to be made certain that nothing was. `completed`: the money is booked,
 * and what the token is still worth is held until it was taken back. Only `settled` and `released` are ends.
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

/** `managed`: the gateway completes the session. `delegated`: the agent was given the token. */
export type CheckoutMode = 'managed' | 'delegated'

export interface CheckoutKey {
  readonly organizationId: string
  /** The id of its transaction. */
  readonly id: string
}

/** A checkout that a decision allowed, and how far it has come. */
export interface AcpCheckout extends CheckoutKey {
  readonly mode: CheckoutMode
  readonly state: CheckoutState
  /** Grows with every change, so that nobody goes on with what another one has changed. */
  readonly step: number
  readonly agentId: string
  readonly mandateId: string | null
  /** Whoever went on with it last: the key, or the member. */
  readonly askedBy: Spender['askedBy']
  readonly vendorId: string
  /** Its host. */
  readonly vendor: string
  readonly sessionId: string
  readonly version: string
  readonly merchantId: string
  readonly handlerId: string | null
  readonly psp: string
  readonly instrumentId: string
  /** In upper case. */
  readonly currency: string
  /** What was judged, and what the token is worth. */
  readonly maxMinor: number
  readonly tokenEndsAt: Instant
  readonly fingerprint: string
  readonly totals: readonly ShownTotal[]
  readonly lineItems: readonly ShownLine[]
  /** Sealed secrets; null once nobody needs them. */
  readonly sealed: Buffer | null
  /** A hash of its token, which outlasts the token. */
  readonly tokenDigest: Buffer | null
  /** How many different bodies the merchant was asked to complete it with; 1 once the agent has the token. */
  readonly completions: number
  /** Whether the merchant has said that nothing was paid. */
  readonly isDenied: boolean
  /**
   * Whether the merchant has shown it as completed with a total that proves nothing. What it says
   * afterwards gives nothing back.
   */
  readonly isDoubtful: boolean
  readonly order: SessionOrder | null
  readonly failure: Failure | null
  readonly authentication: Authentication | null
  readonly resumed: Resumed | null
  /** What came back by each adjustment of an order, in micros. */
  readonly refunds: Readonly<Record<string, string>>
  /** Digests of the order events that were heard, the oldest first. */
  readonly heard: readonly string[]
  /** What of the refunds is booked. */
  readonly refunded: Micros
  /** Until when the payer can prove something. */
  readonly waitsUntil: Instant | null
  readonly checks: number
  /** When somebody looks at it next; null once it has ended. */
  readonly nextCheckAt: Instant | null
  readonly createdAt: Instant
}

/** Amounts are in major units, as they are answered. */
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

/** Why nothing was bought. */
export interface Failure {
  readonly code: string
  readonly retryable: boolean
  /** As an answer writes it. Until then the hold stays, whatever anybody says. */
  readonly heldUntil?: string
}

/** What the payer has to prove, and where. */
export interface Authentication {
  readonly metadata: object | null
  readonly continueUrl: string | null
}

/** A request that went on with a checkout. */
export interface Resumed {
  readonly key: string
  readonly fingerprint: Buffer
}

/** What is stored sealed, for as long as a completion may have to be sent. */
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

/** Whether somebody outside of the gateway may have the token. */
export function hasLeft({ completions }: Pick<AcpCheckout, 'completions'>): boolean {
  return completions > 0
}
