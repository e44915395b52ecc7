// Written by `npm run generate` from openapi.json. Do not change it by hand.

import type {
  ApprovedStatus,
  BudgetPeriod,
  Decision,
  DecisionCode,
  EvaluationDetails,
  MandateWarning,
  PathName,
  RuleInput,
} from './common.ts'

export interface HoldInput {
  /**
   * How long the hold lasts, such as `90s`, `15m`, `2h` or `7d`: from 10 seconds to 30 days. A hold
   * that expires releases its budget.
   */
  readonly expiresIn: string
}

export interface SpendInput {
  /** The id of the agent. Optional for a key that is bound to exactly one agent. */
  readonly agentId?: string | undefined
  /**
   * Amount in units of the currency (12.5 means 12.50 USD). Must be more than 0, with at most six
   * decimals.
   */
  readonly amount: number
  /**
   * Host name of the vendor, such as `api.openai.com`. From a URL, the gateway takes the host. A
   * single word, such as `openai`, is accepted only if the vendor directory contains it.
   */
  readonly vendor: string
  /** The category of the purchase, such as `llm`. Rules and totals use it. */
  readonly category: string
  /** ISO 4217 code, or USDC or EURC. Must be the mandate's currency, which is also the default. */
  readonly currency?: string | undefined
  /** Your own reference for the purchase, such as an order number. */
  readonly reference?: string | undefined
  /** Why the agent spends. Stored with the transaction; no rule uses it. */
  readonly reason?: string | undefined
  /**
   * Your own key-value data: up to 20 entries, with names of 1 to 64 characters and values of at
   * most 500.
   */
  readonly metadata?: Readonly<Record<string, string>> | undefined
  /**
   * Places a hold on the amount instead of settling the spend at once. Settle or void the hold
   * later.
   */
  readonly hold?: HoldInput | undefined
  /**
   * The id of the approval that this spend requested when it was rejected. If a person has approved
   * it, it lets this spend pass once.
   */
  readonly approvalId?: string | undefined
}

/** The gateway approved the spend. */
export interface ApprovedEvaluation {
  /** The decision on the spend. */
  readonly decision: 'approved'
  /**
   * The budget that remains after the decision, in units of the currency: the smallest among the
   * mandate and its parents. An agent-bound key sees only the remaining budget of its own mandate.
   */
  readonly remainingBudget: number
  /** The id of the transaction that records the decision. */
  readonly transactionId: string
  /** How the gateway reached the decision. */
  readonly evaluationDetails: EvaluationDetails
  /** The id of the mandate that applied. */
  readonly mandateId: string
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
  /**
   * The scope that this key lacks to settle or void the hold that it has just opened. Only present
   * in that case. Close the hold with a key that has the scope, or the hold expires.
   */
  readonly missingScope?: 'transactions:write' | undefined
}

/** The gateway rejected the spend. Nothing was taken from the budget. */
export interface RejectedEvaluation {
  /** The decision on the spend. */
  readonly decision: 'rejected'
  /**
   * The budget that remains after the decision, in units of the currency: the smallest among the
   * mandate and its parents. An agent-bound key sees only the remaining budget of its own mandate.
   */
  readonly remainingBudget: number
  /** The id of the transaction that records the decision. */
  readonly transactionId: string
  /** How the gateway reached the decision. */
  readonly evaluationDetails: EvaluationDetails
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
}

/** The decision on a spend. Read `decision` first. */
export type Evaluation = ApprovedEvaluation | RejectedEvaluation

export interface SimulationInput {
  /**
   * Amount in units of the currency (12.5 means 12.50 USD). Must be more than 0, with at most six
   * decimals.
   */
  readonly amount?: number | undefined
  /**
   * Host name of the vendor, such as `api.openai.com`. From a URL, the gateway takes the host. A
   * single word, such as `openai`, is accepted only if the vendor directory contains it.
   */
  readonly vendor?: string | undefined
  /** The category of the purchase, such as `llm`. Rules and totals use it. */
  readonly category?: string | undefined
  /** The id of the agent. Optional for a key that is bound to exactly one agent. */
  readonly agentId?: string | undefined
  /** ISO 4217 code, or USDC or EURC. Must be the mandate's currency, which is also the default. */
  readonly currency?: string | undefined
  /** Your own reference for the purchase, such as an order number. */
  readonly reference?: string | undefined
  /** Why the agent spends. Stored with the transaction; no rule uses it. */
  readonly reason?: string | undefined
  /**
   * Your own key-value data: up to 20 entries, with names of 1 to 64 characters and values of at
   * most 500.
   */
  readonly metadata?: Readonly<Record<string, string>> | undefined
  /**
   * Places a hold on the amount instead of settling the spend at once. Settle or void the hold
   * later.
   */
  readonly hold?: HoldInput | undefined
  /** Rules to use instead of the mandate's own rules, for example to try out a draft. */
  readonly rules?: readonly RuleInput[] | undefined
  /**
   * The id of a draft. The gateway judges the spend as if the draft were the agent's active
   * mandate. The id of the active mandate is allowed too. `agentId` is optional with it.
   */
  readonly mandateId?: string | undefined
  /**
   * The budget per period to use instead of the budget of `mandateId`. Without `mandateId`, the
   * gateway judges the spend by a new mandate with this budget, `rules`, `currency` (default: the
   * organization's currency) and `budgetPeriod` (default: `none`), under which nothing was spent.
   */
  readonly budgetTotal?: number | undefined
  readonly budgetPeriod?: BudgetPeriod | undefined
  /**
   * The payment path of the spend. Default: `evaluate`. The simulation leaves out the checks that
   * only the path makes, such as those of payees, wallets and cards.
   */
  readonly path?: PathName | undefined
  /**
   * The time at which the gateway judges the spend, for example to try out a schedule: at most 366
   * days from now. Budgets and limits know the spends up to now. Default: now.
   */
  readonly at?: string | undefined
  /**
   * The id of an earlier decision to evaluate again with its stored inputs. No other field is
   * allowed with it. Without it, `amount`, `vendor` and `category` are required.
   */
  readonly transactionId?: string | undefined
}

