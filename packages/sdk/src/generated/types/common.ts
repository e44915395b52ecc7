// Written by `npm run generate` from openapi.json. Do not change it by hand.

/**
 * The reason for the decision. docs/decisions.md explains for each code what to do and whether a
 * retry can help. New codes may be added.
 * - `approved`: The spend is approved, and its amount is deducted from the budget.
 * - `organization_frozen`: The organization has stopped all spending.
 * - `agent_paused`: The agent is paused and may not spend.
 * - `card_paused`: The card is paused and may not be used.
 * - `card_closed`: The card is closed for good.
 * - `no_active_mandate`: The agent has no active mandate.
 * - `mandate_not_started`: The mandate, or one of its parents, is not valid yet.
 * - `mandate_expired`: The mandate, or one of its parents, has expired.
 * - `currency_mismatch`: The currency of the spend differs from the currency of the mandate.
 * - `payee_mismatch`: The money would go to an address that is not known to belong to the vendor.
 * - `path_not_allowed`: The mandate does not allow this payment path.
 * - `vendor_blocked`: The mandate blocks the vendor.
 * - `vendor_not_allowed`: The mandate does not allow this vendor.
 * - `category_blocked`: The mandate blocks the category. On cards, `cash_equivalent`, `gambling`
 *   and `adult` are blocked unless a rule of the mandate and of each parent mandate allows exactly
 *   that category or its merchant category code.
 * - `category_not_allowed`: The mandate does not allow this category.
 * - `category_required`: The spend has no category, but a rule depends on it.
 * - `amount_below_min`: The amount is below the minimum for a single spend.
 * - `amount_above_max`: The amount is above the maximum for a single spend.
 * - `outside_schedule`: The mandate allows no spends at this time.
 * - `limit_count_exceeded`: A limit allows no more spends within its window.
 * - `limit_amount_exceeded`: The spend would raise the total within the window of a limit above its
 *   maximum.
 * - `duplicate_transaction`: The spend repeats one that was approved shortly before.
 * - `new_vendor`: The agent has never paid this vendor, or a person approved a smaller amount there
 *   and no spend has been settled yet.
 * - `price_drift`: The amount is too far above the last price at this vendor.
 * - `expression_false`: The expression of a rule is false for the spend.
 * - `expression_error`: The expression of a rule could not be evaluated, so the rule fails.
 * - `approval_required`: A person must approve the spend.
 * - `approval_rejected`: A person rejected the request for approval.
 * - `approval_expired`: The request for approval was not answered in time, or the approval was not
 *   used in time.
 * - `past_being_counted`: A rule was added to the mandate, and the gateway is still counting
 *   earlier spends. Until it has counted them, the rule fails for every spend that it counts.
 * - `vendor_history_incomplete`: A rule about vendors was added for the agent, and the gateway is
 *   still reading the earlier payments of the agent. Until it has read them, the rule fails for
 *   every vendor that it does not know.
 * - `rule_error`: A rule could not be evaluated because of a defect, so it fails.
 * - `budget_exceeded`: The spend exceeds the remaining budget.
 * - `parent_budget_exceeded`: The spend exceeds the remaining budget of a parent mandate.
 * - `deadline_passed`: The spend was not decided before the deadline of its caller.
 * - `recorded`: The money moved without a decision, and the gateway recorded it.
 */
export type DecisionCode =
  | 'approved'
  | 'organization_frozen'
  | 'agent_paused'
  | 'card_paused'
  | 'card_closed'
  | 'no_active_mandate'
  | 'mandate_not_started'
  | 'mandate_expired'
  | 'currency_mismatch'
  | 'payee_mismatch'
  | 'path_not_allowed'
  | 'vendor_blocked'
  | 'vendor_not_allowed'
  | 'category_blocked'
  | 'category_not_allowed'
  | 'category_required'
  | 'amount_below_min'
  | 'amount_above_max'
  | 'outside_schedule'
  | 'limit_count_exceeded'
  | 'limit_amount_exceeded'
  | 'duplicate_transaction'
  | 'new_vendor'
  | 'price_drift'
  | 'expression_false'
  | 'expression_error'
  | 'approval_required'
  | 'approval_rejected'
  | 'approval_expired'
  | 'past_being_counted'
  | 'vendor_history_incomplete'
  | 'rule_error'
  | 'budget_exceeded'
  | 'parent_budget_exceeded'
  | 'deadline_passed'
  | 'recorded'

