import type { Micros } from '../../../core/money.ts'
import type { Instant } from '../../../core/time/instant.ts'
import type { Provider } from '../issuers/issuer.ts'

export const CONNECTION_STATUSES = ['active', 'disabled', 'removed'] as const
export type ConnectionStatus = (typeof CONNECTION_STATUSES)[number]

/** How an issuer reaches the gateway, and how the gateway answers it. */
export interface CardConnection {
  readonly id: string
  readonly provider: Provider
  readonly name: string
  readonly livemode: boolean
  /**
   * Disabled: every authorization is declined; events are still accepted, because money has moved.
   * Removed: no token or id leads to it any more.
   */
  readonly status: ConnectionStatus
  /** The answer at the deadline if there is no decision yet. */
  readonly failMode: 'closed' | 'open'
  /** The largest amount that is approved without judgement; null only if `failMode` is `closed`. */
  readonly failOpenMaxAmount: Micros | null
  readonly deadlineMs: number
  readonly partialApprovals: boolean
  readonly pauseOnOverCapture: boolean
  readonly authorizationSecret: SecretNote
  readonly eventsSecret: SecretNote
  readonly lastRequestAt: Instant | null
  readonly lastEventAt: Instant | null
  /** The first approval that no event followed. */
  readonly unheardSince: Instant | null
  readonly createdAt: Instant
  readonly updatedAt: Instant
  /** The text of `actorText`; null if it was not stored. */
  readonly updatedBy: string | null
}

/** Issuers sign authorization requests and events with two different secrets. */
export const SECRET_KINDS = ['authorization', 'events'] as const
export type SecretKind = (typeof SECRET_KINDS)[number]

/** The part of a secret that may be shown. */
export interface SecretNote {
  /** The last characters; null if no secret is set. */
  readonly hint: string | null
  /** The end of the overlap in which the previous secret is accepted too. */
  readonly previousUntil: Instant | null
}

/** A connection with the secrets of its issuer. */
export interface OpenedConnection extends CardConnection {
  readonly organizationId: string
  /** All accepted secrets, the current one first; empty if none is set. */
  readonly secrets: Readonly<Record<SecretKind, readonly string[]>>
}

/**
 * The number of active connections that an organization can have. Each issuer and program takes one.
 */
export const CONNECTIONS_MAX = 100