/**
 * The versions of the rule engine. Only present if a newer engine evaluated an earlier decision
 * again.
 */
export interface JudgingEngines {
  /** The version of the rule engine that made the decision. */
  readonly then: number
  /** The version of the rule engine that evaluated it again. */
  readonly now: number
}

export interface JudgedDifference {
  /** The name of the field. */
  readonly field: string
  /** The value in the original response. Null if the field was absent. */
  readonly before: unknown
  /** The value that the current rule engine gives. Null if the field is absent. */
  readonly after: unknown
}

/** The gateway approved the spend. */
export interface ApprovedSimulation {
  /** The decision on the spend. */
  readonly decision: 'approved'
  /**
   * The budget that remains after the decision, in units of the currency: the smallest among the
   * mandate and its parents. An agent-bound key sees only the remaining budget of its own mandate.
   */
  readonly remainingBudget: number
  /**
   * The id of the decision that was evaluated again. Null for a new spend, since nothing is
   * recorded.
   */
  readonly transactionId: string | null
  /** How the gateway reached the decision. */
  readonly evaluationDetails: EvaluationDetails
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
  /**
   * Only if you sent `rules`, `mandateId` or `budgetTotal`: warnings about the rules, such as
   * history that the simulation does not have.
   */
  readonly warnings?: readonly MandateWarning[] | undefined
  /**
   * The versions of the rule engine. Only present if a newer engine evaluated an earlier decision
   * again.
   */
  readonly engine?: JudgingEngines | undefined
  /**
   * The fields whose values differ from the original response. Present with `engine`; empty if
   * nothing differs.
   */
  readonly differs?: readonly JudgedDifference[] | undefined
}

/** The gateway rejected the spend. Nothing was taken from the budget. */
export interface RejectedSimulation {
  /** The decision on the spend. */
  readonly decision: 'rejected'
  /**
   * The budget that remains after the decision, in units of the currency: the smallest among the
   * mandate and its parents. An agent-bound key sees only the remaining budget of its own mandate.
   */
  readonly remainingBudget: number
  /**
   * The id of the decision that was evaluated again. Null for a new spend, since nothing is
   * recorded.
   */
  readonly transactionId: string | null
  /** How the gateway reached the decision. */
  readonly evaluationDetails: EvaluationDetails
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
  /**
   * Only if you sent `rules`, `mandateId` or `budgetTotal`: warnings about the rules, such as
   * history that the simulation does not have.
   */
  readonly warnings?: readonly MandateWarning[] | undefined
  /**
   * The versions of the rule engine. Only present if a newer engine evaluated an earlier decision
   * again.
   */
  readonly engine?: JudgingEngines | undefined
  /**
   * The fields whose values differ from the original response. Present with `engine`; empty if
   * nothing differs.
   */
  readonly differs?: readonly JudgedDifference[] | undefined
}

/** The response that an evaluation would give now. Nothing was recorded. */
export type Simulation = ApprovedSimulation | RejectedSimulation

/**
 * `sign`: the agent received a 402 response, and the gateway returns the header that pays it.
 * `fetch`: the gateway calls the URL, pays, and returns the resource. `quote`: the gateway only
 * decides; nothing is recorded or paid. Default: `sign` if `paymentRequired` is set, otherwise
 * `fetch`.
 */
export type X402Mode = 'sign' | 'fetch' | 'quote'

/** The HTTP method of the request to the vendor. Default: GET. */
export type X402Method = 'GET' | 'HEAD' | 'POST' | 'PUT' | 'PATCH' | 'DELETE'

/** How `body` is encoded. Default: `utf8`. */
export type X402RequestEncoding = 'utf8' | 'base64'

export interface X402Request {
  /** Request headers, at most 64. */
  readonly headers?: Readonly<Record<string, string>> | undefined
  /** The request body. */
  readonly body?: string | undefined
  readonly bodyEncoding?: X402RequestEncoding | undefined
}