/**
 * The payment path of the spend. `evaluate`: the agent asks first and then pays by itself. `x402`:
 * token payments that the gateway signs. `acp`: checkouts at merchants that support the Agentic
 * Commerce Protocol. `card`: card purchases that the issuer asks the gateway to authorize.
 */
export type PathName = 'evaluate' | 'x402' | 'acp' | 'card'

/**
 * `pass`: the rule allows the spend. `fail`: the rule rejects it. `escalate`: the rule requires a
 * person's approval. `flag`: the rule failed but only flags the spend.
 */
export type FindingOutcome = 'pass' | 'fail' | 'escalate' | 'flag'

export interface Finding {
  /**
   * The id of the rule. For a rule of a parent mandate, the parent's id comes first; an agent-bound
   * key sees `above/` and the type instead.
   */
  readonly id: string
  /** The type of the rule, such as `amount`, or `budget`. */
  readonly type: string
  readonly outcome: FindingOutcome
  readonly code: DecisionCode | (string & {}) | null
  /** The value that the rule compared: of the spend, or a total. */
  readonly observed: number | string | readonly string[] | null
  /** The value that the rule allows. */
  readonly limit: number | string | readonly string[] | null
  /** The time window or budget period of the rule, if it has one. */
  readonly window: string | null
  /** The result of the rule in one sentence. */
  readonly message: string
}

export interface DecisionBudget {
  /** The budget of the period, in units of the currency. */
  readonly total: number
  /** The amount used before this spend, in units of the currency. */
  readonly spentBefore: number
  /** The budget that remains after the decision, in units of the currency. */
  readonly remaining: number
  /** The used part of the budget in percent. */
  readonly percentUsed: number
  /** When the budget resets (ISO 8601, UTC). Null if it never does. */
  readonly periodEnd: string | null
}

/**
 * `pending`: no decision yet. `approved`: can be used once, until `expiresAt`. `rejected`: a person
 * said no. `used`: a spend was made with it. `expired`: it was not decided, or not used, in time.
 */
export type ApprovalStatus = 'pending' | 'approved' | 'rejected' | 'expired' | 'used'

export interface ShownApproval {
  /** The id of the approval. */
  readonly id: string
  readonly status: ApprovalStatus
  /** The page on which a person decides. Null if the gateway's public URL is not configured. */
  readonly url: string | null
  /** When the request, or the approval, expires (ISO 8601, UTC). */
  readonly expiresAt: string
}

export interface NextOptions {
  /**
   * The largest amount that would be approved now, in units of the currency. Null if the gateway
   * cannot name one.
   */
  readonly maxAmountNow: number | null
  /**
   * The largest amount that would pass now with a person's approval, in units of the currency. Null
   * if the gateway cannot name one; it can be null although `maxAmountNow` is an amount. Older
   * decisions lack this field.
   */
  readonly maxAmountWithApproval?: number | null | undefined
  /**
   * When the same amount would be approved, as an ISO 8601 timestamp in UTC. Null if the gateway
   * cannot name a time.
   */
  readonly retryAfter: string | null
}

/** Your proof that the audit log must contain this decision. Store it. */
export interface Receipt {
  /** The name of the organization's audit log. */
  readonly log: string
  /** The hash of the audit log's leaf for this decision. */
  readonly leaf: string
  /**
   * The salt with which the leaf commits to the decision. Null for an agent-bound key if the
   * decision contains more than the key may see.
   */
  readonly salt: string | null
}

