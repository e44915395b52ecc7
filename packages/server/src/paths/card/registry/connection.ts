import type { Micros } from '../../../core/money.ts'
import type { Instant } from '../../../core/time/instant.ts'
import type { Provider } from '../issuers/issuer.ts'

export const CONNECTION_STATUSES = ['active', 'disabled', 'removed'] as const
export type ConnectionStatus = (typeof CONNECTION_STATUSES)[number]

/** How an issuer reaches us, and what is done with what it asks. */
export interface CardConnection {
  readonly id: string
  readonly provider: Provider
  readonly name: string
  readonly livemode: boolean
  /** Disabled: every authorization is declined. Events are still taken, because money has moved. Removed: nothing leads to it any more. */
  readonly status: ConnectionStatus
  /** What is said at the deadline where nothing could be decided. */
  readonly failMode: 'closed' | 'open'
  /** Up to which amount an open failure approves; null only where failures are closed. */
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
  /** As `actorText` shows it; null if it was not kept. */
  readonly updatedBy: string | null
}

/** Issuers sign what they ask and what they tell with two different secrets. */
export const SECRET_KINDS = ['authorization', 'events'] as const
export type SecretKind = (typeof SECRET_KINDS)[number]

/** What may be known of a secret. */
export interface SecretNote {
  /** How it ends; null where none is set. */
  readonly hint: string | null
  /** Until when the value before is accepted as well. */
  readonly previousUntil: Instant | null
}

/** A connection with what its issuer signs with. */
export interface OpenedConnection extends CardConnection {
  readonly organizationId: string
  /** All that are accepted, the current one first; empty where none is set. */
  readonly secrets: Readonly<Record<SecretKind, readonly string[]>>
}

/** How many active connections an organization can have. Each issuer and program takes one. */
export const CONNECTIONS_MAX = 100