export interface X402PaymentInput {
  /** The id of the agent. Optional for a key that is bound to exactly one agent. */
  readonly agentId?: string | undefined
  /**
   * The URL that the agent requested, or that the gateway should request. Its host is the vendor of
   * the spend.
   */
  readonly url: string
  readonly mode?: X402Mode | undefined
  readonly method?: X402Method | undefined
  /**
   * The vendor's 402 response, unchanged: the PAYMENT-REQUIRED header or the response body, in x402
   * version 1 or 2.
   */
  readonly paymentRequired?: string | Readonly<Record<string, unknown>> | undefined
  /**
   * Which offer in `accepts` to pay, counted from 0. Default: the cheapest offer that can be paid.
   */
  readonly acceptIndex?: number | undefined
  /**
   * The highest price to pay, in units of the currency. If the price is higher, the response is 422
   * `x402_max_amount_exceeded` and nothing is recorded.
   */
  readonly maxAmount?: number | undefined
  /** The id of the wallet to pay from. Default: the organization's first wallet. */
  readonly walletId?: string | undefined
  /**
   * The category of the purchase. If the vendor directory has a category for the vendor, that one
   * is used instead.
   */
  readonly category?: string | undefined
  /** Your own reference for the purchase, such as an order number. */
  readonly reference?: string | undefined
  /** Why the agent spends. Stored with the transaction; no rule uses it. */
  readonly reason?: string | undefined
  /**
   * Your own key-value data: up to 20 entries, with names of 1 to 64 characters and values of at
   * most 500.
   */
  readonly metadata?: Readonly<Record<string, string>> | undefined
  /**
   * The id of the approval that this spend requested when it was rejected. If a person has approved
   * it, it lets this spend pass once.
   */
  readonly approvalId?: string | undefined
  /**
   * The request to send to the vendor. Only for `fetch`. The gateway does not forward headers of
   * the connection, the payment or a person's identity: Host, Authorization, Cookie, Forwarded,
   * Proxy-*, PAYMENT-*, X-PAYMENT*.
   */
  readonly request?: X402Request | undefined
  /**
   * Timeout in milliseconds for each of the two calls to the vendor. Default: 20000. Only for
   * `fetch`.
   */
  readonly timeoutMs?: number | undefined
}

/** The price that the vendor asks for. */
export interface X402Price {
  /** The price in the token's smallest unit. */
  readonly atomic: string
  /** The address of the token's contract. */
  readonly asset: string
  /** The symbol of the token. */
  readonly symbol: string
  /** The decimals of the token. */
  readonly decimals: number
  /** The chain, as a CAIP-2 id. */
  readonly network: string
  /** The currency that one token stands for. */
  readonly currency: string
}

/**
 * How the gateway knows that this address belongs to the vendor. `payto_pinned`: it is in the
 * vendor directory. `gateway_observed`: the gateway called the vendor and saw it. `agent_claimed`:
 * only the agent says so.
 */
export type X402PayeeAssurance = 'payto_pinned' | 'gateway_observed' | 'agent_claimed'

/** The recipient of the payment. */
export interface X402Payee {
  /** The address that is paid. */
  readonly address: string
  readonly assurance: X402PayeeAssurance
}

/** The header that carries the payment: `X-PAYMENT` in x402 version 1. */
export type X402HeaderName = 'PAYMENT-SIGNATURE' | 'X-PAYMENT'

/** The signed payment. Send it to the vendor as a header. */
export interface X402SignedPayment {
  readonly headerName: X402HeaderName
  /** The value of the header to send to the vendor. */
  readonly headerValue: string
  /** The decoded content of the header. */
  readonly payload: Readonly<Record<string, unknown>>
  /** The x402 version of the payment. */
  readonly x402Version: number
  /** The nonce of the signed authorization. */
  readonly nonce: string
  /** When the signed payment expires (ISO 8601, UTC). */
  readonly validBefore: string
}

/**
 * `settled`: the money moved. `pending`: the money may still move. `unknown`: the payment was sent
 * and its outcome is not known. `none`: no money moves.
 */
export type X402SettlementState = 'settled' | 'pending' | 'unknown' | 'none'

/**
 * The source of `state`: the chain, the vendor, or an assumption of the gateway. The vendor's word
 * alone never settles a payment.
 */
export type X402SettlementSource = 'chain' | 'vendor' | 'assumed'

/** Whether the money moved. */
export interface X402Settlement {
  readonly state: X402SettlementState
  /** The hash of the transaction on the chain. Null if not known. */
  readonly transaction: string | null
  readonly source: X402SettlementSource | null
  /** Whether the chain confirms `state`. */
  readonly verified: boolean
  /** The amount that was paid, in units of the currency. */
  readonly settledAmount: number | null
}

/**
 * `held`: the amount is reserved. `settled`: the payment was made. `released`: the budget was
 * released.
 */
export type X402HoldState = 'held' | 'settled' | 'released'

/** The hold on the budget. */
export interface X402Hold {
  /** The id of the transaction that holds the budget. */
  readonly id: string
  readonly state: X402HoldState
  /** The earliest time at which an unpaid hold is released (ISO 8601, UTC). */
  readonly releaseNotBefore: string
  /** The remaining budget, in units of the currency. */
  readonly budgetRemaining: number
}

/**
 * `asked_again`: the vendor returned 402 to the request that carried the payment. `price_raised`,
 * `payee_changed`, `asset_changed`: that second 402 asks for different terms than the ones that
 * were paid. `receipt_invented`: the vendor's receipt names a transfer that the chain does not
 * have. `receipt_differs`: the receipt names a different transaction than the one that moved the
 * money.
 */
export type X402AnomalyKind =
  | 'asked_again'
  | 'price_raised'
  | 'payee_changed'
  | 'asset_changed'
  | 'receipt_invented'
  | 'receipt_differs'

export interface X402Anomaly {
  readonly kind: X402AnomalyKind
  /** The vendor's behaviour in one sentence. */
  readonly detail: string
  /** When the gateway noticed it (ISO 8601, UTC). */
  readonly at: string
}