/** How the gateway reached the decision. */
export interface EvaluationDetails {
  readonly code: DecisionCode | (string & {})
  /** The decision explained in one sentence. */
  readonly message: string
  /** The version of the mandate that applied. Null without a mandate. */
  readonly mandateVersion: number | null
  /** The hash of the mandate's terms that applied. Null without a mandate. */
  readonly policyHash: string | null
  /** When the gateway decided (ISO 8601, UTC). */
  readonly evaluatedAt: string
  /** Milliseconds from the arrival of the request to the decision. */
  readonly durationMs: number
  readonly path: PathName
  /** The id of the first rule that failed. Null if none did. */
  readonly firstFailure: string | null
  /** The ids of all rules that failed. */
  readonly failed: readonly string[]
  /** The result of every rule. */
  readonly rules: readonly Finding[]
  /** The mandate's budget. Null if the agent has no active mandate. */
  readonly budget: DecisionBudget | null
  /**
   * The approval that the spend requested or presented. Null if there is none, also if the spend
   * needs an approval but the agent already has too many pending requests. Decisions made before
   * approvals existed lack this field.
   */
  readonly approval?: ShownApproval | null | undefined
  /** The agent's options after a rejection. */
  readonly next: NextOptions
  /**
   * The id of the agent's newest draft mandate. Only present if the agent has no active mandate.
   */
  readonly draftMandateId?: string | undefined
  /**
   * Your proof that the audit log must contain this decision. Store it. Null for a decline at a
   * deadline, and for a simulation. Null or absent for decisions made before the audit log existed.
   */
  readonly receipt?: Receipt | null | undefined
}

/**
 * The status right after the decision. `held`: the amount is reserved until the hold is settled,
 * voided or expires. `settled`: the amount is spent.
 */
export type ApprovedStatus = 'held' | 'settled'

/** The problem codes of all operations. New codes may be added. */
export type ProblemCode =
  | 'acp_checkout_state'
  | 'acp_expectation_failed'
  | 'acp_instrument_unknown'
  | 'acp_invalid_session'
  | 'acp_merchant_mismatch'
  | 'acp_merchant_unavailable'
  | 'acp_session_not_found'
  | 'acp_session_not_ready'
  | 'acp_session_used'
  | 'acp_unsupported_handler'
  | 'acp_vendor_unknown'
  | 'agent_bound_key'
  | 'agent_not_found'
  | 'amount_above_hold'
  | 'amount_above_settled'
  | 'analytics_not_ready'
  | 'api_key_not_found'
  | 'approval_decided'
  | 'approval_not_found'
  | 'approval_own_request'
  | 'audience_not_allowed'
  | 'backtest_running'
  | 'body_too_large'
  | 'budget_below_spent'
  | 'card_alias_taken'
  | 'card_closed_for_good'
  | 'card_connection_in_use'
  | 'card_connection_limit_reached'
  | 'card_connection_not_found'
  | 'card_connection_removed'
  | 'card_exists'
  | 'card_limit_reached'
  | 'card_not_found'
  | 'chain_clock_apart'
  | 'chain_unavailable'
  | 'changed_meanwhile'
  | 'cross_site'
  | 'delivery_not_found'
  | 'draft_limit_reached'
  | 'event_not_found'
  | 'event_removed'
  | 'expressions_too_costly'
  | 'external_id_taken'
  | 'four_eyes_required'
  | 'idempotency_in_flight'
  | 'idempotency_key_required'
  | 'idempotency_key_reused'
  | 'inputs_not_kept'
  | 'insufficient_role'
  | 'insufficient_scope'
  | 'internal_error'
  | 'invalid_idempotency_key'
  | 'last_managing_key'
  | 'leaf_not_found'
  | 'livemode_mismatch'
  | 'log_shorter'
  | 'malformed_json'
  | 'mandate_conflict'
  | 'mandate_has_children'
  | 'mandate_inactive'
  | 'mandate_not_found'
  | 'mandate_state'
  | 'mandate_wider_than_parent'
  | 'overloaded'
  | 'pan_not_allowed'
  | 'parent_not_active'
  | 'plan_limit_exceeded'
  | 'public_url_missing'
  | 'rate_limited'
  | 'reauthentication_required'
  | 'redelivery_running'
  | 'session_required'
  | 'signer_unavailable'
  | 'storage_full'
  | 'storage_unavailable'
  | 'store_moved'
  | 'store_restored'
  | 'transaction_not_found'
  | 'transaction_state'
  | 'unauthenticated'
  | 'unreadable_name'
  | 'unsupported_media_type'
  | 'upstream_redirect'
  | 'upstream_timeout'
  | 'upstream_unreachable'
  | 'url_not_allowed'
  | 'validation_failed'
  | 'vendor_host_taken'
  | 'vendor_not_found'
  | 'wallet_address_taken'
  | 'wallet_insufficient_funds'
  | 'wallet_not_configured'
  | 'wallet_not_found'
  | 'webhook_endpoint_not_found'
  | 'webhook_not_configured'
  | 'x402_fetch_off'
  | 'x402_malformed'
  | 'x402_max_amount_exceeded'
  | 'x402_no_acceptable_offer'
  | 'x402_payment_stopped'
  | 'x402_version_unsupported'

