// Written by `npm run generate` from openapi.json. Do not change it by hand.

import type { ApprovedStatus, CardFlag, DecisionCode, EvaluationDetails } from './common.ts'

/**
 * `initial`: the first request for a purchase. `incremental`: raises an authorization that was
 * approved before. `verification`: checks the card; nothing is held. `single_message`: an approved
 * amount is captured at once. `refund` and `balance_inquiry`: approved unless the card is paused or
 * closed; not judged and not recorded.
 */
export type CardAuthorizationType =
  | 'initial'
  | 'incremental'
  | 'verification'
  | 'refund'
  | 'balance_inquiry'
  | 'single_message'

export interface CardReference {
  /** The issuer's id for the card. Never the card number. */
  readonly externalId: string
}

export interface CardMerchant {
  /** The merchant's name as it appears on the card statement. */
  readonly name: string
  /** The merchant id that the merchant's bank has assigned. */
  readonly id?: string | undefined
  /** The card network in which the merchant id is valid. */
  readonly network?: string | undefined
  /** The merchant category code (ISO 18245), four digits. */
  readonly mcc?: string | undefined
  /** The merchant's country, as an ISO 3166-1 code. */
  readonly country?: string | undefined
  /** The merchant's website. */
  readonly url?: string | undefined
}

/** Who started the purchase. Default: `unknown`. */
export type CardInitiator = 'cardholder' | 'merchant' | 'unknown'

export interface CardAuthorizeInput {
  /** The id of the connection. Its provider must be `generic`. */
  readonly connectionId: string
  /**
   * Your id for this request, unique within the connection. A repeat with the same
   * `authorizationId` gets the first response again, at any later time and whatever its other
   * fields contain.
   */
  readonly requestId: string
  /** The id of the purchase. All requests and events of one purchase share it. */
  readonly authorizationId: string
  readonly type: CardAuthorizationType
  /** The card that was used. */
  readonly card: CardReference
  /**
   * The requested amount in units of the currency, in addition to earlier approvals of this
   * authorization. Required, and more than 0, for `initial`, `incremental` and `single_message`.
   */
  readonly amount?: number | undefined
  /**
   * The total of all requests of this authorization, for issuers that send it. The gateway then
   * decides on the difference to the amount approved so far.
   */
  readonly totalAmount?: number | undefined
  /** The card's currency, as an ISO 4217 code. */
  readonly currency: string
  /** The amount in the merchant's currency. */
  readonly merchantAmount?: number | undefined
  /** The merchant's currency, as an ISO 4217 code. */
  readonly merchantCurrency?: string | undefined
  /** Whether the merchant accepts a partial approval. Default: false. */
  readonly partialApprovalSupported?: boolean | undefined
  /** The merchant that is paid. */
  readonly merchant: CardMerchant
  readonly initiator?: CardInitiator | undefined
  /**
   * When it happened by the issuer's clock (ISO 8601). If this time is more than five minutes in
   * the future, the gateway uses the time of receipt.
   */
  readonly occurredAt: string
}

/** The gateway approved the spend. */
export interface ApprovedCardDecision {
  /** The decision on the spend. */
  readonly decision: 'approved'
  /**
   * The budget that remains after the decision, in units of the currency: the smallest among the
   * mandate and its parents. An agent-bound key sees only the remaining budget of its own mandate.
   */
  readonly remainingBudget: number
  /**
   * The id of the transaction that records the decision. Null if no decision was recorded, for
   * example because the card is not registered or the database did not answer in time.
   */
  readonly transactionId: string
  /** How the gateway reached the decision. */
  readonly evaluationDetails: EvaluationDetails | null
  /** The id of the mandate that applied. */
  readonly mandateId: string | null
  /** The id of an agent. */
  readonly agentId: string
  /** Amount in units of the currency (12.5 means 12.50 USD). */
  readonly amount: number
  /** The host name of the vendor. */
  readonly vendor: string
  /** The category of the spend, such as `llm`. Null if it has none. */
  readonly category: string | null
  /** The ids of the rules that flagged the spend without blocking it. */
  readonly flags: readonly string[]
  readonly status: ApprovedStatus
  /** The reason: a decision code, or a code that only cards have, such as `card_unknown`. */
  readonly code: DecisionCode | (string & {})
  /**
   * The approved amount in units of the currency; 0 for a decline. A partial approval is less than
   * the requested amount.
   */
  readonly approvedAmount: number
  /** Whether the merchant may retry the same request. */
  readonly retryable: boolean
  /** The response code for the card network (ISO 8583, field 39). */
  readonly networkCode: string
}