/** The gateway approved and signed the payment. Send the header to the vendor. */
export interface SignedX402Payment {
  /** `payment` has the header that pays. */
  readonly status: 'signed'
  /** The decision on the spend. */
  readonly decision: 'approved'
  /**
   * The budget that remains after the decision, in units of the currency: the smallest among the
   * mandate and its parents. An agent-bound key sees only the remaining budget of its own mandate.
   */
  readonly remainingBudget: number
  /** The id of the transaction that records the decision. */
  readonly transactionId: string
  /** How the gateway reached the decision. */
  readonly evaluationDetails: EvaluationDetails
  /** The id of the mandate that applied. */
  readonly mandateId: string
  /** The id of an agent. */
  readonly agentId: string
  /**
   * Amount in units of the currency (12.5 means 12.50 USD). Must be more than 0, with at most six
   * decimals.
   */
  readonly amount: number
  /** The host name of the vendor. */
  readonly vendor: string
  /** The category of the spend, such as `llm`. Null if it has none. */
  readonly category: string | null
  /** The ids of the rules that flagged the spend without blocking it. */
  readonly flags: readonly string[]
  /** The price that the vendor asks for. */
  readonly price: X402Price | null
  /** The recipient of the payment. */
  readonly payee: X402Payee
  /** The signed payment. Send it to the vendor as a header. */
  readonly payment: X402SignedPayment
  /** The vendor's response to the paid request. */
  readonly resource: null
  /** Why there is no `resource`. Null if there is one, or none was requested. */
  readonly resourceError: null
  /** Whether the money moved. */
  readonly settlement: X402Settlement
  /** The hold on the budget. */
  readonly hold: X402Hold
  /**
   * Suspicious behaviour of the vendor that the gateway has seen so far; at most 10 entries. Later
   * ones appear in `external.anomalies` of the transaction.
   */
  readonly anomalies: readonly X402Anomaly[]
}

/**
 * `paid`: the vendor delivered, and the chain shows the transfer. `paid_not_delivered`: the chain
 * shows the transfer, but the vendor did not deliver. `delivered_unsettled`: the vendor delivered,
 * and the chain shows no transfer yet. `settlement_unknown`: the payment was sent and its outcome
 * is not known yet. `not_paid`: the payment expired unused, and its budget was released. `settled`:
 * a repeated `sign` request whose payment has been made.
 */
export type X402OutcomeStatus =
  | 'paid'
  | 'paid_not_delivered'
  | 'delivered_unsettled'
  | 'settlement_unknown'
  | 'not_paid'
  | 'settled'

/** How `body` is encoded: parsed JSON, text, or Base64 for binary data. */
export type X402ResourceBodyEncoding = 'json' | 'utf8' | 'base64'

/** The vendor's response to the paid request. */
export interface X402Resource {
  /** The HTTP status of the vendor's response. */
  readonly status: number
  /** The headers of the vendor's response. */
  readonly headers: Readonly<Record<string, string>>
  /** The response body: parsed JSON if `bodyEncoding` is `json`, otherwise a string. */
  readonly body: unknown
  readonly bodyEncoding: X402ResourceBodyEncoding
  /** Whether `body` is incomplete. */
  readonly truncated: boolean
}

export interface X402ResourceError {
  /** The kind of failure. */
  readonly code: string
  /** The failure in one sentence. */
  readonly message: string
}

/** The gateway approved the payment, and it was made or may be. */
export interface MadeX402Payment {
  readonly status: X402OutcomeStatus
  /** The decision on the spend. */
  readonly decision: 'approved'
  /**
   * The budget that remains after the decision, in units of the currency: the smallest among the
   * mandate and its parents. An agent-bound key sees only the remaining budget of its own mandate.
   */
  readonly remainingBudget: number
  /** The id of the transaction that records the decision. */
  readonly transactionId: string
  /** How the gateway reached the decision. */
  readonly evaluationDetails: EvaluationDetails
  /** The id of the mandate that applied. */
  readonly mandateId: string
  /** The id of an agent. */
  readonly agentId: string
  /**
   * Amount in units of the currency (12.5 means 12.50 USD). Must be more than 0, with at most six
   * decimals.
   */
  readonly amount: number
  /** The host name of the vendor. */
  readonly vendor: string
  /** The category of the spend, such as `llm`. Null if it has none. */
  readonly category: string | null
  /** The ids of the rules that flagged the spend without blocking it. */
  readonly flags: readonly string[]
  /** The price that the vendor asks for. */
  readonly price: X402Price | null
  /** The recipient of the payment. */
  readonly payee: X402Payee
  /** The signed payment. Send it to the vendor as a header. */
  readonly payment: X402SignedPayment | null
  /** The vendor's response to the paid request. */
  readonly resource: X402Resource | null
  /** Why there is no `resource`. Null if there is one, or none was requested. */
  readonly resourceError: X402ResourceError | null
  /** Whether the money moved. */
  readonly settlement: X402Settlement
  /** The hold on the budget. */
  readonly hold: X402Hold
  /**
   * Suspicious behaviour of the vendor that the gateway has seen so far; at most 10 entries. Later
   * ones appear in `external.anomalies` of the transaction.
   */
  readonly anomalies: readonly X402Anomaly[]
}