export interface FieldError {
  /** JSON pointer to the field, such as `/amount`. */
  readonly path: string
  /** The kind of mistake, such as `required`. */
  readonly code: string
  /** The mistake in this field. */
  readonly message: string
}

/** An error response: a problem document as defined in RFC 9457. */
export interface Problem {
  /** A URI that names the kind of problem. It ends with `code`. */
  readonly type: string
  /** The kind of problem in one sentence. */
  readonly title: string
  /** The HTTP status of the response. */
  readonly status: number
  /** The problem with this request, and how to fix it. */
  readonly detail: string
  /** The path of the request. */
  readonly instance: string
  /**
   * The machine-readable code. Base your error handling on it: codes never change their meaning.
   * New codes may be added; handle an unknown code by its HTTP status.
   */
  readonly code: ProblemCode | (string & {})
  /** The request id, as in the header X-Request-Id. Quote it when you report a problem. */
  readonly requestId: string
  /**
   * The id that the caller sent in the header X-Request-Id, if it has 1 to 128 letters, digits or
   * characters of `-_.:/+=@~`. It is also in the log lines about the request.
   */
  readonly clientRequestId?: string | undefined
  /** The invalid fields. Empty if the problem is not about fields; at most 20. */
  readonly errors: readonly FieldError[]
  readonly [field: string]: unknown
}

/** What happens when the rule fails. Default: reject. */
export type Effect = 'reject' | 'require_approval' | 'flag'

/** Restricts which payment paths a spend may use. */
export interface PathsRuleInput {
  readonly type: 'paths'
  /** Names the rule in findings. If omitted, it is derived from the type. */
  readonly id?: string | undefined
  readonly effect?: Effect | undefined
  /** The payment paths that pass. */
  readonly allow: readonly PathName[]
}

/** Restricts which vendors a spend may pay: hosts, or `*.` for all subdomains. */
export interface VendorsRuleInput {
  readonly type: 'vendors'
  /** Names the rule in findings. If omitted, it is derived from the type. */
  readonly id?: string | undefined
  readonly effect?: Effect | undefined
  /** Only these vendors pass. Without it, every vendor that is not blocked passes. */
  readonly allow?: readonly string[] | undefined
  /** These vendors fail, even if they are also allowed. */
  readonly block?: readonly string[] | undefined
}

/** Restricts which categories a spend may have. */
export interface CategoriesRuleInput {
  readonly type: 'categories'
  /** Names the rule in findings. If omitted, it is derived from the type. */
  readonly id?: string | undefined
  readonly effect?: Effect | undefined
  /** Only these categories pass. Without it, every category that is not blocked passes. */
  readonly allow?: readonly string[] | undefined
  /** These categories fail, even if they are also allowed. */
  readonly block?: readonly string[] | undefined
}

