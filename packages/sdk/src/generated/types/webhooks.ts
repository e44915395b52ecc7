// Written by `npm run generate` from openapi.json. Do not change it by hand.

import type {
  ApprovalStatus,
  CardFlag,
  DecisionCode,
  EventKind,
  PathName,
  Plan,
  TransactionStatus,
} from './common.ts'

/**
 * `pending`: not acknowledged yet; the gateway will try again, or waits while the endpoint is
 * paused. `succeeded`: your server acknowledged the event. `failed`: every retry has failed.
 * `canceled`: the endpoint was removed before the delivery succeeded.
 */
export type DeliveryStatus = 'pending' | 'succeeded' | 'failed' | 'canceled'

export interface WebhookDelivery {
  /** The id of the delivery. */
  readonly id: string
  /** The id of the event, sent in the header webhook-id. */
  readonly eventId: string
  /** The id of the endpoint; it may have been removed since. */
  readonly endpointId: string
  /** The kind of event. New kinds may be added. */
  readonly event: EventKind | (string & {})
  /** The id of the transaction that the event is about. */
  readonly transactionId: string | null
  /** True if this is a test event, sent with POST /webhooks/test. */
  readonly test: boolean
  readonly status: DeliveryStatus
  /** How many attempts have ended. */
  readonly attempts: number
  /**
   * How many attempts the gateway makes by itself: the first one and its retries. Redeliveries that
   * you request come on top.
   */
  readonly maxAttempts: number
  /** When the last attempt began (ISO 8601, UTC). */
  readonly lastAttemptAt: string | null
  /** The HTTP status of your server's last response. */
  readonly lastStatusCode: number | null
  /** Why the last attempt failed. Null if it succeeded or there was none. */
  readonly lastError: string | null
  /** When the next attempt is due (ISO 8601, UTC). Null if there is none. */
  readonly nextAttemptAt: string | null
  /** When the event happened (ISO 8601, UTC). */
  readonly createdAt: string
}

