// Written by `npm run generate` from openapi.json. Do not change it by hand.

import type { EventKind, Plan } from './common.ts'

/**
 * While an endpoint is `paused`, its deliveries wait; nothing is dropped. Setting `active` sends
 * them, oldest first.
 */
export type WebhookEndpointStatus = 'paused' | 'active'

/**
 * `requested`: a caller paused the endpoint. `failing`: the gateway paused it, because every
 * attempt failed for five days. Null while it is active.
 */
export type WebhookEndpointPausedReason = 'requested' | 'failing'

export interface WebhookEndpoint {
  /** The id of the endpoint. */
  readonly id: string
  /** The URL of your server that receives the events. */
  readonly url: string
  /** The kinds of events to send to this endpoint. Default: the first four kinds. */
  readonly events: readonly (EventKind | (string & {}))[]
  readonly status: WebhookEndpointStatus
  readonly pausedReason: WebhookEndpointPausedReason | null
  /** When the endpoint was paused (ISO 8601, UTC). Null while it is active. */
  readonly pausedAt: string | null
  /**
   * When the first attempt failed since the last one that succeeded (ISO 8601, UTC). Null if the
   * last attempt succeeded, or if there was none.
   */
  readonly failingSince: string | null
  /** The first characters of the endpoint's secret. */
  readonly secretHint: string
  /** When the secret was last rotated (ISO 8601, UTC). */
  readonly secretRotatedAt: string
  /**
   * Until when `webhook-signature` also has a signature with the previous secret (ISO 8601, UTC).
   * Null if only the current secret is used.
   */
  readonly previousSecretValidUntil: string | null
  /**
   * The secret of a new endpoint. Only the response that creates the endpoint shows it: store it
   * where your receiver can read it.
   */
  readonly secret?: string | undefined
}

/** How long data is kept. The gateway removes older data gradually; it cannot be restored. */
export interface Retention {
  /**
   * How many days transactions keep `evaluationDetails` and `metadata`. Null (default): forever.
   * The transactions themselves are never removed.
   */
  readonly detailsDays: number | null
  /**
   * How many days events, webhook deliveries and their attempts are kept. Default: 400. Null:
   * forever.
   */
  readonly eventsDays: number | null
}

/**
 * The token provider. `stripe`: payment tokens come from Stripe's API. `delegate_payment`: payment
 * tokens come from any provider that supports ACP's delegate payment API.
 */
export type InstrumentIssuer = 'stripe' | 'delegate_payment'

export interface Instrument {
  /** Your own id for the instrument. A checkout selects it with `instrumentId`. */
  readonly id: string
  /**
   * A name for people to read, 1 to 120 characters. Control characters, invisible characters (such
   * as U+200B or U+3164) and text-direction marks are not allowed. U+200C and U+200D are allowed
   * where a script needs them (between letters, U+200D after a virama, U+200C between Arabic
   * letters and digits), and U+200D also in emoji.
   */
  readonly label: string
  readonly issuer: InstrumentIssuer
  /** The token provider's id for the stored payment method. Never a card number. */
  readonly paymentMethod: string
  /**
   * The base URL of the token provider. Required for `delegate_payment`. For `stripe`, the default
   * is Stripe's API.
   */
  readonly baseUrl: string | null
  /** The agents that may pay with this instrument. Null or omitted: all agents. */
  readonly agentIds: readonly string[] | null
  /** The last characters of the credential. */
  readonly credentialHint: string
}

export interface OrganizationAcp {
  /** The organization's payment instruments for ACP checkouts. */
  readonly instruments: readonly Instrument[]
}

/**
 * The environment of the gateway, set by its operator. `development` and `demo` create keys that
 * begin with `psr_test_`, `production` keys that begin with `psr_live_`.
 */
export type Environment = 'development' | 'production' | 'demo'

