import type { EventKind } from './events/event.ts'
import type { Instant } from './time/instant.ts'

/** The most endpoints of an organization, the first one included. */
export const ENDPOINTS_MAX = 10

/** An endpoint is paused once every attempt has failed for this long: five days. */
export const FAILING_MAX_MS = 5 * 86_400_000

export type EndpointStatus = 'active' | 'paused'

/** What an endpoint is doing. While it is paused, its deliveries wait. */
export interface EndpointState {
  /** Whether a person has paused it. */
  readonly isPaused: boolean
  /** When it was paused, by a person or because every attempt failed; null while it is active. */
  readonly pausedAt: Instant | null
  /** The first failed attempt since the last one that succeeded; null if the last one succeeded. */
  readonly failingSince: Instant | null
}

/** A receiver of an organization's events. The id of the first one is the organization's. */
export interface WebhookEndpoint extends EndpointState {
  readonly id: string
  /** The whole URL. */
  readonly url: string
  /** Null means the kinds of the specification. */
  readonly events: readonly EventKind[] | null
  readonly secretHint: string
  readonly secretRotatedAt: Instant
  /** Until when the previous secret also signs; null if the last rotation gave it no time. */
  readonly previousSecretUntil: Instant | null
  /** Null for the first one, if it was not stored. */
  readonly createdAt: Instant | null
}

export const ACTIVE: EndpointState = { isPaused: false, pausedAt: null, failingSince: null }

export function statusOf({ pausedAt }: EndpointState): EndpointStatus {
  return pausedAt === null ? 'active' : 'paused'
}

/** Sets the status that a person asks for. A status that it already has changes nothing. */
export function withStatus(
  state: EndpointState,
  status: EndpointStatus,
  now: Instant,
): EndpointState {
  if (status === statusOf(state)) return state
  return status === 'active' ? ACTIVE : { ...state, isPaused: true, pausedAt: now }
}

/** A new URL begins without failures, unless a person has paused the endpoint. */
export function withNewUrl(state: EndpointState): EndpointState {
  return state.isPaused ? { ...state, failingSince: null } : ACTIVE
}