/** The gateway rejected the payment. Nothing was signed or paid. */
export interface RejectedX402Payment {
  /** The mandate does not allow the payment. */
  readonly status: 'rejected'
  /** The decision on the spend. */
  readonly decision: 'rejected'
  /**
   * The budget that remains after the decision, in units of the currency: the smallest among the
   * mandate and its parents. An agent-bound key sees only the remaining budget of its own mandate.
   */
  readonly remainingBudget: number
  /** The id of the transaction that records the decision. */
  readonly transactionId: string | null
  /** How the gateway reached the decision. */
  readonly evaluationDetails: EvaluationDetails
  /** The id of the mandate that applied. */
  readonly mandateId: string | null
  /** The id of an agent. */
  readonly agentId: string
  /**
   * Amount in units of the currency (12.5 means 12.50 USD). Must be more than 0, with at most six
   * decimals.
   */
  readonly amount: number | null
  /** The host name of the vendor. */
  readonly vendor: string
  /** The category of the spend, such as `llm`. Null if it has none. */
  readonly category: string | null
  /** The ids of the rules that flagged the spend without blocking it. */
  readonly flags: readonly string[]
  /** The price that the vendor asks for. */
  readonly price: null
  /** The recipient of the payment. */
  readonly payee: null
  /** The signed payment. Send it to the vendor as a header. */
  readonly payment: null
  /** The vendor's response to the paid request. */
  readonly resource: null
  /** Why there is no `resource`. Null if there is one, or none was requested. */
  readonly resourceError: null
  /** Whether the money moved. */
  readonly settlement: X402Settlement
  /** The hold on the budget. */
  readonly hold: null
  /**
   * Suspicious behaviour of the vendor that the gateway has seen so far; at most 10 entries. Later
   * ones appear in `external.anomalies` of the transaction.
   */
  readonly anomalies: readonly X402Anomaly[]
}

/** The gateway would approve the payment now. */
export interface ApprovedX402Quote {
  /** The gateway only decided. It recorded, held and signed nothing. */
  readonly status: 'quoted'
  /** The decision on the spend. */
  readonly decision: 'approved'
  /**
   * The budget that remains after the decision, in units of the currency: the smallest among the
   * mandate and its parents. An agent-bound key sees only the remaining budget of its own mandate.
   */
  readonly remainingBudget: number
  /** The id of the transaction that records the decision. */
  readonly transactionId: null
  /** How the gateway reached the decision. */
  readonly evaluationDetails: EvaluationDetails
  /** The id of the mandate that applied. */
  readonly mandateId: string
  /** The id of an agent. */
  readonly agentId: string
  /**
   * Amount in units of the currency (12.5 means 12.50 USD). Must be more than 0, with at most six
   * decimals.
   */
  readonly amount: number
  /** The host name of the vendor. */
  readonly vendor: string
  /** The category of the spend, such as `llm`. Null if it has none. */
  readonly category: string | null
  /** The ids of the rules that flagged the spend without blocking it. */
  readonly flags: readonly string[]
  /** The price that the vendor asks for. */
  readonly price: X402Price
  /** The recipient of the payment. */
  readonly payee: X402Payee
  /** The signed payment. Send it to the vendor as a header. */
  readonly payment: null
  /** The vendor's response to the paid request. */
  readonly resource: null
  /** Why there is no `resource`. Null if there is one, or none was requested. */
  readonly resourceError: null
  /** Whether the money moved. */
  readonly settlement: X402Settlement
  /** The hold on the budget. */
  readonly hold: null
  /**
   * Suspicious behaviour of the vendor that the gateway has seen so far; at most 10 entries. Later
   * ones appear in `external.anomalies` of the transaction.
   */
  readonly anomalies: readonly X402Anomaly[]
}

/** The gateway would reject the payment now. */
export interface RejectedX402Quote {
  /** The gateway only decided. It recorded, held and signed nothing. */
  readonly status: 'quoted'
  /** The decision on the spend. */
  readonly decision: 'rejected'
  /**
   * The budget that remains after the decision, in units of the currency: the smallest among the
   * mandate and its parents. An agent-bound key sees only the remaining budget of its own mandate.
   */
  readonly remainingBudget: number
  /** The id of the transaction that records the decision. */
  readonly transactionId: null
  /** How the gateway reached the decision. */
  readonly evaluationDetails: EvaluationDetails
  /** The id of the mandate that applied. */
  readonly mandateId: string | null
  /** The id of an agent. */
  readonly agentId: string
  /**
   * Amount in units of the currency (12.5 means 12.50 USD). Must be more than 0, with at most six
   * decimals.
   */
  readonly amount: number
  /** The host name of the vendor. */
  readonly vendor: string
  /** The category of the spend, such as `llm`. Null if it has none. */
  readonly category: string | null
  /** The ids of the rules that flagged the spend without blocking it. */
  readonly flags: readonly string[]
  /** The price that the vendor asks for. */
  readonly price: X402Price
  /** The recipient of the payment. */
  readonly payee: X402Payee
  /** The signed payment. Send it to the vendor as a header. */
  readonly payment: null
  /** The vendor's response to the paid request. */
  readonly resource: null
  /** Why there is no `resource`. Null if there is one, or none was requested. */
  readonly resourceError: null
  /** Whether the money moved. */
  readonly settlement: X402Settlement
  /** The hold on the budget. */
  readonly hold: null
  /**
   * Suspicious behaviour of the vendor that the gateway has seen so far; at most 10 entries. Later
   * ones appear in `external.anomalies` of the transaction.
   */
  readonly anomalies: readonly X402Anomaly[]
}

