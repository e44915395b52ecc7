// Written by `npm run generate` from openapi.json. Do not change it by hand.

import type {
  Decision,
  DecisionCode,
  EvaluationDetails,
  PathName,
  Requester,
  TransactionStatus,
} from './common.ts'

/** `summary` leaves out `evaluationDetails`. */
export type TransactionView = 'full' | 'summary'

export interface ListedTransaction {
  /** The id of the transaction. */
  readonly transactionId: string
  /** The id of an agent. */
  readonly agentId: string
  /**
   * The current or last name of the agent, also of a deleted one. Responses to settle, void and
   * refund leave it out.
   */
  readonly agentName?: string | null | undefined
  /**
   * The key, member or card issuer that sent the spend. Null if it was not recorded. An agent-bound
   * key sees only itself, and null for other senders. Responses to settle, void and refund leave it
   * out.
   */
  readonly requestedBy?: Requester | null | undefined
  /** The id of the mandate that applied. */
  readonly mandateId: string | null
  /** Amount in units of the currency (12.5 means 12.50 USD). */
  readonly amount: number
  /** The host name of the vendor. */
  readonly vendor: string
  /** The category of the spend, such as `llm`. Null if it has none. */
  readonly category: string | null
  /** The budget that remained after the decision, in units of the currency. */
  readonly remainingBudget: number
  readonly decision: Decision
  readonly status: TransactionStatus
  readonly path: PathName
  /**
   * The currency of the amounts: ISO 4217 code, or USDC or EURC. Null if neither the spend nor a
   * mandate names one.
   */
  readonly currency: string | null
  /** Your own reference for the purchase. Null if you sent none. */
  readonly reference: string | null
  /** Why the agent spends. Null if it was not sent. */
  readonly reason: string | null
  /** Your own key-value data. Null if there is none, or retention removed it. */
  readonly metadata: Readonly<Record<string, string>> | null
  readonly code: DecisionCode | (string & {})
  /**
   * The details of the decision, as in the response to the evaluation. Null once retention has
   * removed them.
   */
  readonly evaluationDetails?: EvaluationDetails | null | undefined
  /**
   * When the organization's retention removed `evaluationDetails` and `metadata` (ISO 8601, UTC).
   * Null while they are stored.
   */
  readonly detailsRemovedAt: string | null
  /** The amount that is held now, in units of the currency. */
  readonly heldAmount: number
  /** The settled amount, in units of the currency. */
  readonly settledAmount: number
  /** The refunded amount, in units of the currency. */
  readonly refundedAmount: number
  /** When the hold expires (ISO 8601, UTC). Null if there is no hold that expires on its own. */
  readonly expiresAt: string | null
  /** The id of the approval that the spend requested, presented or used. */
  readonly approvalId: string | null
  /**
   * Data of the payment path, such as the transaction on the chain, the order or the card
   * authorization. Null if there is none.
   */
  readonly external: Readonly<Record<string, unknown>> | null
  /**
   * Flags for anything unusual about the transaction, followed by the ids of the rules that flagged
   * the spend. The flags are: ungoverned (the money moved without a request to the gateway), raised
   * (more is held than was requested), over_capture (more was captured than was held), late_capture
   * (captured after the hold was released), total_unproven (the ACP merchant reports an order total
   * of 0, or more than its payment token allowed), rest_unproven (the unused rest of the hold was
   * released only because the ACP merchant reported a lower total), over_refund (the ACP merchant
   * reports refunds of more than was paid), other_currency (money moved in a different currency,
   * and its value is unknown), merchant_unrecognised (the merchant of a card payment is not in the
   * vendor directory), merchant_drift (the merchant has the name of a known merchant but a
   * different id), ended_by_hand (a person or key closed the hold manually).
   */
  readonly flags: readonly string[]
  /** When the spend was decided (ISO 8601, UTC). */
  readonly createdAt: string
  /** When the spend was settled (ISO 8601, UTC). */
  readonly settledAt: string | null
}