/** The gateway rejected the spend. Nothing was taken from the budget. */
export interface RejectedCardDecision {
  /** The decision on the spend. */
  readonly decision: 'rejected'
  /**
   * The budget that remains after the decision, in units of the currency: the smallest among the
   * mandate and its parents. An agent-bound key sees only the remaining budget of its own mandate.
   */
  readonly remainingBudget: number
  /**
   * The id of the transaction that records the decision. Null if no decision was recorded, for
   * example because the card is not registered or the database did not answer in time.
   */
  readonly transactionId: string
  /** How the gateway reached the decision. */
  readonly evaluationDetails: EvaluationDetails | null
  /** The id of the mandate that applied. */
  readonly mandateId: string | null
  /** The id of an agent. */
  readonly agentId: string
  /** Amount in units of the currency (12.5 means 12.50 USD). */
  readonly amount: number
  /** The host name of the vendor. */
  readonly vendor: string
  /** The category of the spend, such as `llm`. Null if it has none. */
  readonly category: string | null
  /** The ids of the rules that flagged the spend without blocking it. */
  readonly flags: readonly string[]
  /** Nothing was taken from the budget. */
  readonly status: 'rejected'
  /** The reason: a decision code, or a code that only cards have, such as `card_unknown`. */
  readonly code: DecisionCode | (string & {})
  /**
   * The approved amount in units of the currency; 0 for a decline. A partial approval is less than
   * the requested amount.
   */
  readonly approvedAmount: number
  /** Whether the merchant may retry the same request. */
  readonly retryable: boolean
  /** The response code for the card network (ISO 8583, field 39). */
  readonly networkCode: string
}

/** The connection approves what the gateway could not decide in time. No decision was recorded. */
export interface UnrecordedCardApproval {
  /** The decision on the spend. */
  readonly decision: 'approved'
  /**
   * The budget that remains after the decision, in units of the currency: the smallest among the
   * mandate and its parents. An agent-bound key sees only the remaining budget of its own mandate.
   */
  readonly remainingBudget: null
  /**
   * The id of the transaction that records the decision. Null if no decision was recorded, for
   * example because the card is not registered or the database did not answer in time.
   */
  readonly transactionId: null
  /** How the gateway reached the decision. */
  readonly evaluationDetails: null
  /** The id of the mandate that applied. */
  readonly mandateId: null
  /** The id of an agent. */
  readonly agentId: null
  /** Amount in units of the currency (12.5 means 12.50 USD). */
  readonly amount: null
  /** The host name of the vendor. */
  readonly vendor: null
  /** The category of the spend, such as `llm`. Null if it has none. */
  readonly category: null
  /** The ids of the rules that flagged the spend without blocking it. */
  readonly flags: readonly string[]
  /** Always null here. */
  readonly status: null
  /** The reason: a decision code, or a code that only cards have, such as `card_unknown`. */
  readonly code: DecisionCode | (string & {})
  /**
   * The approved amount in units of the currency; 0 for a decline. A partial approval is less than
   * the requested amount.
   */
  readonly approvedAmount: number
  /** Whether the merchant may retry the same request. */
  readonly retryable: boolean
  /** The response code for the card network (ISO 8583, field 39). */
  readonly networkCode: string
}