/** Sets a minimum or a maximum for the amount of a single spend. */
export interface AmountRuleInput {
  readonly type: 'amount'
  /** Names the rule in findings. If omitted, it is derived from the type. */
  readonly id?: string | undefined
  readonly effect?: Effect | undefined
  /** The smallest amount that passes. In currency units, with at most six decimals. */
  readonly min?: number | undefined
  /** The largest amount that passes. In currency units, with at most six decimals. */
  readonly max?: number | undefined
}

/** A day of the week. */
export type Weekday = 'mon' | 'tue' | 'wed' | 'thu' | 'fri' | 'sat' | 'sun'

export interface ScheduleWindow {
  /** The days on which the window opens. Without it, every day. */
  readonly days?: readonly Weekday[] | undefined
  /** When the window opens. */
  readonly from: string
  /** When the window closes; this minute is outside. If earlier than `from`, on the next day. */
  readonly to: string
}

/** Restricts spends to time windows of the week. */
export interface ScheduleRuleInput {
  readonly type: 'schedule'
  /** Names the rule in findings. If omitted, it is derived from the type. */
  readonly id?: string | undefined
  readonly effect?: Effect | undefined
  /** The windows in which a spend passes. */
  readonly windows: readonly ScheduleWindow[]
  /** IANA time zone of the windows. Default: the time zone of the mandate. */
  readonly timezone?: string | undefined
}

/** Counts each vendor, or each category, separately. */
export type LimitGrouping = 'vendor' | 'category'

export interface LimitMatch {
  /** A host, or `*.` and a domain name. */
  readonly vendor?: string | undefined
  /** This category. A spend without a category fails if everything else matches. */
  readonly category?: string | undefined
  /** This payment path. */
  readonly path?: PathName | undefined
}

/** Limits the number or the total of spends within a time window. */
export interface LimitRuleInput {
  readonly type: 'limit'
  /** Names the rule in findings. If omitted, it is derived from the type. */
  readonly id?: string | undefined
  readonly effect?: Effect | undefined
  /** The maximum number of spends within the window. */
  readonly maxCount?: number | undefined
  /** The maximum total within the window. In currency units, with at most six decimals. */
  readonly maxAmount?: number | undefined
  /**
   * A rolling window (`90s`, `10m`, `1h`, `30d`; 10 s to 90 days), a calendar window in the time
   * zone of the mandate (`hour`, `day`, `week`, `month`), or the `period` of its budget.
   */
  readonly window: string
  readonly groupBy?: LimitGrouping | undefined
  /** Counts and limits only spends that match all of these. */
  readonly match?: LimitMatch | undefined
}

/** A field that two spends must share to count as duplicates. */
export type DuplicateField = 'vendor' | 'amount' | 'category' | 'reference'

/** Stops a spend that repeats one approved shortly before. */
export interface DuplicateRuleInput {
  readonly type: 'duplicate'
  /** Names the rule in findings. If omitted, it is derived from the type. */
  readonly id?: string | undefined
  readonly effect?: Effect | undefined
  /** How long a spend is remembered: 10 s to 90 days. */
  readonly window: string
  /**
   * Spends that agree in all of these fields are duplicates. Default: vendor, amount, reference.
   */
  readonly match?: readonly DuplicateField[] | undefined
}

/** Stops the first spend of an agent at a vendor. */
export interface NewVendorRuleInput {
  readonly type: 'new_vendor'
  /** Names the rule in findings. If omitted, it is derived from the type. */
  readonly id?: string | undefined
  readonly effect?: Effect | undefined
}

/** Stops a spend that costs much more than the last one at the vendor. */
export interface PriceDriftRuleInput {
  readonly type: 'price_drift'
  /** Names the rule in findings. If omitted, it is derived from the type. */
  readonly id?: string | undefined
  readonly effect?: Effect | undefined
  /** The largest increase over the last price that passes, in percent. 0 allows no increase. */
  readonly maxIncreasePercent: number
}

/** Passes if a CEL expression about the spend is true. */
export interface ExpressionRuleInput {
  readonly type: 'expression'
  /** Names the rule in findings. If omitted, it is derived from the type. */
  readonly id?: string | undefined
  readonly effect?: Effect | undefined
  /** A CEL expression that is true or false. Write amounts as money('20'). */
  readonly expr: string
}