export interface TransactionList {
  /** The entries of this page, newest first. */
  readonly data: readonly ListedTransaction[]
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

/** `csv`: comma-separated values. `ndjson`: one JSON object per line. */
export type ExportFormat = 'csv' | 'ndjson'

export interface Transaction {
  /** The id of the transaction. */
  readonly transactionId: string
  /** The id of an agent. */
  readonly agentId: string
  /**
   * The current or last name of the agent, also of a deleted one. Responses to settle, void and
   * refund leave it out.
   */
  readonly agentName?: string | null | undefined
  /**
   * The key, member or card issuer that sent the spend. Null if it was not recorded. An agent-bound
   * key sees only itself, and null for other senders. Responses to settle, void and refund leave it
   * out.
   */
  readonly requestedBy?: Requester | null | undefined
  /** The id of the mandate that applied. */
  readonly mandateId: string | null
  /** Amount in units of the currency (12.5 means 12.50 USD). */
  readonly amount: number
  /** The host name of the vendor. */
  readonly vendor: string
  /** The category of the spend, such as `llm`. Null if it has none. */
  readonly category: string | null
  /** The budget that remained after the decision, in units of the currency. */
  readonly remainingBudget: number
  readonly decision: Decision
  readonly status: TransactionStatus
  readonly path: PathName
  /**
   * The currency of the amounts: ISO 4217 code, or USDC or EURC. Null if neither the spend nor a
   * mandate names one.
   */
  readonly currency: string | null
  /** Your own reference for the purchase. Null if you sent none. */
  readonly reference: string | null
  /** Why the agent spends. Null if it was not sent. */
  readonly reason: string | null
  /** Your own key-value data. Null if there is none, or retention removed it. */
  readonly metadata: Readonly<Record<string, string>> | null
  readonly code: DecisionCode | (string & {})
  /**
   * The details of the decision, as in the response to the evaluation. Null once retention has
   * removed them.
   */
  readonly evaluationDetails: EvaluationDetails | null
  /**
   * When the organization's retention removed `evaluationDetails` and `metadata` (ISO 8601, UTC).
   * Null while they are stored.
   */
  readonly detailsRemovedAt: string | null
  /** The amount that is held now, in units of the currency. */
  readonly heldAmount: number
  /** The settled amount, in units of the currency. */
  readonly settledAmount: number
  /** The refunded amount, in units of the currency. */
  readonly refundedAmount: number
  /** When the hold expires (ISO 8601, UTC). Null if there is no hold that expires on its own. */
  readonly expiresAt: string | null
  /** The id of the approval that the spend requested, presented or used. */
  readonly approvalId: string | null
  /**
   * Data of the payment path, such as the transaction on the chain, the order or the card
   * authorization. Null if there is none.
   */
  readonly external: Readonly<Record<string, unknown>> | null
  /**
   * Flags for anything unusual about the transaction, followed by the ids of the rules that flagged
   * the spend. The flags are: ungoverned (the money moved without a request to the gateway), raised
   * (more is held than was requested), over_capture (more was captured than was held), late_capture
   * (captured after the hold was released), total_unproven (the ACP merchant reports an order total
   * of 0, or more than its payment token allowed), rest_unproven (the unused rest of the hold was
   * released only because the ACP merchant reported a lower total), over_refund (the ACP merchant
   * reports refunds of more than was paid), other_currency (money moved in a different currency,
   * and its value is unknown), merchant_unrecognised (the merchant of a card payment is not in the
   * vendor directory), merchant_drift (the merchant has the name of a known merchant but a
   * different id), ended_by_hand (a person or key closed the hold manually).
   */
  readonly flags: readonly string[]
  /** When the spend was decided (ISO 8601, UTC). */
  readonly createdAt: string
  /** When the spend was settled (ISO 8601, UTC). */
  readonly settledAt: string | null
}

/** Without an amount, or without a body, the whole amount is used. */
export interface SettleInput {
  /** The amount that was paid, in units of the currency. Default: the held amount. */
  readonly amount?: number | undefined
  /**
   * Closes a hold whose outcome the gateway can no longer find out, because its x402 network was
   * removed from the settings, or because neither the ACP merchant nor its token provider responds
   * any more. Send the hash of the transaction on the chain, or the id of the order. The gateway
   * settles the whole hold and records the proof. For a card payment that was captured in a
   * different currency, send the id of that capture, and its value as `amount`.
   */
  readonly proof?: string | undefined
}

export interface VoidInput {
  /**
   * Voids a hold whose outcome the gateway can no longer find out: say why you are sure that no
   * money moved. The gateway records the reason. Possible one day after the payment has expired;
   * for a card, one day after the issuer's last event about the purchase.
   */
  readonly reason?: string | undefined
}

/** Without an amount, or without a body, the whole amount is used. */
export interface AmountInput {
  /** The amount to refund, in units of the currency. Default: everything not yet refunded. */
  readonly amount?: number | undefined
}

/** The query of “List transactions, newest first”. */
export interface ListTransactionsQuery {
  /** How many entries a page has. */
  readonly limit?: number | undefined
  /** How many entries to skip. */
  readonly offset?: number | undefined
  /** The `nextCursor` of the previous page. Use it instead of `offset`. */
  readonly cursor?: string | undefined
  /** Only transactions of this agent. Several values, at most 20, are separated by commas. */
  readonly agentId?: string | undefined
  /** Only transactions under this mandate. Several values, at most 20, are separated by commas. */
  readonly mandateId?: string | undefined
  /** Only transactions with this decision. Several values, at most 20, are separated by commas. */
  readonly decision?: Decision | (string & {}) | undefined
  /** Only transactions with this status. Several values, at most 20, are separated by commas. */
  readonly status?: TransactionStatus | (string & {}) | undefined
  /**
   * Only transactions of this payment path. Several values, at most 20, are separated by commas.
   */
  readonly path?: PathName | (string & {}) | undefined
  /**
   * Only entries with exactly this vendor host. Several values, at most 20, are separated by
   * commas.
   */
  readonly vendor?: string | undefined
  /** Only transactions of this category. Several values, at most 20, are separated by commas. */
  readonly category?: string | undefined
  /** Only transactions with exactly this reference. */
  readonly reference?: string | undefined
  /**
   * Only transactions with exactly this decision code. Several values, at most 20, are separated by
   * commas.
   */
  readonly code?: DecisionCode | (string & {}) | undefined
  /**
   * Only transactions that this rule rejected first or, if no rule rejected them, flagged first.
   * This is the rule that GET /analytics/spend groups by. Transactions whose details retention has
   * removed are not found by a rejection.
   */
  readonly rule?: string | undefined
  /** Only transactions that requested, presented or used this approval. */
  readonly approvalId?: string | undefined
  /** Only payments with this card. */
  readonly cardId?: string | undefined
  /**
   * Only transactions whose vendor's host or reference contains this text, in upper or lower case.
   */
  readonly q?: string | undefined
  /** Only transactions with (true) or without (false) flags. */
  readonly flagged?: boolean | undefined
  /**
   * Only transactions created at or after this time. A date (`2026-11-01`) means its start in the
   * organization's time zone. A date-time needs an offset (`2026-11-01T09:00:00Z`).
   */
  readonly from?: string | undefined
  /**
   * Only transactions created before this time. A date (`2026-11-01`) means its start in the
   * organization's time zone. A date-time needs an offset (`2026-11-01T09:00:00Z`).
   */
  readonly to?: string | undefined
  /** Only transactions of at least this amount. */
  readonly minAmount?: number | undefined
  /** Only transactions of at most this amount. */
  readonly maxAmount?: number | undefined
  /**
   * `full` (default): the whole transactions. `summary`: without `evaluationDetails`, which is most
   * of the data.
   */
  readonly view?: TransactionView | undefined
}

/** The query of “Stream transactions as CSV or NDJSON, newest first”. */
export interface ExportTransactionsQuery {
  /** Only transactions of this agent. Several values, at most 20, are separated by commas. */
  readonly agentId?: string | undefined
  /** Only transactions under this mandate. Several values, at most 20, are separated by commas. */
  readonly mandateId?: string | undefined
  /** Only transactions with this decision. Several values, at most 20, are separated by commas. */
  readonly decision?: Decision | (string & {}) | undefined
  /** Only transactions with this status. Several values, at most 20, are separated by commas. */
  readonly status?: TransactionStatus | (string & {}) | undefined
  /**
   * Only transactions of this payment path. Several values, at most 20, are separated by commas.
   */
  readonly path?: PathName | (string & {}) | undefined
  /**
   * Only entries with exactly this vendor host. Several values, at most 20, are separated by
   * commas.
   */
  readonly vendor?: string | undefined
  /** Only transactions of this category. Several values, at most 20, are separated by commas. */
  readonly category?: string | undefined
  /** Only transactions with exactly this reference. */
  readonly reference?: string | undefined
  /**
   * Only transactions with exactly this decision code. Several values, at most 20, are separated by
   * commas.
   */
  readonly code?: DecisionCode | (string & {}) | undefined
  /**
   * Only transactions that this rule rejected first or, if no rule rejected them, flagged first.
   * This is the rule that GET /analytics/spend groups by. Transactions whose details retention has
   * removed are not found by a rejection.
   */
  readonly rule?: string | undefined
  /** Only transactions that requested, presented or used this approval. */
  readonly approvalId?: string | undefined
  /** Only payments with this card. */
  readonly cardId?: string | undefined
  /**
   * Only transactions whose vendor's host or reference contains this text, in upper or lower case.
   */
  readonly q?: string | undefined
  /** Only transactions with (true) or without (false) flags. */
  readonly flagged?: boolean | undefined
  /**
   * Only transactions created at or after this time. A date (`2026-11-01`) means its start in the
   * organization's time zone. A date-time needs an offset (`2026-11-01T09:00:00Z`).
   */
  readonly from?: string | undefined
  /**
   * Only transactions created before this time. A date (`2026-11-01`) means its start in the
   * organization's time zone. A date-time needs an offset (`2026-11-01T09:00:00Z`).
   */
  readonly to?: string | undefined
  /** Only transactions of at least this amount. */
  readonly minAmount?: number | undefined
  /** Only transactions of at most this amount. */
  readonly maxAmount?: number | undefined
  /** The format of the export. Default: `csv`. */
  readonly format?: ExportFormat | undefined
  /**
   * Continue after this `transactionId`: that of the last complete row that you received. This is
   * not the `nextCursor` of the list.
   */
  readonly cursor?: string | undefined
}