/** The gateway declined. No decision was recorded. */
export interface UnrecordedCardDecline {
  /** The decision on the spend. */
  readonly decision: 'rejected'
  /**
   * The budget that remains after the decision, in units of the currency: the smallest among the
   * mandate and its parents. An agent-bound key sees only the remaining budget of its own mandate.
   */
  readonly remainingBudget: null
  /**
   * The id of the transaction that records the decision. Null if no decision was recorded, for
   * example because the card is not registered or the database did not answer in time.
   */
  readonly transactionId: null
  /** How the gateway reached the decision. */
  readonly evaluationDetails: null
  /** The id of the mandate that applied. */
  readonly mandateId: null
  /** The id of an agent. */
  readonly agentId: null
  /** Amount in units of the currency (12.5 means 12.50 USD). */
  readonly amount: null
  /** The host name of the vendor. */
  readonly vendor: null
  /** The category of the spend, such as `llm`. Null if it has none. */
  readonly category: null
  /** The ids of the rules that flagged the spend without blocking it. */
  readonly flags: readonly string[]
  /** Always null here. */
  readonly status: null
  /** The reason: a decision code, or a code that only cards have, such as `card_unknown`. */
  readonly code: DecisionCode | (string & {})
  /**
   * The approved amount in units of the currency; 0 for a decline. A partial approval is less than
   * the requested amount.
   */
  readonly approvedAmount: number
  /** Whether the merchant may retry the same request. */
  readonly retryable: boolean
  /** The response code for the card network (ISO 8583, field 39). */
  readonly networkCode: string
}

/** The decision on a card authorization. `status` is null if it was not recorded. */
export type CardDecision =
  | ApprovedCardDecision
  | RejectedCardDecision
  | UnrecordedCardApproval
  | UnrecordedCardDecline

/**
 * `capture`: money was taken. `adjust`: `amount` is the new total that may be captured. `reverse`:
 * `amount` is released; without an amount, the whole hold is. `expire`, `close`: nothing is held
 * any more. `refund`, `refund_reversal`: money came back, or a refund was taken back.
 * `dispute_reinstated`, `dispute_rescinded`: the same because of a dispute. `provider_decision`:
 * the issuer approved or declined on its own. `card_status`: the card's status at the issuer
 * changed.
 */
export type CardEventType =
  | 'capture'
  | 'adjust'
  | 'reverse'
  | 'expire'
  | 'close'
  | 'refund'
  | 'refund_reversal'
  | 'dispute_reinstated'
  | 'dispute_rescinded'
  | 'provider_decision'
  | 'card_status'

/**
 * Only for `provider_decision`: why the issuer decided without the gateway. `timeout`: its response
 * came too late. `error`: its response was not usable.
 */
export type CardDecisionCause = 'timeout' | 'error'

/**
 * `active`: the card can be used. `paused`, `closed`: authorizations are declined. A closed card
 * cannot be reopened.
 */
export type CardStatus = 'active' | 'paused' | 'closed'

export interface CardEventInput {
  /** The id of the connection. Its provider must be `generic`. */
  readonly connectionId: string
  /** Your id for this event, unique within the connection. A repeat has no effect. */
  readonly eventId: string
  readonly type: CardEventType
  /**
   * The id of the purchase, as in the authorization request. Omit it for money that moved without
   * an authorization.
   */
  readonly authorizationId?: string | undefined
  /**
   * Only for `provider_decision` and `adjust`: the id of the request that this event answers. The
   * event applies to that request and all earlier ones, whatever `occurredAt` says.
   */
  readonly requestId?: string | undefined
  /**
   * The issuer's id for the capture or refund. It counts once, however many events report it. For a
   * dispute, the id of the disputed capture.
   */
  readonly externalTransactionId?: string | undefined
  /** The card that was used. */
  readonly card?: CardReference | undefined
  /** The merchant that is paid. */
  readonly merchant?: CardMerchant | undefined
  /** Amount in units of the currency, with at most six decimals. */
  readonly amount?: number | undefined
  /** The card's currency, as an ISO 4217 code. */
  readonly currency?: string | undefined
  /** Only for `capture`: true if nothing more will be captured. */
  readonly final?: boolean | undefined
  /** Only for `provider_decision`: whether the issuer approved. */
  readonly approved?: boolean | undefined
  readonly cause?: CardDecisionCause | undefined
  /** Only for `card_status`: the card's new status. */
  readonly status?: CardStatus | undefined
  /**
   * When it happened by the issuer's clock (ISO 8601). If this time is more than five minutes in
   * the future, the gateway uses the time of receipt.
   */
  readonly occurredAt: string
}