/** The vendor did not ask for a payment, so there was nothing to decide. */
export interface UnpaidX402Resource {
  /** The vendor did not ask for a payment; see `resource.status`. */
  readonly status: 'no_payment_required'
  /** Always null here. */
  readonly decision: null
  /**
   * The budget that remains after the decision, in units of the currency: the smallest among the
   * mandate and its parents. An agent-bound key sees only the remaining budget of its own mandate.
   */
  readonly remainingBudget: null
  /** The id of the transaction that records the decision. */
  readonly transactionId: null
  /** How the gateway reached the decision. */
  readonly evaluationDetails: null
  /** The id of the mandate that applied. */
  readonly mandateId: null
  /** The id of an agent. */
  readonly agentId: string
  /**
   * Amount in units of the currency (12.5 means 12.50 USD). Must be more than 0, with at most six
   * decimals.
   */
  readonly amount: null
  /** The host name of the vendor. */
  readonly vendor: string
  /** The category of the spend, such as `llm`. Null if it has none. */
  readonly category: null
  /** The ids of the rules that flagged the spend without blocking it. */
  readonly flags: readonly string[]
  /** The price that the vendor asks for. */
  readonly price: null
  /** The recipient of the payment. */
  readonly payee: null
  /** The signed payment. Send it to the vendor as a header. */
  readonly payment: null
  /** The vendor's response to the paid request. */
  readonly resource: X402Resource | null
  /** Why there is no `resource`. Null if there is one, or none was requested. */
  readonly resourceError: X402ResourceError | null
  /** Whether the money moved. */
  readonly settlement: null
  /** The hold on the budget. */
  readonly hold: null
  /**
   * Suspicious behaviour of the vendor that the gateway has seen so far; at most 10 entries. Later
   * ones appear in `external.anomalies` of the transaction.
   */
  readonly anomalies: readonly X402Anomaly[]
}

/** The decision on an x402 payment, and its outcome. `status` says which fields have values. */
export type X402Payment =
  | SignedX402Payment
  | MadeX402Payment
  | RejectedX402Payment
  | ApprovedX402Quote
  | RejectedX402Quote
  | UnpaidX402Resource

export interface AcpExpectation {
  /** The exact total that the session must have, in units of the currency. */
  readonly amount?: number | undefined
  /** The highest total that the session may have, in units of the currency. */
  readonly maxAmount?: number | undefined
  /** ISO 4217 code that the session must have. */
  readonly currency?: string | undefined
}

export interface AcpCheckoutInput {
  /** The id of the agent. Optional for a key that is bound to exactly one agent. */
  readonly agentId?: string | undefined
  /** The host of a vendor in the directory that has `acp` settings. */
  readonly vendor?: string | undefined
  /** The id of the checkout session that the agent has filled at the merchant. */
  readonly checkoutSessionId?: string | undefined
  /** The payment handler of the session to use. Default: the first one that is allowed. */
  readonly handlerId?: string | undefined
  /**
   * The organization's payment instrument to use. Default: the first one that the agent may use.
   */
  readonly instrumentId?: string | undefined
  /**
   * Conditions that the session must meet, otherwise the checkout is refused. They do not change
   * the amount that is paid.
   */
  readonly expect?: AcpExpectation | undefined
  /** Sent to the merchant, in the format of ACP. Stored encrypted until the checkout ends. */
  readonly buyer?: Readonly<Record<string, unknown>> | undefined
  /** Sent to the merchant, in the format of ACP. Stored encrypted until the checkout ends. */
  readonly billingAddress?: Readonly<Record<string, unknown>> | undefined
  /**
   * The category of the purchase. If the vendor directory has a category for the vendor, that one
   * is used instead.
   */
  readonly category?: string | undefined
  /** Your own reference for the purchase, such as an order number. */
  readonly reference?: string | undefined
  /** Why the agent spends. Stored with the transaction; no rule uses it. */
  readonly reason?: string | undefined
  /**
   * Your own key-value data: up to 20 entries, with names of 1 to 64 characters and values of at
   * most 500.
   */
  readonly metadata?: Readonly<Record<string, string>> | undefined
  /**
   * The id of the approval that this spend requested when it was rejected. If a person has approved
   * it, it lets this spend pass once.
   */
  readonly approvalId?: string | undefined
  /** If true, the gateway only decides: it holds and records nothing. */
  readonly dryRun?: boolean | undefined
  /** The id of the checkout to continue. */
  readonly transactionId?: string | undefined
  /** The result of the payer's authentication, in the format of ACP. Only with `transactionId`. */
  readonly authenticationResult?: Readonly<Record<string, unknown>> | undefined
  /** Cancels the checkout. Only with `transactionId`. */
  readonly cancel?: true | undefined
}

/**
 * `completed`: the merchant created the order. `processing`: the outcome is not known yet and the
 * budget stays held; if `failure` is set, it says why nothing will be bought. GET /transactions/:id
 * shows the outcome later. `requires_authentication`: the payer must authenticate. `failed`:
 * nothing was bought.
 */
export type ApprovedAcpCheckoutStatus = 'completed' | 'processing' | 'requires_authentication' | 'failed'