/** What happens when the rule fails. Default: require_approval. */
export type ApprovalEffect = 'require_approval'

/** Requires the approval of a person before a spend. */
export interface ApprovalRuleInput {
  readonly type: 'approval'
  /** Names the rule in findings. If omitted, it is derived from the type. */
  readonly id?: string | undefined
  readonly effect?: ApprovalEffect | undefined
  /**
   * Only larger amounts need approval. Without it, every spend does. In currency units, with at
   * most six decimals.
   */
  readonly above?: number | undefined
  /** How long the request waits for an answer: 1 minute to 7 days. Default: 30m. */
  readonly expiresIn?: string | undefined
}

export type RuleInput =
  | PathsRuleInput
  | VendorsRuleInput
  | CategoriesRuleInput
  | AmountRuleInput
  | ScheduleRuleInput
  | LimitRuleInput
  | DuplicateRuleInput
  | NewVendorRuleInput
  | PriceDriftRuleInput
  | ExpressionRuleInput
  | ApprovalRuleInput

/**
 * How often the budget resets, by the calendar in the mandate's time zone. `none`: it never resets.
 */
export type BudgetPeriod = 'none' | 'daily' | 'weekly' | 'monthly' | 'yearly'

/** A warning about rules that contradict each other or have no effect. */
export interface MandateWarning {
  /** The warning's code. docs/rules.md lists all codes; new ones may be added. */
  readonly code: string
  /** The warning in one sentence. */
  readonly message: string
  /** The ids of the rules that it is about. */
  readonly ruleIds: readonly string[]
}

/**
 * `other_currency`: the money has a different currency than its authorization or mandate.
 * `unlinked_refund`: the refund belongs to no authorization. `unreadable_event`: the gateway cannot
 * read the event.
 */
export type CardFlag = 'other_currency' | 'unlinked_refund' | 'unreadable_event'

/** Whether the gateway approved or rejected the spend. */
export type Decision = 'approved' | 'rejected'

/** `percentUsed`: largest used part of the budget first. */
export type SortByUse = 'percentUsed'

/**
 * `rejected`: the gateway rejected the spend. `held`: the amount is reserved. `settled`: the amount
 * is spent. `voided`: the hold was released because no money moved. `expired`: the hold expired and
 * released its budget. `partially_refunded`, `refunded`: money came back.
 */
export type TransactionStatus =
  | 'rejected'
  | 'held'
  | 'settled'
  | 'voided'
  | 'expired'
  | 'partially_refunded'
  | 'refunded'

/** `key`: an API key. `member`: a person. `issuer`: the card issuer of a card connection. */
export type RequesterKind = 'key' | 'member' | 'issuer'

export interface Requester {
  /**
   * The kind of sender: an API key, a member, or the card issuer of a card connection. New kinds
   * may be added.
   */
  readonly kind: RequesterKind | (string & {})
  /** The id of the key (`key_…`), the member (`mem_…`) or the connection (`conn_…`). */
  readonly id: string
  /** The current or last name of the sender. */
  readonly name: string
}

/**
 * The plan of the organization. It sets the monthly evaluations, the agents and the request rate.
 */
export type Plan = 'free' | 'pro' | 'scale' | 'self_hosted'

/** The kind of event. */
export type EventKind =
  | 'transaction.approved'
  | 'transaction.rejected'
  | 'mandate.budget.warning'
  | 'mandate.budget.exhausted'
  | 'transaction.settled'
  | 'transaction.voided'
  | 'transaction.expired'
  | 'transaction.refunded'
  | 'approval.requested'
  | 'approval.decided'
  | 'usage.warning'
  | 'usage.exhausted'
  | 'card.flagged'
  | 'sign_in.succeeded'
  | 'sign_in.failed'
  | 'sign_in.locked'
  | 'sign_in.refused'
  | 'sign_in.reset'