export interface CardEventReceived {
  /** The event is stored. */
  readonly received: true
}

export interface CardInput {
  /** The id of the connection to the card issuer. */
  readonly connectionId: string
  /**
   * The issuer's id for the card. Unique among the connection's cards that are not closed. Never
   * the card number.
   */
  readonly externalId: string
  /** The id of an agent. */
  readonly agentId: string
  /** The last four digits of the card number. */
  readonly last4?: string | null | undefined
  /** The card's currency, as an ISO 4217 code. */
  readonly currency?: string | null | undefined
  /**
   * A name for people to read, 1 to 120 characters. Control characters, invisible characters (such
   * as U+200B or U+3164) and text-direction marks are not allowed. U+200C and U+200D are allowed
   * where a script needs them (between letters, U+200D after a virama, U+200C between Arabic
   * letters and digits), and U+200D also in emoji.
   */
  readonly label?: string | null | undefined
  /**
   * Your own key-value data: up to 20 entries, with names of 1 to 64 characters and values of at
   * most 500.
   */
  readonly metadata?: Readonly<Record<string, string>> | undefined
}

export interface Card {
  /** The id of the card. */
  readonly id: string
  /** The id of the connection to the card issuer. */
  readonly connectionId: string
  /**
   * The issuer's id for the card. Unique among the connection's cards that are not closed. Never
   * the card number.
   */
  readonly externalId: string
  /** The id of an agent. */
  readonly agentId: string
  /** The last four digits of the card number. */
  readonly last4: string | null
  /** The card's currency, as an ISO 4217 code. */
  readonly currency: string | null
  /**
   * A name for people to read, 1 to 120 characters. Control characters, invisible characters (such
   * as U+200B or U+3164) and text-direction marks are not allowed. U+200C and U+200D are allowed
   * where a script needs them (between letters, U+200D after a virama, U+200C between Arabic
   * letters and digits), and U+200D also in emoji.
   */
  readonly label: string | null
  /**
   * The card's status in this gateway. Authorizations on a paused or closed card are declined. A
   * closed card cannot be reopened.
   */
  readonly status: CardStatus
  /**
   * The card's status at the issuer. Null until the issuer reports it. The stricter of `status` and
   * `providerStatus` applies.
   */
  readonly providerStatus: CardStatus | null
  /** Why the card is paused or closed, as a note for people. */
  readonly statusReason: string | null
  /**
   * Your own key-value data: up to 20 entries, with names of 1 to 64 characters and values of at
   * most 500.
   */
  readonly metadata: Readonly<Record<string, string>>
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
}

export interface CardList {
  /** The entries of this page, newest first. */
  readonly data: readonly Card[]
  /** How many entries match in total. Counting stops at 10,000. */
  readonly total: number
  /** False if there are, or may be, more entries than `total`. */
  readonly totalIsExact: boolean
  /** The `limit` of the request. */
  readonly limit: number
  /** The `offset` of the request. */
  readonly offset: number
  /** Whether there is a next page. */
  readonly hasMore: boolean
  /** Pass this value as `cursor` to get the next page. Null on the last page. */
  readonly nextCursor: string | null
}

export interface CardChange {
  /**
   * The id of the agent that uses the card from now on. Purchases that have begun stay with the
   * previous agent.
   */
  readonly agentId?: string | undefined
  /**
   * The card's status in this gateway. Authorizations on a paused or closed card are declined. A
   * closed card cannot be reopened.
   */
  readonly status?: CardStatus | undefined
  /** Why the card is paused or closed, as a note for people. */
  readonly statusReason?: string | null | undefined
  /**
   * A name for people to read, 1 to 120 characters. Control characters, invisible characters (such
   * as U+200B or U+3164) and text-direction marks are not allowed. U+200C and U+200D are allowed
   * where a script needs them (between letters, U+200D after a virama, U+200C between Arabic
   * letters and digits), and U+200D also in emoji.
   */
  readonly label?: string | null | undefined
  /**
   * Your own key-value data: up to 20 entries, with names of 1 to 64 characters and values of at
   * most 500.
   */
  readonly metadata?: Readonly<Record<string, string>> | undefined
}