export interface AcpFailure {
  /** Why nothing was bought. */
  readonly code: string
  /** Whether a new attempt can succeed. */
  readonly retryable: boolean
  /**
   * The budget stays held at least until this time (ISO 8601, UTC). Only present while the status
   * is `processing` and the token provider does not answer.
   */
  readonly heldUntil?: string | undefined
}

export interface AcpTotal {
  /** The kind of total in ACP, such as `subtotal`. */
  readonly type: string
  /** Amount in units of the currency (12.5 means 12.50 USD). */
  readonly amount: number
}

export interface AcpLineItem {
  /** The id of the line item. */
  readonly id: string
  /** The merchant's id for the product. */
  readonly itemId: string
  /** The name of the product. */
  readonly name: string | null
  /** The number of units. */
  readonly quantity: number
  /** Amount in units of the currency (12.5 means 12.50 USD). */
  readonly amount: number | null
}

/** The checkout session as the merchant returned it for the decision. */
export interface AcpCheckout {
  /** The merchant's id for the checkout session. */
  readonly sessionId: string
  /** The host name of the vendor. */
  readonly vendor: string
  /** The merchant that is paid, one of `merchantIds` in the vendor directory. */
  readonly merchantId: string
  /** The ACP version. */
  readonly version: string
  /** ISO 4217 code of all amounts. */
  readonly currency: string
  /** The totals of the session. */
  readonly totals: readonly AcpTotal[]
  /** The products in the session. */
  readonly lineItems: readonly AcpLineItem[]
}

export interface AcpOrder {
  /** The merchant's id for the order. */
  readonly id: string
  /** The order's page at the merchant. */
  readonly permalinkUrl: string | null
  /** The status that the merchant reports. */
  readonly status: string | null
}

export interface AcpAuthentication {
  /** Data for the authentication, in the format of ACP. */
  readonly metadata: Readonly<Record<string, unknown>> | null
  /** The page on which the payer can authenticate. */
  readonly continueUrl: string | null
}

/** The gateway approved the purchase. `status` says how far it got. */
export interface ApprovedAcpCheckout {
  /** The decision on the spend. */
  readonly decision: 'approved'
  /**
   * The budget that remains after the decision, in units of the currency: the smallest among the
   * mandate and its parents. An agent-bound key sees only the remaining budget of its own mandate.
   */
  readonly remainingBudget: number
  /** The id of the transaction that records the decision. */
  readonly transactionId: string
  /** How the gateway reached the decision. */
  readonly evaluationDetails: EvaluationDetails
  /** The id of the mandate that applied. */
  readonly mandateId: string
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
  readonly status: ApprovedAcpCheckoutStatus
  /** Why the checkout failed. Null if it did not. */
  readonly failure: AcpFailure | null
  /** The checkout session as the merchant returned it for the decision. */
  readonly checkout: AcpCheckout
  /** The order. Null until the merchant has created it. */
  readonly order: AcpOrder | null
  /** How the payer authenticates. Null unless the merchant requires it. */
  readonly authentication: AcpAuthentication | null
}

/** The gateway rejected the purchase. Nothing was bought. */
export interface RejectedAcpCheckout {
  /** The decision on the spend. */
  readonly decision: 'rejected'
  /**
   * The budget that remains after the decision, in units of the currency: the smallest among the
   * mandate and its parents. An agent-bound key sees only the remaining budget of its own mandate.
   */
  readonly remainingBudget: number
  /** The id of the transaction that records the decision. */
  readonly transactionId: string
  /** How the gateway reached the decision. */
  readonly evaluationDetails: EvaluationDetails
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
  /** Nothing was bought. */
  readonly status: 'failed'
  /** Why the checkout failed. Null if it did not. */
  readonly failure: AcpFailure
  /** The checkout session as the merchant returned it for the decision. */
  readonly checkout: AcpCheckout
  /** The order. Null until the merchant has created it. */
  readonly order: null
  /** How the payer authenticates. Null unless the merchant requires it. */
  readonly authentication: null
}

/** The gateway would approve the purchase now. */
export interface ApprovedAcpEvaluation {
  /** The decision on the spend. */
  readonly decision: 'approved'
  /**
   * The budget that remains after the decision, in units of the currency: the smallest among the
   * mandate and its parents. An agent-bound key sees only the remaining budget of its own mandate.
   */
  readonly remainingBudget: number
  /** The id of the transaction that records the decision. */
  readonly transactionId: null
  /** How the gateway reached the decision. */
  readonly evaluationDetails: EvaluationDetails
  /** The id of the mandate that applied. */
  readonly mandateId: string
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
  /** The gateway only decided. It recorded and bought nothing. */
  readonly status: 'evaluated'
  /** Why the checkout failed. Null if it did not. */
  readonly failure: null
  /** The checkout session as the merchant returned it for the decision. */
  readonly checkout: AcpCheckout
  /** The order. Null until the merchant has created it. */
  readonly order: null
  /** How the payer authenticates. Null unless the merchant requires it. */
  readonly authentication: null
}