export interface WebhookDeliveryList {
  /** The entries of this page, newest first. */
  readonly data: readonly WebhookDelivery[]
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

/**
 * `automatic`: the first attempt or a scheduled retry. `manual`: requested with POST
 * /webhooks/deliveries/:id/redeliver.
 */
export type WebhookAttemptTrigger = 'automatic' | 'manual'

/**
 * `started`: in progress. `succeeded`: your server returned a 2xx status. `failed`: the attempt
 * failed; see `error`. `interrupted`: the gateway stopped before it knew the outcome; does not
 * count as a retry.
 */
export type WebhookAttemptOutcome = 'started' | 'succeeded' | 'failed' | 'interrupted'

export interface WebhookAttemptError {
  /**
   * The kind of failure: status, redirect, timeout, dns_failed, connect_failed, tls_failed,
   * connection_lost, bad_answer, url_refused or address_refused.
   */
  readonly class: string
  /** The failure in one sentence. */
  readonly message: string
}

export interface WebhookAttemptRequest {
  /** The URL. */
  readonly url: string
  /** The HTTP headers. */
  readonly headers: Readonly<Record<string, string>>
  /** The request body. */
  readonly body: string
}

/**
 * Why the body is incomplete. `size`: it is larger than 16 KiB. `timeout`: your server was too
 * slow. `reset`: the connection was closed. Null if the body is complete.
 */
export type WebhookAttemptResponseCut = 'size' | 'timeout' | 'reset'

export interface WebhookAttemptResponse {
  /** The HTTP status. */
  readonly status: number
  /** The HTTP headers. */
  readonly headers: Readonly<Record<string, string>>
  /** The response body, at most 16 KiB. */
  readonly body: string
  readonly cut: WebhookAttemptResponseCut | null
}

export interface WebhookAttempt {
  /** The number of the attempt, counted from 1. */
  readonly number: number
  readonly trigger: WebhookAttemptTrigger
  readonly outcome: WebhookAttemptOutcome
  /** When the attempt began (ISO 8601, UTC). */
  readonly startedAt: string
  /** The duration in milliseconds. */
  readonly durationMs: number | null
  /** Why the attempt failed. Null if it did not. */
  readonly error: WebhookAttemptError | null
  /** The IP address that the gateway called. */
  readonly remoteAddress: string | null
  /** When the next attempt was due (ISO 8601, UTC). Null if there was none. */
  readonly nextAttemptAt: string | null
  /**
   * The request that the gateway sent. Signatures are cut after their first characters, and the
   * URL's query shows only the parameter names.
   */
  readonly request: WebhookAttemptRequest
  /** Your server's response. Null if there was none. */
  readonly response: WebhookAttemptResponse | null
}

export interface WebhookDeliveryDetail {
  /** The id of the delivery. */
  readonly id: string
  /** The id of the event, sent in the header webhook-id. */
  readonly eventId: string
  /** The id of the endpoint; it may have been removed since. */
  readonly endpointId: string
  /** The kind of event. New kinds may be added. */
  readonly event: EventKind | (string & {})
  /** The id of the transaction that the event is about. */
  readonly transactionId: string | null
  /** True if this is a test event, sent with POST /webhooks/test. */
  readonly test: boolean
  readonly status: DeliveryStatus
  /** How many attempts have ended. */
  readonly attempts: number
  /**
   * How many attempts the gateway makes by itself: the first one and its retries. Redeliveries that
   * you request come on top.
   */
  readonly maxAttempts: number
  /** When the last attempt began (ISO 8601, UTC). */
  readonly lastAttemptAt: string | null
  /** The HTTP status of your server's last response. */
  readonly lastStatusCode: number | null
  /** Why the last attempt failed. Null if it succeeded or there was none. */
  readonly lastError: string | null
  /** When the next attempt is due (ISO 8601, UTC). Null if there is none. */
  readonly nextAttemptAt: string | null
  /** When the event happened (ISO 8601, UTC). */
  readonly createdAt: string
  /** Every attempt, oldest first. */
  readonly attemptLog: readonly WebhookAttempt[]
}

/**
 * `none`: there was no task yet. `running`: the task sends failed deliveries again. `done`: the
 * task has sent all of them. `stopped`: a caller stopped the task, or the last endpoint was
 * removed.
 */
export type FailedRedeliveryStatus = 'none' | 'running' | 'done' | 'stopped'

/** The task that sends failed deliveries again, oldest first. */
export interface FailedRedelivery {
  /** Always `failed`. */
  readonly id: 'failed'
  readonly status: FailedRedeliveryStatus
  /** How many failed deliveries the task sends again, at most 100,000. */
  readonly total: number
  /** How many of them your server has acknowledged. */
  readonly sent: number
  /** How many of them have failed again. */
  readonly failed: number
  /** The beginning of the range (ISO 8601, UTC). Null: the oldest delivery. */
  readonly from: string | null
  /** The end of the range (ISO 8601, UTC). */
  readonly to: string | null
  /** When the task began (ISO 8601, UTC). */
  readonly startedAt: string | null
  /** When the task ended (ISO 8601, UTC). Null while it is running. */
  readonly endedAt: string | null
}

/** A delivery, or for the id `failed` the task that sends failed deliveries again. */
export type WebhookDeliveryOrTask = WebhookDeliveryDetail | FailedRedelivery

/** Which failed deliveries to send again. Only for the id `failed`. */
export interface RedeliveryRequest {
  /**
   * Only failed deliveries of events created at or after this time. A date (`2026-11-01`) means its
   * start in the organization's time zone. A date-time needs an offset (`2026-11-01T09:00:00Z`).
   */
  readonly from?: string | undefined
  /**
   * Only failed deliveries of events created before this time. A date (`2026-11-01`) means its
   * start in the organization's time zone. A date-time needs an offset (`2026-11-01T09:00:00Z`).
   */
  readonly to?: string | undefined
  /** Stops the running task. Attempts that are in progress still end. */
  readonly stop?: true | undefined
}

export interface TestEventInput {
  readonly event: EventKind
  /** The endpoint that gets the event, whatever kinds it has chosen. Default: the first one. */
  readonly endpointId?: string | undefined
}

/**
 * The status right after the decision. `rejected`: nothing was taken from the budget. `held`: the
 * amount is reserved until the hold is settled, voided or expires. `settled`: the amount is spent.
 */
export type DecidedStatus = 'rejected' | 'held' | 'settled'

/** The approved spend. */
export interface ApprovedEventData {
  /** The id of the transaction. */
  readonly transactionId: string
  /** The id of an agent. */
  readonly agentId: string
  /** The id of the mandate that applied. */
  readonly mandateId: string | null
  /** Amount in units of the currency (12.5 means 12.50 USD). */
  readonly amount: number
  /** The host name of the vendor. */
  readonly vendor: string
  /** The category of the spend, such as `llm`. Null if it has none. */
  readonly category: string | null
  /**
   * The currency of the amounts: ISO 4217 code, or USDC or EURC. Null if neither the spend nor a
   * mandate names one.
   */
  readonly currency: string | null
  readonly path: PathName
  /** Your own reference for the purchase. Null if you sent none. */
  readonly reference: string | null
  /** The budget that remained after the decision, in units of the currency. */
  readonly remainingBudget: number
  readonly status: DecidedStatus
  /** When the hold expires (ISO 8601, UTC). Null if there is no hold that expires. */
  readonly expiresAt: string | null
  /**
   * Flags for anything unusual about the transaction, followed by the ids of the rules that flagged
   * the spend.
   */
  readonly flags: readonly string[]
  /** The decision on the spend. */
  readonly decision: 'approved'
}

/** A spend was approved. */
export interface TransactionApprovedEvent {
  /** The id of the event. */
  readonly id: string
  /** The kind of event. */
  readonly event: 'transaction.approved'
  /** When the event happened (ISO 8601, UTC). */
  readonly timestamp: string
  /** The approved spend. */
  readonly data: ApprovedEventData
  /** True if this is a test event, sent with POST /webhooks/test. */
  readonly test: boolean
}

export interface RejectionReason {
  /** The id of the rule. */
  readonly ruleId: string
  readonly code: DecisionCode | (string & {}) | null
  /** Why the rule blocked the spend, in one sentence. */
  readonly message: string
}

/** The rejected spend. */
export interface RejectedEventData {
  /** The id of the transaction. */
  readonly transactionId: string
  /** The id of an agent. */
  readonly agentId: string
  /** The id of the mandate that applied. */
  readonly mandateId: string | null
  /** Amount in units of the currency (12.5 means 12.50 USD). */
  readonly amount: number
  /** The host name of the vendor. */
  readonly vendor: string
  /** The category of the spend, such as `llm`. Null if it has none. */
  readonly category: string | null
  /**
   * The currency of the amounts: ISO 4217 code, or USDC or EURC. Null if neither the spend nor a
   * mandate names one.
   */
  readonly currency: string | null
  readonly path: PathName
  /** Your own reference for the purchase. Null if you sent none. */
  readonly reference: string | null
  /** The budget that remained after the decision, in units of the currency. */
  readonly remainingBudget: number
  readonly status: DecidedStatus
  /** When the hold expires (ISO 8601, UTC). Null if there is no hold that expires. */
  readonly expiresAt: string | null
  /**
   * Flags for anything unusual about the transaction, followed by the ids of the rules that flagged
   * the spend.
   */
  readonly flags: readonly string[]
  /** The decision on the spend. */
  readonly decision: 'rejected'
  readonly code: DecisionCode | (string & {})
  /** Why the spend was rejected, in one sentence. Null once retention has removed the details. */
  readonly reason: string | null
  /** Every rule that blocked the spend. Empty once retention has removed the details. */
  readonly reasons: readonly RejectionReason[]
  /** The id of the approval that the spend requested or presented. */
  readonly approvalId: string | null
}

/** A spend was rejected. */
export interface TransactionRejectedEvent {
  /** The id of the event. */
  readonly id: string
  /** The kind of event. */
  readonly event: 'transaction.rejected'
  /** When the event happened (ISO 8601, UTC). */
  readonly timestamp: string
  /** The rejected spend. */
  readonly data: RejectedEventData
  /** True if this is a test event, sent with POST /webhooks/test. */
  readonly test: boolean
}

/** The mandate and its budget. */
export interface BudgetEventData {
  /** The id of the mandate. */
  readonly mandateId: string
  /** The id of an agent. */
  readonly agentId: string
  /** The budget of the current period, in units of the currency. */
  readonly budgetTotal: number
  /** The amount used in the current period, including holds, in units of the currency. */
  readonly budgetSpent: number
  /** How much is used, in percent; at most 100. */
  readonly percentUsed: number
}

/** A mandate has used at least 80 % of its budget. */
export interface MandateBudgetWarningEvent {
  /** The id of the event. */
  readonly id: string
  /** The kind of event. */
  readonly event: 'mandate.budget.warning'
  /** When the event happened (ISO 8601, UTC). */
  readonly timestamp: string
  /** The mandate and its budget. */
  readonly data: BudgetEventData
  /** True if this is a test event, sent with POST /webhooks/test. */
  readonly test: boolean
}

/** A mandate has used its whole budget. */
export interface MandateBudgetExhaustedEvent {
  /** The id of the event. */
  readonly id: string
  /** The kind of event. */
  readonly event: 'mandate.budget.exhausted'
  /** When the event happened (ISO 8601, UTC). */
  readonly timestamp: string
  /** The mandate and its budget. */
  readonly data: BudgetEventData
  /** True if this is a test event, sent with POST /webhooks/test. */
  readonly test: boolean
}

/** The transaction after the change. */
export interface OutcomeEventData {
  /** The id of the transaction. */
  readonly transactionId: string
  /** The id of an agent. */
  readonly agentId: string
  /** The id of the mandate that applied. */
  readonly mandateId: string | null
  /** Amount in units of the currency (12.5 means 12.50 USD). */
  readonly amount: number
  /** The host name of the vendor. */
  readonly vendor: string
  /** The category of the spend, such as `llm`. Null if it has none. */
  readonly category: string | null
  /**
   * The currency of the amounts: ISO 4217 code, or USDC or EURC. Null if neither the spend nor a
   * mandate names one.
   */
  readonly currency: string | null
  readonly path: PathName
  /** Your own reference for the purchase. Null if you sent none. */
  readonly reference: string | null
  readonly status: TransactionStatus
  /** The settled amount, in units of the currency. */
  readonly settledAmount: number
  /** The refunded amount, in units of the currency. */
  readonly refundedAmount: number
  /**
   * Flags for anything unusual about the transaction, followed by the ids of the rules that flagged
   * the spend.
   */
  readonly flags: readonly string[]
}

/** A hold was settled. */
export interface TransactionSettledEvent {
  /** The id of the event. */
  readonly id: string
  /** The kind of event. */
  readonly event: 'transaction.settled'
  /** When the event happened (ISO 8601, UTC). */
  readonly timestamp: string
  /** The transaction after the change. */
  readonly data: OutcomeEventData
  /** True if this is a test event, sent with POST /webhooks/test. */
  readonly test: boolean
}

/** A hold was voided because no money moved. */
export interface TransactionVoidedEvent {
  /** The id of the event. */
  readonly id: string
  /** The kind of event. */
  readonly event: 'transaction.voided'
  /** When the event happened (ISO 8601, UTC). */
  readonly timestamp: string
  /** The transaction after the change. */
  readonly data: OutcomeEventData
  /** True if this is a test event, sent with POST /webhooks/test. */
  readonly test: boolean
}

/** A hold expired. */
export interface TransactionExpiredEvent {
  /** The id of the event. */
  readonly id: string
  /** The kind of event. */
  readonly event: 'transaction.expired'
  /** When the event happened (ISO 8601, UTC). */
  readonly timestamp: string
  /** The transaction after the change. */
  readonly data: OutcomeEventData
  /** True if this is a test event, sent with POST /webhooks/test. */
  readonly test: boolean
}

/** A settled spend was refunded, fully or partly. */
export interface TransactionRefundedEvent {
  /** The id of the event. */
  readonly id: string
  /** The kind of event. */
  readonly event: 'transaction.refunded'
  /** When the event happened (ISO 8601, UTC). */
  readonly timestamp: string
  /** The transaction after the change. */
  readonly data: OutcomeEventData
  /** True if this is a test event, sent with POST /webhooks/test. */
  readonly test: boolean
}

/** The approval request. */
export interface ApprovalRequestedEventData {
  /** The id of the approval. */
  readonly approvalId: string
  readonly status: ApprovalStatus
  /** The id of the rejected transaction that requested the approval. */
  readonly transactionId: string
  /** The id of an agent. */
  readonly agentId: string
  /** The id of the mandate. */
  readonly mandateId: string
  /** Amount in units of the currency (12.5 means 12.50 USD). */
  readonly amount: number
  /** The currency of the amounts. */
  readonly currency: string
  /** The host name of the vendor. */
  readonly vendor: string
  /** The category of the spend, such as `llm`. Null if it has none. */
  readonly category: string | null
  readonly path: PathName
  /** When the request, or the approval, expires (ISO 8601, UTC). */
  readonly expiresAt: string
}

/** A spend needs a person's approval. */
export interface ApprovalRequestedEvent {
  /** The id of the event. */
  readonly id: string
  /** The kind of event. */
  readonly event: 'approval.requested'
  /** When the event happened (ISO 8601, UTC). */
  readonly timestamp: string
  /** The approval request. */
  readonly data: ApprovalRequestedEventData
  /** True if this is a test event, sent with POST /webhooks/test. */
  readonly test: boolean
}

/** The decision on the request. `expired`: the request expired before a decision was made. */
export type ApprovalOutcome = 'approve' | 'reject' | 'expired'

/** The approval request and its decision. */
export interface ApprovalDecidedEventData {
  /** The id of the approval. */
  readonly approvalId: string
  readonly status: ApprovalStatus
  /** The id of the rejected transaction that requested the approval. */
  readonly transactionId: string
  /** The id of an agent. */
  readonly agentId: string
  /** The id of the mandate. */
  readonly mandateId: string
  /** Amount in units of the currency (12.5 means 12.50 USD). */
  readonly amount: number
  /** The currency of the amounts. */
  readonly currency: string
  /** The host name of the vendor. */
  readonly vendor: string
  /** The category of the spend, such as `llm`. Null if it has none. */
  readonly category: string | null
  readonly path: PathName
  /** When the request, or the approval, expires (ISO 8601, UTC). */
  readonly expiresAt: string
  readonly decision: ApprovalOutcome
  /** The name of the key or member that decided. Null if the request expired. */
  readonly decidedBy: string | null
  /**
   * The id of the key (`key_…`) or member (`mem_…`) that decided. Null if the request expired.
   * Older events lack this field.
   */
  readonly decidedById?: string | null | undefined
  /**
   * The email address of the member who decided. Null if a key decided or the request expired.
   * Older events lack this field.
   */
  readonly decidedByEmail?: string | null | undefined
  /** The comment of the key or member that decided. */
  readonly comment: string | null
  /**
   * The highest amount that the approval allows, in units of the currency. Null if the request was
   * not approved.
   */
  readonly maxAmount: number | null
}

/** An approval request was approved or rejected, or it expired. */
export interface ApprovalDecidedEvent {
  /** The id of the event. */
  readonly id: string
  /** The kind of event. */
  readonly event: 'approval.decided'
  /** When the event happened (ISO 8601, UTC). */
  readonly timestamp: string
  /** The approval request and its decision. */
  readonly data: ApprovalDecidedEventData
  /** True if this is a test event, sent with POST /webhooks/test. */
  readonly test: boolean
}

/** The plan's evaluations of the month. */
export interface UsageEventData {
  readonly plan: Plan
  /** The number of evaluations that the plan includes per month. */
  readonly limit: number
  /** The number of evaluations used this month. */
  readonly used: number
  /** How much is used, in percent; at most 100. */
  readonly percentUsed: number
  /** When the count starts again at 0 (ISO 8601, UTC). */
  readonly resetsAt: string
}

/** The organization has used 80 % of its monthly evaluations. */
export interface UsageWarningEvent {
  /** The id of the event. */
  readonly id: string
  /** The kind of event. */
  readonly event: 'usage.warning'
  /** When the event happened (ISO 8601, UTC). */
  readonly timestamp: string
  /** The plan's evaluations of the month. */
  readonly data: UsageEventData
  /** True if this is a test event, sent with POST /webhooks/test. */
  readonly test: boolean
}

/** The organization has used all of its monthly evaluations. */
export interface UsageExhaustedEvent {
  /** The id of the event. */
  readonly id: string
  /** The kind of event. */
  readonly event: 'usage.exhausted'
  /** When the event happened (ISO 8601, UTC). */
  readonly timestamp: string
  /** The plan's evaluations of the month. */
  readonly data: UsageEventData
  /** True if this is a test event, sent with POST /webhooks/test. */
  readonly test: boolean
}

/** The card event to check. */
export interface CardFlaggedEventData {
  readonly what: CardFlag
  /** The id of the connection to the issuer. */
  readonly connectionId: string
  /** The issuer's id for the purchase. */
  readonly authorizationId: string | null
  /** The issuer's id for the capture or refund. */
  readonly externalTransactionId: string | null
  /** The id of the card. */
  readonly cardId: string | null
  /** The id of an agent. */
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

/** A card issuer reported something that a person should check. */
export interface CardFlaggedEvent {
  /** The id of the event. */
  readonly id: string
  /** The kind of event. */
  readonly event: 'card.flagged'
  /** When the event happened (ISO 8601, UTC). */
  readonly timestamp: string
  /** The card event to check. */
  readonly data: CardFlaggedEventData
  /** True if this is a test event, sent with POST /webhooks/test. */
  readonly test: boolean
}

/** How the member signed in. Null: recorded by an older gateway. */
export type SignInMethod = 'password' | 'passkey' | 'recovery_code'

/** The member and the sign-ins. */
export interface SignInSucceededEventData {
  /** The id of the member. */
  readonly memberId: string
  /** The email address of the member. */
  readonly email: string
  /** The IP addresses that the attempts came from. */
  readonly addresses: readonly string[]
  /** How often this happened between `firstAt` and `lastAt`. */
  readonly number: number
  /** When it happened first (ISO 8601, UTC). */
  readonly firstAt: string
  /** When it happened last (ISO 8601, UTC). */
  readonly lastAt: string
  readonly method: SignInMethod | null
}

/** A member signed in. */
export interface SignInSucceededEvent {
  /** The id of the event. */
  readonly id: string
  /** The kind of event. */
  readonly event: 'sign_in.succeeded'
  /** When the event happened (ISO 8601, UTC). */
  readonly timestamp: string
  /** The member and the sign-ins. */
  readonly data: SignInSucceededEventData
  /** True if this is a test event, sent with POST /webhooks/test. */
  readonly test: boolean
}

/** The member and the sign-ins. */
export interface SignInEventData {
  /** The id of the member. */
  readonly memberId: string
  /** The email address of the member. */
  readonly email: string
  /** The IP addresses that the attempts came from. */
  readonly addresses: readonly string[]
  /** How often this happened between `firstAt` and `lastAt`. */
  readonly number: number
  /** When it happened first (ISO 8601, UTC). */
  readonly firstAt: string
  /** When it happened last (ISO 8601, UTC). */
  readonly lastAt: string
}

/** Sign-ins to an account failed: wrong password or locked account. */
export interface SignInFailedEvent {
  /** The id of the event. */
  readonly id: string
  /** The kind of event. */
  readonly event: 'sign_in.failed'
  /** When the event happened (ISO 8601, UTC). */
  readonly timestamp: string
  /** The member and the sign-ins. */
  readonly data: SignInEventData
  /** True if this is a test event, sent with POST /webhooks/test. */
  readonly test: boolean
}

/**
 * Who is locked out of the account. `address`: sign-ins from one IP address. `everywhere`: all
 * sign-ins. `session`: password checks within one session.
 */
export type SignInLockScope = 'address' | 'everywhere' | 'session'

/** The member and the lock. */
export interface SignInLockedEventData {
  /** The id of the member. */
  readonly memberId: string
  /** The email address of the member. */
  readonly email: string
  /** The IP addresses that the attempts came from. */
  readonly addresses: readonly string[]
  /** How often this happened between `firstAt` and `lastAt`. */
  readonly number: number
  /** When it happened first (ISO 8601, UTC). */
  readonly firstAt: string
  /** When it happened last (ISO 8601, UTC). */
  readonly lastAt: string
  readonly scope: SignInLockScope | null
  /** When the lock ends (ISO 8601, UTC). */
  readonly lockedUntil: string | null
}

/** An account was locked. */
export interface SignInLockedEvent {
  /** The id of the event. */
  readonly id: string
  /** The kind of event. */
  readonly event: 'sign_in.locked'
  /** When the event happened (ISO 8601, UTC). */
  readonly timestamp: string
  /** The member and the lock. */
  readonly data: SignInLockedEventData
  /** True if this is a test event, sent with POST /webhooks/test. */
  readonly test: boolean
}

/** A sign-in was refused because its IP address had made too many attempts. */
export interface SignInRefusedEvent {
  /** The id of the event. */
  readonly id: string
  /** The kind of event. */
  readonly event: 'sign_in.refused'
  /** When the event happened (ISO 8601, UTC). */
  readonly timestamp: string
  /** The member and the sign-ins. */
  readonly data: SignInEventData
  /** True if this is a test event, sent with POST /webhooks/test. */
  readonly test: boolean
}

/** A member set a new password with a reset link. */
export interface SignInResetEvent {
  /** The id of the event. */
  readonly id: string
  /** The kind of event. */
  readonly event: 'sign_in.reset'
  /** When the event happened (ISO 8601, UTC). */
  readonly timestamp: string
  /** The member and the sign-ins. */
  readonly data: SignInEventData
  /** True if this is a test event, sent with POST /webhooks/test. */
  readonly test: boolean
}

/**
 * An event. The field `event` names its kind and so the shape of `data`. New kinds may be added, so
 * a client must ignore kinds that it does not know.
 */
export type Event =
  | TransactionApprovedEvent
  | TransactionRejectedEvent
  | MandateBudgetWarningEvent
  | MandateBudgetExhaustedEvent
  | TransactionSettledEvent
  | TransactionVoidedEvent
  | TransactionExpiredEvent
  | TransactionRefundedEvent
  | ApprovalRequestedEvent
  | ApprovalDecidedEvent
  | UsageWarningEvent
  | UsageExhaustedEvent
  | CardFlaggedEvent
  | SignInSucceededEvent
  | SignInFailedEvent
  | SignInLockedEvent
  | SignInRefusedEvent
  | SignInResetEvent

export interface EventList {
  /** The events of this page, oldest first. */
  readonly data: readonly Event[]
  /** Whether more events follow now. */
  readonly hasMore: boolean
  /** Pass this value as `cursor` to get the events that follow. */
  readonly nextCursor: string | null
}

/** A spend was approved. */
export interface TransactionApprovedWebhook {
  /** The kind of event. */
  readonly event: 'transaction.approved'
  /** When the event happened (ISO 8601, UTC). */
  readonly timestamp: string
  /** The approved spend. */
  readonly data: ApprovedEventData
}

/** A spend was rejected. */
export interface TransactionRejectedWebhook {
  /** The kind of event. */
  readonly event: 'transaction.rejected'
  /** When the event happened (ISO 8601, UTC). */
  readonly timestamp: string
  /** The rejected spend. */
  readonly data: RejectedEventData
}

/** A mandate has used at least 80 % of its budget. */
export interface MandateBudgetWarningWebhook {
  /** The kind of event. */
  readonly event: 'mandate.budget.warning'
  /** When the event happened (ISO 8601, UTC). */
  readonly timestamp: string
  /** The mandate and its budget. */
  readonly data: BudgetEventData
}

/** A mandate has used its whole budget. */
export interface MandateBudgetExhaustedWebhook {
  /** The kind of event. */
  readonly event: 'mandate.budget.exhausted'
  /** When the event happened (ISO 8601, UTC). */
  readonly timestamp: string
  /** The mandate and its budget. */
  readonly data: BudgetEventData
}

/** A hold was settled. */
export interface TransactionSettledWebhook {
  /** The kind of event. */
  readonly event: 'transaction.settled'
  /** When the event happened (ISO 8601, UTC). */
  readonly timestamp: string
  /** The transaction after the change. */
  readonly data: OutcomeEventData
}

/** A hold was voided because no money moved. */
export interface TransactionVoidedWebhook {
  /** The kind of event. */
  readonly event: 'transaction.voided'
  /** When the event happened (ISO 8601, UTC). */
  readonly timestamp: string
  /** The transaction after the change. */
  readonly data: OutcomeEventData
}

/** A hold expired. */
export interface TransactionExpiredWebhook {
  /** The kind of event. */
  readonly event: 'transaction.expired'
  /** When the event happened (ISO 8601, UTC). */
  readonly timestamp: string
  /** The transaction after the change. */
  readonly data: OutcomeEventData
}

/** A settled spend was refunded, fully or partly. */
export interface TransactionRefundedWebhook {
  /** The kind of event. */
  readonly event: 'transaction.refunded'
  /** When the event happened (ISO 8601, UTC). */
  readonly timestamp: string
  /** The transaction after the change. */
  readonly data: OutcomeEventData
}

/** A spend needs a person's approval. */
export interface ApprovalRequestedWebhook {
  /** The kind of event. */
  readonly event: 'approval.requested'
  /** When the event happened (ISO 8601, UTC). */
  readonly timestamp: string
  /** The approval request. */
  readonly data: ApprovalRequestedEventData
}

/** An approval request was approved or rejected, or it expired. */
export interface ApprovalDecidedWebhook {
  /** The kind of event. */
  readonly event: 'approval.decided'
  /** When the event happened (ISO 8601, UTC). */
  readonly timestamp: string
  /** The approval request and its decision. */
  readonly data: ApprovalDecidedEventData
}

/** The organization has used 80 % of its monthly evaluations. */
export interface UsageWarningWebhook {
  /** The kind of event. */
  readonly event: 'usage.warning'
  /** When the event happened (ISO 8601, UTC). */
  readonly timestamp: string
  /** The plan's evaluations of the month. */
  readonly data: UsageEventData
}

/** The organization has used all of its monthly evaluations. */
export interface UsageExhaustedWebhook {
  /** The kind of event. */
  readonly event: 'usage.exhausted'
  /** When the event happened (ISO 8601, UTC). */
  readonly timestamp: string
  /** The plan's evaluations of the month. */
  readonly data: UsageEventData
}

/** A card issuer reported something that a person should check. */
export interface CardFlaggedWebhook {
  /** The kind of event. */
  readonly event: 'card.flagged'
  /** When the event happened (ISO 8601, UTC). */
  readonly timestamp: string
  /** The card event to check. */
  readonly data: CardFlaggedEventData
}

/** A member signed in. */
export interface SignInSucceededWebhook {
  /** The kind of event. */
  readonly event: 'sign_in.succeeded'
  /** When the event happened (ISO 8601, UTC). */
  readonly timestamp: string
  /** The member and the sign-ins. */
  readonly data: SignInSucceededEventData
}

/** Sign-ins to an account failed: wrong password or locked account. */
export interface SignInFailedWebhook {
  /** The kind of event. */
  readonly event: 'sign_in.failed'
  /** When the event happened (ISO 8601, UTC). */
  readonly timestamp: string
  /** The member and the sign-ins. */
  readonly data: SignInEventData
}

/** An account was locked. */
export interface SignInLockedWebhook {
  /** The kind of event. */
  readonly event: 'sign_in.locked'
  /** When the event happened (ISO 8601, UTC). */
  readonly timestamp: string
  /** The member and the lock. */
  readonly data: SignInLockedEventData
}

/** A sign-in was refused because its IP address had made too many attempts. */
export interface SignInRefusedWebhook {
  /** The kind of event. */
  readonly event: 'sign_in.refused'
  /** When the event happened (ISO 8601, UTC). */
  readonly timestamp: string
  /** The member and the sign-ins. */
  readonly data: SignInEventData
}

/** A member set a new password with a reset link. */
export interface SignInResetWebhook {
  /** The kind of event. */
  readonly event: 'sign_in.reset'
  /** When the event happened (ISO 8601, UTC). */
  readonly timestamp: string
  /** The member and the sign-ins. */
  readonly data: SignInEventData
}

/** The query of “List webhook deliveries, newest first”. */
export interface ListDeliveriesQuery {
  /** How many entries a page has. */
  readonly limit?: number | undefined
  /** How many entries to skip. */
  readonly offset?: number | undefined
  /** The `nextCursor` of the previous page. Use it instead of `offset`. */
  readonly cursor?: string | undefined
  /** Only deliveries with this status. */
  readonly status?: DeliveryStatus | undefined
  /** Only deliveries of this kind of event. */
  readonly event?: EventKind | undefined
  /**
   * Only deliveries of events about this transaction: its decision, its outcome, its approval and
   * the budget events that it raised.
   */
  readonly transactionId?: string | undefined
  /** Only the deliveries of this event. */
  readonly eventId?: string | undefined
  /** Only deliveries to this endpoint. */
  readonly endpointId?: string | undefined
  /** Only deliveries of test events (true) or of real events (false). */
  readonly test?: boolean | undefined
  /**
   * Only deliveries of events created at or after this time. A date (`2026-11-01`) means its start
   * in the organization's time zone. A date-time needs an offset (`2026-11-01T09:00:00Z`).
   */
  readonly from?: string | undefined
  /**
   * Only deliveries of events created before this time. A date (`2026-11-01`) means its start in
   * the organization's time zone. A date-time needs an offset (`2026-11-01T09:00:00Z`).
   */
  readonly to?: string | undefined
}

/** The query of “Read the event feed, oldest first, or follow it as a stream”. */
export interface ListEventsQuery {
  /** The id of the last event that you received. Returns the events after it. */
  readonly cursor?: string | undefined
  /** Only events of this kind, or of these kinds, separated by commas. */
  readonly event?: EventKind | (string & {}) | undefined
  /** How many events a page has. */
  readonly limit?: number | undefined
}

/** The body of a webhook. Its `event` tells the kinds apart. */
export type WebhookEvent =
  | TransactionApprovedWebhook
  | TransactionRejectedWebhook
  | MandateBudgetWarningWebhook
  | MandateBudgetExhaustedWebhook
  | TransactionSettledWebhook
  | TransactionVoidedWebhook
  | TransactionExpiredWebhook
  | TransactionRefundedWebhook
  | ApprovalRequestedWebhook
  | ApprovalDecidedWebhook
  | UsageWarningWebhook
  | UsageExhaustedWebhook
  | CardFlaggedWebhook
  | SignInSucceededWebhook
  | SignInFailedWebhook
  | SignInLockedWebhook
  | SignInRefusedWebhook
  | SignInResetWebhook