/**
 * `stripe`: Stripe Issuing calls the gateway in its own protocol. By default the gateway responds
 * within 1200 ms. `lithic`: Lithic calls the gateway in its own protocol. By default the gateway
 * responds within 2000 ms. `generic`: for callers of POST /gateway/card/authorize, which get a
 * response within 1500 ms by default.
 */
export type CardProvider = 'stripe' | 'lithic' | 'generic'

/**
 * `active` (default): the gateway decides on authorizations. `disabled`: every authorization is
 * declined, but events are still processed.
 */
export type CardConnectionInputStatus = 'active' | 'disabled'

/**
 * The response if the gateway cannot decide before the deadline: `closed` declines, `open` approves
 * up to `failOpenMaxAmount`. Default: `closed`.
 */
export type CardFailMode = 'closed' | 'open'

export interface CardSecretsInput {
  /** The signing secret as the issuer shows it, such as `whsec_…`. Never shown again. */
  readonly authorization?: string | undefined
  /** The signing secret as the issuer shows it, such as `whsec_…`. Never shown again. */
  readonly events?: string | undefined
}

export interface CardConnectionInput {
  readonly provider: CardProvider
  /**
   * A name for people to read, 1 to 120 characters. Control characters, invisible characters (such
   * as U+200B or U+3164) and text-direction marks are not allowed. U+200C and U+200D are allowed
   * where a script needs them (between letters, U+200D after a virama, U+200C between Arabic
   * letters and digits), and U+200D also in emoji.
   */
  readonly name: string
  /**
   * Whether the connection handles real money. Must match the installation, which is also the
   * default: true in production.
   */
  readonly livemode?: boolean | undefined
  readonly status?: CardConnectionInputStatus | undefined
  readonly failMode?: CardFailMode | undefined
  /**
   * The highest amount to approve if `failMode` is `open`; required then. In units of the card's
   * currency.
   */
  readonly failOpenMaxAmount?: number | null | undefined
  /**
   * The deadline for responses to the issuer, in milliseconds. A new connection has the default of
   * its provider.
   */
  readonly deadlineMs?: number | undefined
  /**
   * Whether the gateway may approve less than the requested amount, if the issuer supports partial
   * approvals. Default: false.
   */
  readonly partialApprovals?: boolean | undefined
  /** Whether the gateway pauses a card when more is captured than was approved. Default: false. */
  readonly pauseOnOverCapture?: boolean | undefined
  /**
   * The secrets with which the issuer signs its authorization requests and its events. After a
   * change, the previous secret stays valid for 24 hours.
   */
  readonly secrets?: CardSecretsInput | undefined
}

/**
 * `active`: the gateway decides on authorizations. `disabled`: every authorization is declined, but
 * events are still processed. `removed`: nothing is accepted any more, the secrets and ingest URLs
 * are deleted, and the cards are closed. Only a disabled connection without open holds can be
 * removed, and removal is final.
 */
export type CardConnectionStatus = 'active' | 'disabled' | 'removed'

/** A stored secret. Null if it is not set. */
export interface CardSecret {
  /** The last characters of the secret. */
  readonly hint: string
  /** Until when the previous secret is also accepted (ISO 8601, UTC). Null if there is none. */
  readonly previousUntil: string | null
}

export interface CardSecrets {
  /** A stored secret. Null if it is not set. */
  readonly authorization: CardSecret | null
  /** A stored secret. Null if it is not set. */
  readonly events: CardSecret | null
}

/**
 * The URLs to register with the issuer. Their token is shown only when the connection is created
 * and after `rotateToken`; otherwise it is replaced by `…`. Null for `generic`.
 */
export interface CardIngest {
  /**
   * The URL for the issuer's authorization requests. If PURSER_PUBLIC_URL is not set, this is only
   * a path: put the gateway's address in front of it.
   */
  readonly authorizationUrl: string
  /** The URL for the issuer's events. */
  readonly eventsUrl: string
}