export interface Organization {
  /** The id of the organization. */
  readonly id: string
  /**
   * A name for people to read, 1 to 120 characters. Control characters, invisible characters (such
   * as U+200B or U+3164) and text-direction marks are not allowed. U+200C and U+200D are allowed
   * where a script needs them (between letters, U+200D after a virama, U+200C between Arabic
   * letters and digits), and U+200D also in emoji.
   */
  readonly name: string
  readonly plan: Plan
  /** IANA time zone. Days, budget periods and calendar windows follow it. */
  readonly timezone: string
  /** ISO 4217 code, or USDC or EURC. */
  readonly currency: string
  /** The kill switch. While true, the gateway rejects every spend of every agent. */
  readonly frozen: boolean
  /**
   * When the organization was frozen (ISO 8601, UTC). Null if it is not, or if it was not stored.
   */
  readonly frozenAt: string | null
  /**
   * Who made the change: an API key (`key_…`), a member (`mem_…`), `cli` for an operator command,
   * or `system` for the gateway itself. Null if it was not recorded.
   */
  readonly frozenBy: string | null
  /** The name of the key or member that froze the organization. */
  readonly frozenByName: string | null
  /** The reason for freezing. Null if none was given. */
  readonly frozenReason: string | null
  /**
   * The URL of the first webhook endpoint: your server that receives webhook events. Null: there is
   * no such endpoint.
   */
  readonly webhookUrl: string | null
  /**
   * The kinds of events to send to the webhook URL. Default: the first four kinds. The event feed
   * always has these four; it has other kinds only while they are listed here.
   */
  readonly webhookEvents: readonly (EventKind | (string & {}))[]
  /**
   * All webhook endpoints. The first one has the URL in `webhookUrl`, and is absent while that is
   * null.
   */
  readonly webhookEndpoints: readonly WebhookEndpoint[]
  /**
   * Whether the gateway may call x402 vendors: to fetch resources for agents (mode `fetch`), and to
   * check with a vendor that a payment request is genuine. Default: false.
   */
  readonly x402Fetch: boolean
  /**
   * Whether a second person must decide on an approval request: the requesting member cannot. These
   * count as the requesting member: every key that the member created, directly or through other
   * keys; a member for whom they created an invitation or reset link after the request was opened;
   * and a member who used a reset link of theirs after that. A member who created a reset link for
   * the requesting member, less than 7 days before the request or after it, cannot decide either.
   * Nor can a key that no member created, directly or through other keys. Default: false. Only an
   * owner in a session can change it.
   */
  readonly requireFourEyes: boolean
  /**
   * To approve a request above this amount, a member must have entered the password within the last
   * five minutes. In units of the organization's currency; a request in a different currency always
   * needs the password. Null (default): no request needs it.
   */
  readonly approvalPasswordAbove: number | null
  /** The first characters of the webhook secret. */
  readonly webhookSecretHint: string
  /** When the webhook secret was last rotated (ISO 8601, UTC). */
  readonly webhookSecretRotatedAt: string
  /**
   * Until when `webhook-signature` also has a signature with the previous secret (ISO 8601, UTC).
   * Null if only the current secret is used.
   */
  readonly webhookPreviousSecretValidUntil: string | null
  /** How long data is kept. The gateway removes older data gradually; it cannot be restored. */
  readonly retention: Retention
  /** The organization's settings for ACP checkouts. */
  readonly acp: OrganizationAcp
  /** ISO 8601 timestamp in UTC. */
  readonly createdAt: string
  /** ISO 8601 timestamp in UTC. */
  readonly updatedAt: string
  /**
   * Who made the change: an API key (`key_…`), a member (`mem_…`), `cli` for an operator command,
   * or `system` for the gateway itself. Null if it was not recorded.
   */
  readonly updatedBy: string | null
  /**
   * The current or last name of that key or member. Null for `cli` and `system`, and for
   * agent-bound keys. Only in responses to GET.
   */
  readonly updatedByName?: string | null | undefined
  readonly environment: Environment
  /** The public origin of the gateway. Null if the operator has not set it. */
  readonly publicUrl: string | null
  /** The version of the gateway. */
  readonly version: string
  /**
   * The delays before the retries of a webhook delivery, in seconds. A delivery has one attempt
   * more than there are delays.
   */
  readonly webhookRetryDelays: readonly number[]
}

export interface WebhookEndpointInput {
  /** The id of the endpoint to change. Without it, a new endpoint is created. */
  readonly id?: string | undefined
  /** The URL of your server that receives the events. Required for a new endpoint. */
  readonly url?: string | undefined
  /** The kinds of events to send to this endpoint. Default: the first four kinds. */
  readonly events?: readonly EventKind[] | undefined
  readonly status?: WebhookEndpointStatus | undefined
}

export interface RetentionChange {
  /**
   * How many days transactions keep `evaluationDetails` and `metadata`. Null (default): forever.
   * The transactions themselves are never removed.
   */
  readonly detailsDays?: number | null | undefined
  /**
   * How many days events, webhook deliveries and their attempts are kept. Default: 400. Null:
   * forever.
   */
  readonly eventsDays?: number | null | undefined
}

export interface InstrumentInput {
  /** Your own id for the instrument. A checkout selects it with `instrumentId`. */
  readonly id: string
  /**
   * A name for people to read, 1 to 120 characters. Control characters, invisible characters (such
   * as U+200B or U+3164) and text-direction marks are not allowed. U+200C and U+200D are allowed
   * where a script needs them (between letters, U+200D after a virama, U+200C between Arabic
   * letters and digits), and U+200D also in emoji.
   */
  readonly label: string
  readonly issuer: InstrumentIssuer
  /** The token provider's id for the stored payment method. Never a card number. */
  readonly paymentMethod: string
  /**
   * The base URL of the token provider. Required for `delegate_payment`. For `stripe`, the default
   * is Stripe's API.
   */
  readonly baseUrl?: string | null | undefined
  /**
   * Your API key at the token provider. Stored encrypted and never shown again. If omitted, the
   * instrument with the same id keeps its stored key.
   */
  readonly credential?: string | undefined
  /** The agents that may pay with this instrument. Null or omitted: all agents. */
  readonly agentIds?: readonly string[] | null | undefined
}