/** The gateway would reject the purchase now. */
export interface RejectedAcpEvaluation {
  /** The decision on the spend. */
  readonly decision: 'rejected'
  /**
   * The budget that remains after the decision, in units of the currency: the smallest among the
   * mandate and its parents. An agent-bound key sees only the remaining budget of its own mandate.
   */
  readonly remainingBudget: number
  /** The id of the transaction that records the decision. */
  readonly transactionId: null
  /** How the gateway reached the decision. */
  readonly evaluationDetails: EvaluationDetails
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
  /** The gateway only decided. It recorded and bought nothing. */
  readonly status: 'evaluated'
  /** Why the checkout failed. Null if it did not. */
  readonly failure: null
  /** The checkout session as the merchant returned it for the decision. */
  readonly checkout: AcpCheckout
  /** The order. Null until the merchant has created it. */
  readonly order: null
  /** How the payer authenticates. Null unless the merchant requires it. */
  readonly authentication: null
}

/** The decision on a merchant's checkout session, and the progress of the purchase. */
export type AcpCheckoutAnswer =
  | ApprovedAcpCheckout
  | RejectedAcpCheckout
  | ApprovedAcpEvaluation
  | RejectedAcpEvaluation

export interface MandateToken {
  /** The token: a JWT signed with ES256. */
  readonly token: string
  /** The `typ` of the JWT. */
  readonly tokenType: 'mandate+jwt'
  /** When the token expires (ISO 8601, UTC). */
  readonly expiresAt: string
  /** The id of the token. */
  readonly jti: string
  /** The id of the signing key. Its public key is at `jwksUri`. */
  readonly kid: string
  /** The public URL of this gateway. */
  readonly issuer: string
  /** The recipient of the token. */
  readonly audience: string
  /** The id of the mandate that the token attests. */
  readonly mandateId: string
  /** The version of the mandate. */
  readonly mandateVersion: number
  /** The URL of the public keys that verify the token. */
  readonly jwksUri: string
}

export interface ProposedSpend {
  /**
   * Amount in units of the currency (12.5 means 12.50 USD). Must be more than 0, with at most six
   * decimals.
   */
  readonly amount: number
  /** ISO 4217 code, or USDC or EURC. */
  readonly currency?: string | undefined
  /** Host name of the vendor, such as `shop.example`. From a URL, the gateway takes the host. */
  readonly vendor: string
  /** The category of the purchase. */
  readonly category?: string | undefined
  /** The payment path of the spend. Default: `evaluate`. */
  readonly path?: PathName | undefined
}

export interface IntrospectionInput {
  /** The mandate token. */
  readonly token: string
  /** A spend to decide on without recording or holding anything. */
  readonly proposed?: ProposedSpend | undefined
}

export interface TokenBudget {
  /** ISO 4217 code, or USDC or EURC. */
  readonly currency: string
  /** The budget of the period, in units of the currency. */
  readonly limit: number
  /** The remaining budget, in units of the currency. */
  readonly remaining: number
  readonly period: BudgetPeriod
  /** When the budget resets (ISO 8601, UTC). Null if it never does. */
  readonly resetsAt: string | null
  /** The time of these figures (ISO 8601, UTC). */
  readonly asOf: string
}

export interface ProposedOptions {
  /** The largest amount that would be approved now, in units of the currency. */
  readonly maxAmountNow: number | null
  /** The largest amount that would pass now with a person's approval, in units of the currency. */
  readonly maxAmountWithApproval: number | null
  /** When the same amount would be approved (ISO 8601, UTC). */
  readonly retryAfter: string | null
}

export interface ProposedDecision {
  readonly decision: Decision
  readonly code: DecisionCode | (string & {})
  /** The decision explained in one sentence. */
  readonly message: string
  /** The agent's options after a rejection. */
  readonly next: ProposedOptions
}

/** The token is valid now and belongs to your organization. */
export interface ActiveMandateToken {
  /** The token is valid now. */
  readonly active: true
  /** The claims of the token. */
  readonly claims: Readonly<Record<string, unknown>>
  /**
   * The current budget: that of the mandate or of the parent mandate with the smallest remaining
   * budget. An agent-bound key sees only its own mandate's budget.
   */
  readonly budget: TokenBudget
  /** The decision that the proposed spend would get now. */
  readonly proposed?: ProposedDecision | undefined
}

/** The token is not valid now, or does not belong to your organization. */
export interface InactiveMandateToken {
  /** The token cannot be relied on. */
  readonly active: false
}

/** Whether a mandate token is active, and the remaining budget if it is. */
export type Introspection = ActiveMandateToken | InactiveMandateToken

/** Send exactly one of the three fields. */
export interface RevocationInput {
  /** The id of the token to revoke. */
  readonly jti?: string | undefined
  /** The id of a mandate. Revokes all tokens of this mandate and its child mandates. */
  readonly mandateId?: string | undefined
  /** The id of an agent. Revokes all tokens of this agent. */
  readonly agentId?: string | undefined
}

export interface TokenRevocation {
  /**
   * When the revocation took effect (ISO 8601, UTC). Tokens issued until then are no longer valid;
   * later ones are.
   */
  readonly revokedAt: string
}

/** The query of “Get a signed token that proves an agent's mandate”. */
export interface GetMandateTokenQuery {
  /** The id of the agent. Optional for a key that is bound to exactly one agent. */
  readonly agentId?: string | undefined
  /**
   * The recipient of the token, as an https origin. Default: this gateway. Only tokens for the
   * gateway itself contain the rules and the budget.
   */
  readonly audience?: string | undefined
  /** The token's lifetime in seconds. It ends earlier if the mandate or a parent mandate ends. */
  readonly ttl?: number | undefined
}