export interface UnknownCard {
  /** The issuer's id for the card. */
  readonly externalId: string
  /** The last four digits of the card number. */
  readonly last4: string | null
  /** The merchant of the last request. */
  readonly merchantName: string | null
  /** The amount of the last request, in units of the currency. */
  readonly amount: number | null
  /**
   * The currency of the amounts: ISO 4217 code, or USDC or EURC. Null if neither the spend nor a
   * mandate names one.
   */
  readonly currency: string | null
  /** When the card was last seen (ISO 8601, UTC). */
  readonly lastAt: string
  /** How many authorization requests the issuer has sent for this card. */
  readonly count: number
}

export interface FlaggedCardEvent {
  readonly what: CardFlag
  /** When it happened (ISO 8601, UTC). */
  readonly at: string
  /** The issuer's id for the purchase. */
  readonly authorizationId: string | null
  /** The issuer's id for the capture or refund. */
  readonly externalTransactionId: string | null
  /** The id of the card, if it is registered. */
  readonly cardId: string | null
  /** The id of the agent that uses the card. */
  readonly agentId: string | null
  /** Amount in units of the currency (12.5 means 12.50 USD). */
  readonly amount: number | null
  /**
   * The currency of the amounts: ISO 4217 code, or USDC or EURC. Null if neither the spend nor a
   * mandate names one.
   */
  readonly currency: string | null
  /** The event in one sentence. */
  readonly message: string
}

/** `events_silent`: authorizations were approved, but no event has arrived since. */
export type CardConnectionWarning = 'events_silent'

/**
 * Health of the connection. The figures are a few seconds old. If a gateway process crashes, its
 * counts of the last second are lost.
 */
export interface CardConnectionHealth {
  /** When the last authorization request arrived (ISO 8601, UTC). */
  readonly lastRequestAt: string | null
  /** When the last event arrived (ISO 8601, UTC). */
  readonly lastEventAt: string | null
  /**
   * The 95th percentile of response times in the last 24 hours, in milliseconds, rounded up to the
   * next bucket. Null without requests.
   */
  readonly p95Ms: number | null
  /** How many requests in the last 24 hours had an invalid signature. */
  readonly signatureFailures24h: number
  /**
   * How often in the last 24 hours the deadline passed before a decision, or the issuer decided on
   * its own because no response reached it in time.
   */
  readonly timeouts24h: number
  /** How often in the last 24 hours money moved without an authorization request. */
  readonly ungoverned24h: number
  /**
   * How many authorization requests in the last 24 hours were for cards that are not registered.
   */
  readonly unknownCards24h: number
  /** The unregistered cards seen most recently; at most ten. */
  readonly unknownCards: readonly UnknownCard[]
  /** Events flagged in the last 24 hours: money in a different currency. Counted up to 100. */
  readonly otherCurrency24h: number
  /**
   * Events flagged in the last 24 hours: refunds that belong to no authorization. Counted up to
   * 100.
   */
  readonly unlinkedRefunds24h: number
  /**
   * Events flagged in the last 24 hours: events that the gateway cannot read. Counted up to 100.
   */
  readonly unreadableEvents24h: number
  /** Issuer events that a person should check, newest first; at most ten. */
  readonly flagged: readonly FlaggedCardEvent[]
  /**
   * `events_silent`: authorizations were approved, but no event has arrived at `eventsUrl` since.
   */
  readonly warnings: readonly CardConnectionWarning[]
}