export interface OrganizationAcpChange {
  /**
   * The organization's payment instruments for ACP checkouts. This list replaces the current one.
   * An agent's default is the first instrument that it may use.
   */
  readonly instruments: readonly InstrumentInput[]
}

export interface OrganizationChange {
  /**
   * A name for people to read, 1 to 120 characters. Control characters, invisible characters (such
   * as U+200B or U+3164) and text-direction marks are not allowed. U+200C and U+200D are allowed
   * where a script needs them (between letters, U+200D after a virama, U+200C between Arabic
   * letters and digits), and U+200D also in emoji.
   */
  readonly name?: string | undefined
  /** IANA time zone. Days, budget periods and calendar windows follow it. */
  readonly timezone?: string | undefined
  /** ISO 4217 code, or USDC or EURC. */
  readonly currency?: string | undefined
  /** The kill switch. While true, the gateway rejects every spend of every agent. */
  readonly frozen?: boolean | undefined
  /**
   * The URL of the first webhook endpoint: your server that receives webhook events. Null: there is
   * no such endpoint.
   */
  readonly webhookUrl?: string | null | undefined
  /**
   * The kinds of events to send to the webhook URL. Default: the first four kinds. The event feed
   * always has these four; it has other kinds only while they are listed here.
   */
  readonly webhookEvents?: readonly EventKind[] | undefined
  /**
   * The whole list of webhook endpoints, at most 10. An entry with an `id` changes that endpoint,
   * and omitted fields keep their values. An entry without one creates an endpoint, and the
   * response shows its secret. Endpoints that are not in the list are removed, and their waiting
   * deliveries become `canceled`. Cannot be combined with `webhookUrl` and `webhookEvents`, which
   * are the first endpoint.
   */
  readonly webhookEndpoints?: readonly WebhookEndpointInput[] | undefined
  /**
   * Whether the gateway may call x402 vendors: to fetch resources for agents (mode `fetch`), and to
   * check with a vendor that a payment request is genuine. Default: false.
   */
  readonly x402Fetch?: boolean | undefined
  /**
   * Whether a second person must decide on an approval request: the requesting member cannot. These
   * count as the requesting member: every key that the member created, directly or through other
   * keys; a member for whom they created an invitation or reset link after the request was opened;
   * and a member who used a reset link of theirs after that. A member who created a reset link for
   * the requesting member, less than 7 days before the request or after it, cannot decide either.
   * Nor can a key that no member created, directly or through other keys. Default: false. Only an
   * owner in a session can change it.
   */
  readonly requireFourEyes?: boolean | undefined
  /**
   * To approve a request above this amount, a member must have entered the password within the last
   * five minutes. In units of the organization's currency; a request in a different currency always
   * needs the password. Null (default): no request needs it.
   */
  readonly approvalPasswordAbove?: number | null | undefined
  /** How long data is kept. Omitted fields keep their values. */
  readonly retention?: RetentionChange | undefined
  /** The organization's settings for ACP checkouts. */
  readonly acp?: OrganizationAcpChange | undefined
  /**
   * The reason for freezing or resuming. Only allowed with `frozen`, at most 500 characters. The
   * audit log keeps it.
   */
  readonly reason?: string | undefined
  /**
   * The `updatedAt` that your change is based on (ISO 8601, UTC). If it is different now, the
   * response is 409 `changed_meanwhile`, which lists the changes, and nothing is changed. The
   * header If-Match does the same.
   */
  readonly expectedUpdatedAt?: string | undefined
}

export interface PlanUsage {
  /** The current usage. */
  readonly used: number
  /** The plan's limit. Null: unlimited. */
  readonly limit: number | null
}

export interface RequestRate {
  /** The limit per key. Null: unlimited. */
  readonly limit: number | null
}

export interface Usage {
  readonly plan: Plan
  /** The evaluations of the current month. */
  readonly evaluations: PlanUsage
  /** The agents of the organization. */
  readonly agents: PlanUsage
  /** The request rate. */
  readonly requestsPerMinute: RequestRate
  /** When the current month began (ISO 8601, UTC). */
  readonly periodStart: string
  /** When the monthly usage starts again at 0 (ISO 8601, UTC). */
  readonly resetsAt: string
}

export interface WebhookSecretRotation {
  /** The endpoint whose secret is rotated. Default: the first one. */
  readonly endpointId?: string | undefined
  /**
   * How many seconds `webhook-signature` also has a signature with the previous secret. Default: 0.
   * `X-Service-Signature` has only one signature and switches to the new secret at once.
   */
  readonly gracePeriodSeconds?: number | undefined
}

export interface RotatedWebhookSecret {
  /**
   * The new secret. Only this response shows it: store it where your webhook receiver can read it.
   */
  readonly webhookSecret: string
  /** The first characters of the webhook secret. */
  readonly webhookSecretHint: string
  /** When the secret was rotated (ISO 8601, UTC). */
  readonly webhookSecretRotatedAt: string
  /** Until when the previous secret is also used (ISO 8601, UTC). Null: it is no longer used. */
  readonly previousSecretValidUntil: string | null
}