export interface CardConnection {
  /** The id of the connection to the card issuer. */
  readonly id: string
  readonly provider: CardProvider
  /** Whether the connection handles real money. */
  readonly livemode: boolean
  /**
   * A name for people to read, 1 to 120 characters. Control characters, invisible characters (such
   * as U+200B or U+3164) and text-direction marks are not allowed. U+200C and U+200D are allowed
   * where a script needs them (between letters, U+200D after a virama, U+200C between Arabic
   * letters and digits), and U+200D also in emoji.
   */
  readonly name: string
  readonly status: CardConnectionStatus
  readonly failMode: CardFailMode
  /**
   * The deadline for responses to the issuer, in milliseconds. A new connection has the default of
   * its provider.
   */
  readonly deadlineMs: number
  /**
   * Whether the gateway may approve less than the requested amount, if the issuer supports partial
   * approvals. Default: false.
   */
  readonly partialApprovals: boolean
  /** Whether the gateway pauses a card when more is captured than was approved. Default: false. */
  readonly pauseOnOverCapture: boolean
  /** The highest amount to approve if `failMode` is `open`, in units of the currency. */
  readonly failOpenMaxAmount: number | null
  /** The stored signing secrets, by their last characters. */
  readonly secrets: CardSecrets
  /**
   * The URLs to register with the issuer. Their token is shown only when the connection is created
   * and after `rotateToken`; otherwise it is replaced by `…`. Null for `generic`.
   */
  readonly ingest: CardIngest | null
  /**
   * Health of the connection. The figures are a few seconds old. If a gateway process crashes, its
   * counts of the last second are lost.
   */
  readonly health: CardConnectionHealth
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
}

export interface CardConnectionList {
  /** The entries of this page, newest first. */
  readonly data: readonly CardConnection[]
  /** How many entries match in total. Counting stops at 10,000. */
  readonly total: number
  /** False if there are, or may be, more entries than `total`. */
  readonly totalIsExact: boolean
  /** The `limit` of the request. */
  readonly limit: number
  /** The `offset` of the request. */
  readonly offset: number
  /** Whether there is a next page. */
  readonly hasMore: boolean
  /** Pass this value as `cursor` to get the next page. Null on the last page. */
  readonly nextCursor: string | null
}

export interface CardConnectionChange {
  /**
   * A name for people to read, 1 to 120 characters. Control characters, invisible characters (such
   * as U+200B or U+3164) and text-direction marks are not allowed. U+200C and U+200D are allowed
   * where a script needs them (between letters, U+200D after a virama, U+200C between Arabic
   * letters and digits), and U+200D also in emoji.
   */
  readonly name?: string | undefined
  readonly status?: CardConnectionStatus | undefined
  readonly failMode?: CardFailMode | undefined
  /**
   * The highest amount to approve if `failMode` is `open`; required then. In units of the card's
   * currency.
   */
  readonly failOpenMaxAmount?: number | null | undefined
  /**
   * The deadline for responses to the issuer, in milliseconds. A new connection has the default of
   * its provider.
   */
  readonly deadlineMs?: number | undefined
  /**
   * Whether the gateway may approve less than the requested amount, if the issuer supports partial
   * approvals. Default: false.
   */
  readonly partialApprovals?: boolean | undefined
  /** Whether the gateway pauses a card when more is captured than was approved. Default: false. */
  readonly pauseOnOverCapture?: boolean | undefined
  /**
   * The secrets with which the issuer signs its authorization requests and its events. After a
   * change, the previous secret stays valid for 24 hours.
   */
  readonly secrets?: CardSecretsInput | undefined
  /** Creates a new ingest token. The previous one stays valid for 24 hours. */
  readonly rotateToken?: true | undefined
}

/** The query of “List cards, newest first”. */
export interface ListCardsQuery {
  /** How many entries a page has. */
  readonly limit?: number | undefined
  /** How many entries to skip. */
  readonly offset?: number | undefined
  /** The `nextCursor` of the previous page. Use it instead of `offset`. */
  readonly cursor?: string | undefined
  /** Only cards of this connection. */
  readonly connectionId?: string | undefined
  /** Only the card with this `externalId`. */
  readonly externalId?: string | undefined
  /** Only cards of this agent. */
  readonly agentId?: string | undefined
  /** Only cards with this status. */
  readonly status?: CardStatus | undefined
}

/** The query of “List the connections to card issuers with their health, newest first”. */
export interface ListCardConnectionsQuery {
  /** How many entries a page has. */
  readonly limit?: number | undefined
  /** How many entries to skip. */
  readonly offset?: number | undefined
  /** The `nextCursor` of the previous page. Use it instead of `offset`. */
  readonly cursor?: string | undefined
  /** Only connections to this issuer. */
  readonly provider?: CardProvider | undefined
  /** Only connections with this status. */
  readonly status?: CardConnectionStatus | undefined
}
