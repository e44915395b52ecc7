// Written by `npm run generate` from openapi.json. Do not change it by hand.

import type { Call, CallOptions, DecisionCall, List } from '../client/call.ts'
import type {
  AcpCheckoutAnswer,
  AcpCheckoutInput,
  ActivationInput,
  Agent,
  AgentChange,
  AgentInput,
  AgentList,
  AmountInput,
  Analytics,
  ApiKey,
  ApiKeyInput,
  ApiKeyList,
  Approval,
  ApprovalDecisionInput,
  ApprovalList,
  AuditEntry,
  AuditEntryList,
  AuditProof,
  Backtest,
  BacktestInput,
  BudgetChange,
  Card,
  CardAuthorizeInput,
  CardChange,
  CardConnection,
  CardConnectionChange,
  CardConnectionInput,
  CardConnectionList,
  CardDecision,
  CardEventInput,
  CardEventReceived,
  CardInput,
  CardList,
  CreatedApiKey,
  DecidedApproval,
  DeletedAgent,
  DeletedMandate,
  Evaluation,
  Event,
  EventList,
  FailedRedelivery,
  GetAgentQuery,
  GetApprovalQuery,
  GetAuditProofQuery,
  GetMandateTokenQuery,
  GetSpendAnalyticsQuery,
  Introspection,
  IntrospectionInput,
  ListAgentsQuery,
  ListApiKeysQuery,
  ListApprovalsQuery,
  ListAuditLogQuery,
  ListCardConnectionsQuery,
  ListCardsQuery,
  ListDeliveriesQuery,
  ListedTransaction,
  ListEventsQuery,
  ListMandatesQuery,
  ListMandateVersionsQuery,
  ListTransactionsQuery,
  ListVendorsQuery,
  ListWalletsQuery,
  Mandate,
  MandateChange,
  MandateInput,
  MandateList,
  MandateRevocationInput,
  MandateToken,
  MandateVersion,
  MandateVersionList,
  NewWallet,
  Organization,
  OrganizationChange,
  RedeliveryRequest,
  RevocationInput,
  RevokeApiKeyQuery,
  RevokedApiKey,
  RotatedWebhookSecret,
  SettleInput,
  Simulation,
  SimulationInput,
  SpendInput,
  TestEventInput,
  TokenRevocation,
  Transaction,
  TransactionList,
  Usage,
  Vendor,
  VendorChange,
  VendorInput,
  VendorList,
  VoidInput,
  WalletInput,
  WalletList,
  WalletWithBalances,
  WebhookDelivery,
  WebhookDeliveryList,
  WebhookDeliveryOrTask,
  WebhookSecretRotation,
  X402Payment,
  X402PaymentInput,
} from './types/index.ts'

/** The methods of `gateway`. */
export interface GatewayApi {
  /**
   * Decide on a spend and record the decision.
   *
   * Returns 200 for an approval and for a rejection. When the response arrives, the decision is on
   * disk and an approved amount has been taken from the budget. Needs the scope `gateway:write`.
   *
   * Errors: `agent_not_found`, `approval_not_found`, `plan_limit_exceeded`.
   */
  evaluate(input: SpendInput, options?: CallOptions): DecisionCall<Evaluation>

  /**
   * Simulate a spend without recording or spending anything.
   *
   * Returns the same response as an evaluation. With `mandateId`, `rules` and `budgetTotal`, you
   * can try out terms that are not active. With the `transactionId` of an earlier decision, the
   * gateway evaluates that decision again from its stored inputs. If the rule engine has not
   * changed since, the response is the same except for `durationMs` and `receipt`. Needs the scope
   * `gateway:read`.
   *
   * Errors: `agent_not_found`, `mandate_not_found`, `mandate_state`, `transaction_not_found`,
   * `inputs_not_kept`, `expressions_too_costly`.
   */
  simulate(input: SimulationInput, options?: CallOptions): DecisionCall<Simulation>
}

/** The methods of `x402`. */
export interface X402Api {
  /**
   * Decide on an x402 payment, then sign or make it.
   *
   * Returns 200 for an approval, a rejection, and every payment that may have been made, whatever
   * the vendor answered. Send an Idempotency-Key: a retry with the same key returns the same
   * payment and never makes a second one. The body may be up to 2 MiB. Needs the scope
   * `gateway:write`.
   *
   * Errors: `agent_not_found`, `approval_not_found`, `plan_limit_exceeded`, `x402_malformed`,
   * `x402_version_unsupported`, `x402_no_acceptable_offer`, `x402_max_amount_exceeded`,
   * `x402_fetch_off`, `x402_payment_stopped`, `wallet_not_found`, `wallet_not_configured`,
   * `wallet_insufficient_funds`, `url_not_allowed`, `upstream_unreachable`, `upstream_redirect`,
   * `upstream_timeout`, `signer_unavailable`, `chain_unavailable`, `chain_clock_apart`.
   */
  pay(input: X402PaymentInput, options?: CallOptions): DecisionCall<X402Payment>
}

/** The methods of `wallets`. */
export interface WalletsApi {
  /**
   * Create a wallet for x402 payments.
   *
   * Needs the scope `wallets:write`. Agent-bound keys cannot call it. A member must have entered
   * the password within the last five minutes.
   *
   * Errors: `reauthentication_required`, `wallet_address_taken`.
   */
  create(input: WalletInput, options?: CallOptions): Call<NewWallet>

  /**
   * List wallets with addresses, networks and balances, newest first.
   *
   * Needs the scope `wallets:read`. Agent-bound keys cannot call it.
   */
  list(query?: ListWalletsQuery, options?: CallOptions): List<WalletWithBalances, WalletList>
}

/** The methods of `acp.checkouts`. */
export interface AcpCheckoutsApi {
  /**
   * Decide on an ACP merchant's checkout session, then complete it.
   *
   * The gateway reads the total from the merchant, never from the agent. It returns 200 for an
   * approval, a rejection, and any failure after the hold is placed. It responds within 30 seconds;
   * if the outcome is not known by then, the status is `processing`. An Idempotency-Key is
   * required: the same key never buys twice. Send `transactionId` to continue a checkout that waits
   * for the payer. Needs the scope `gateway:write`.
   *
   * Errors: `agent_not_found`, `approval_not_found`, `transaction_not_found`,
   * `plan_limit_exceeded`, `acp_session_used`, `idempotency_key_required`, `acp_session_not_found`,
   * `acp_session_not_ready`, `acp_expectation_failed`, `acp_checkout_state`, `acp_vendor_unknown`,
   * `acp_instrument_unknown`, `acp_unsupported_handler`, `acp_merchant_mismatch`,
   * `acp_invalid_session`, `acp_merchant_unavailable`.
   */
  create(input: AcpCheckoutInput, options?: CallOptions): DecisionCall<AcpCheckoutAnswer>
}

/** The methods of `acp`. */
export interface AcpApi {
  readonly checkouts: AcpCheckoutsApi
}

/** The methods of `cards`. */
export interface CardsApi {
  /**
   * Decide on a card authorization and record the decision.
   *
   * Returns 200 for an approval and for a decline. The gateway always responds within the deadline
   * of the connection. A retry is recognized by its `requestId`. Needs the scope `cards:write`.
   * Agent-bound keys cannot call it.
   *
   * Errors: `card_connection_not_found`.
   */
  authorize(input: CardAuthorizeInput, options?: CallOptions): DecisionCall<CardDecision>

  /**
   * Report a capture, reversal, refund or other card event.
   *
   * Events may arrive late, more than once and in any order; the result is the same. When the
   * response arrives, the event is on disk and booked. Needs the scope `cards:write`. Agent-bound
   * keys cannot call it.
   *
   * Errors: `card_connection_not_found`.
   */
  reportEvent(input: CardEventInput, options?: CallOptions): Call<CardEventReceived>

  /**
   * Register an issuer's card for an agent.
   *
   * Needs the scope `cards:write`. Agent-bound keys cannot call it. A member must have entered the
   * password within the last five minutes.
   *
   * Errors: `reauthentication_required`, `agent_not_found`, `card_connection_not_found`,
   * `card_exists`, `card_limit_reached`.
   */
  create(input: CardInput, options?: CallOptions): Call<Card>

  /**
   * List cards, newest first.
   *
   * Needs the scope `cards:read`.
   */
  list(query?: ListCardsQuery, options?: CallOptions): List<Card, CardList>

  /**
   * Pause, resume, close or label a card, or assign it to another agent.
   *
   * Changes only how the gateway decides; it does not notify the issuer. A new status without
   * `statusReason` clears the previous reason. If you assign the card to another agent, purchases
   * that have begun, and their later events, stay with the previous agent. Needs the scope
   * `cards:write`. Agent-bound keys cannot call it. A member must have entered the password within
   * the last five minutes if the body has `agentId` or `status` with the value `active`.
   *
   * Errors: `agent_not_found`, `card_not_found`, `card_closed_for_good`.
   */
  update(id: string, input: CardChange, options?: CallOptions): Call<Card>
}

/** The methods of `cardConnections`. */
export interface CardConnectionsApi {
  /**
   * Connect a card issuer.
   *
   * The response has the ingest URLs with their token, which is shown only here. Register the URLs
   * with the issuer, then set the secrets that the issuer gives you. Needs the scope `cards:write`.
   * Agent-bound keys cannot call it. A member must have entered the password within the last five
   * minutes.
   *
   * Errors: `reauthentication_required`, `card_connection_limit_reached`, `livemode_mismatch`.
   */
  create(input: CardConnectionInput, options?: CallOptions): Call<CardConnection>

  /**
   * List the connections to card issuers with their health, newest first.
   *
   * Needs the scope `cards:read`. Agent-bound keys cannot call it.
   */
  list(
    query?: ListCardConnectionsQuery,
    options?: CallOptions,
  ): List<CardConnection, CardConnectionList>

  /**
   * Change a card connection, its secrets or its token, or remove it.
   *
   * After a change, the previous value of a secret or of the token stays valid for 24 hours. Older
   * values are refused. Needs the scope `cards:write`. Agent-bound keys cannot call it. A member
   * must have entered the password within the last five minutes if the body has `secrets`,
   * `rotateToken`, `failMode` with the value `open`, `failOpenMaxAmount` with an amount,
   * `deadlineMs` with a new value while `failMode` is `open`, or `status` with the value `active`.
   *
   * Errors: `card_connection_not_found`, `card_connection_in_use`, `card_connection_removed`,
   * `card_connection_limit_reached`.
   */
  update(id: string, input: CardConnectionChange, options?: CallOptions): Call<CardConnection>
}

/** The methods of `mandateTokens`. */
export interface MandateTokensApi {
  /**
   * Get a signed token that proves an agent's mandate.
   *
   * The token proves that the mandate exists, but cannot be used to spend: every spend still needs
   * a decision of the gateway. Anyone can verify the token with the public keys at `jwksUri`. Needs
   * the scope `gateway:read`.
   *
   * Errors: `agent_not_found`, `mandate_inactive`, `audience_not_allowed`, `public_url_missing`.
   */
  get(query?: GetMandateTokenQuery, options?: CallOptions): Call<MandateToken>

  /**
   * Check whether a mandate token is active, and the remaining budget.
   *
   * Needs the scope `gateway:read`.
   *
   * Errors: `public_url_missing`.
   */
  introspect(input: IntrospectionInput, options?: CallOptions): Call<Introspection>

  /**
   * Revoke mandate tokens by id, mandate or agent.
   *
   * The response is the same whether or not such tokens exist. Introspection reports the revocation
   * at once. A recipient that verifies offline accepts the token until it expires. Needs the scope
   * `gateway:write`.
   */
  revoke(input: RevocationInput, options?: CallOptions): Call<TokenRevocation>
}

/** The methods of `agents`. */
export interface AgentsApi {
  /**
   * Register an agent.
   *
   * Needs the scope `agents:write`. Agent-bound keys cannot call it.
   *
   * Errors: `external_id_taken`, `plan_limit_exceeded`.
   */
  create(input: AgentInput, options?: CallOptions): Call<Agent>

  /**
   * List agents, newest first.
   *
   * Needs the scope `agents:read`. An agent-bound key needs only `gateway:read`.
   */
  list(query?: ListAgentsQuery, options?: CallOptions): List<Agent, AgentList>

  /**
   * Get one agent.
   *
   * Needs the scope `agents:read`. An agent-bound key needs only `gateway:read`.
   *
   * Errors: `agent_not_found`.
   */
  get(id: string, query?: GetAgentQuery, options?: CallOptions): Call<Agent>

  /**
   * Update an agent.
   *
   * Setting `status` to `paused` stops the agent's spending at once. Needs the scope
   * `agents:write`. Agent-bound keys cannot call it. A member must have entered the password within
   * the last five minutes if the body has `status` with the value `active`.
   *
   * Errors: `agent_not_found`, `external_id_taken`, `changed_meanwhile`.
   */
  update(id: string, input: AgentChange, options?: CallOptions): Call<Agent>

  /**
   * Delete an agent, its mandate, keys and cards.
   *
   * Revokes the agent's mandate and the keys that are bound only to this agent, and closes its
   * cards. Needs the scope `agents:write`. Agent-bound keys cannot call it.
   *
   * Errors: `agent_not_found`.
   */
  delete(id: string, options?: CallOptions): Call<DeletedAgent>
}

/** The methods of `mandates`. */
export interface MandatesApi {
  /**
   * Create a draft mandate.
   *
   * Needs the scope `mandates:write`. Agent-bound keys cannot call it.
   *
   * Errors: `agent_not_found`, `mandate_not_found`, `mandate_wider_than_parent`,
   * `parent_not_active`, `mandate_state`, `draft_limit_reached`, `expressions_too_costly`.
   */
  create(input: MandateInput, options?: CallOptions): Call<Mandate>

  /**
   * List mandates, newest first.
   *
   * Needs the scope `mandates:read`. An agent-bound key needs only `gateway:read`.
   */
  list(query?: ListMandatesQuery, options?: CallOptions): List<Mandate, MandateList>

  /**
   * Get one mandate with its current budget.
   *
   * Needs the scope `mandates:read`. An agent-bound key needs only `gateway:read`.
   *
   * Errors: `mandate_not_found`.
   */
  get(id: string, options?: CallOptions): Call<Mandate>

  /**
   * Edit a draft, or create a new version of an active mandate.
   *
   * A draft can be changed freely. For an active mandate, only `name`, `rules`, `validUntil`,
   * `warningPercents` and `discloseLimits` can change, and the response has the new version. Needs
   * the scope `mandates:write`. Agent-bound keys cannot call it. A member must have entered the
   * password within the last five minutes if the body has `rules` (changed, while the mandate is
   * active) or `validUntil` (later or null, while the mandate is active).
   *
   * Errors: `mandate_not_found`, `mandate_state`, `changed_meanwhile`, `mandate_wider_than_parent`,
   * `expressions_too_costly`.
   */
  update(id: string, input: MandateChange, options?: CallOptions): Call<Mandate>

  /**
   * Delete a draft, or archive a mandate that has ended.
   *
   * Needs the scope `mandates:write`. Agent-bound keys cannot call it.
   *
   * Errors: `mandate_not_found`, `mandate_state`, `mandate_has_children`.
   */
  delete(id: string, options?: CallOptions): Call<DeletedMandate>

  /**
   * Activate a draft mandate.
   *
   * An agent has at most one active mandate. With `replace`, the gateway revokes the agent's active
   * mandate and its child mandates, and activates this one, in one step: there is no time without a
   * mandate, and if the activation is refused, the active mandate stays. Exception: if this mandate
   * has a `validFrom` in the future, the old one still ends at once, and the gateway rejects all
   * spends of the agent until `validFrom`. A draft with `draftOf` becomes the next version of that
   * mandate, which the response shows, and the draft is removed. This needs the version that the
   * draft was made from, or the current version as `expectedVersion`. Needs the scope
   * `mandates:write`. Agent-bound keys cannot call it. A member must have entered the password
   * within the last five minutes.
   *
   * Errors: `reauthentication_required`, `mandate_not_found`, `mandate_state`, `changed_meanwhile`,
   * `mandate_conflict`, `parent_not_active`, `budget_below_spent`, `mandate_wider_than_parent`.
   */
  activate(id: string, input?: ActivationInput, options?: CallOptions): Call<Mandate>

  /**
   * Revoke an active mandate and its child mandates.
   *
   * Needs the scope `mandates:write`. Agent-bound keys cannot call it.
   *
   * Errors: `mandate_not_found`, `mandate_state`.
   */
  revoke(id: string, input?: MandateRevocationInput, options?: CallOptions): Call<Mandate>

  /**
   * Change the budget of an active mandate.
   *
   * Needs the scope `mandates:write`. Agent-bound keys cannot call it. A member must have entered
   * the password within the last five minutes.
   *
   * Errors: `mandate_not_found`, `mandate_state`, `changed_meanwhile`, `budget_below_spent`,
   * `mandate_wider_than_parent`.
   */
  updateBudget(id: string, input: BudgetChange, options?: CallOptions): Call<Mandate>

  /**
   * List a mandate's versions and their changes, newest first.
   *
   * Needs the scope `mandates:read`. An agent-bound key needs only `gateway:read`.
   *
   * Errors: `mandate_not_found`.
   */
  versions(
    id: string,
    query?: ListMandateVersionsQuery,
    options?: CallOptions,
  ): List<MandateVersion, MandateVersionList>

  /**
   * Backtest rules against the agent's history.
   *
   * Replays the spends that the agent requested under this mandate with different rules, or with
   * the rules of another version. Budgets, time windows, duplicates, vendors and approvals are as
   * they would have been under those rules. With `from` and `to`, it replays only the decisions
   * between them; with `budgetTotal`, it tests another budget; with `agentHistory`, it adds the
   * spends under the agent's other mandates. Nothing is changed. With `Accept:
   * application/x-ndjson`, the response has a line with the progress every second, and the report
   * as its last line; close the connection to stop the backtest. Otherwise the response arrives
   * within 50 seconds, with `partial: true` if later decisions are left. Needs the scope
   * `mandates:read`. Agent-bound keys cannot call it.
   *
   * Errors: `mandate_not_found`, `backtest_running`, `expressions_too_costly`.
   */
  backtest(id: string, input: BacktestInput, options?: CallOptions): Call<Backtest>
}

/** The methods of `transactions`. */
export interface TransactionsApi {
  /**
   * List transactions, newest first.
   *
   * `total` counts up to 10,000. To read further, use `nextCursor`. Filters by agent, mandate and
   * time have an index, and so have open holds. With any other filter, one page searches the next
   * 20,000 transactions, of the time range, agents or mandates if you name them. It can therefore
   * have fewer entries than `limit`, or none, and still a `nextCursor`: continue until it is null.
   * `total` then counts only the first page's search, and `totalIsExact` is false. An agent-bound
   * key sees only the transactions of its agents. Needs the scope `transactions:read`.
   */
  list(
    query?: ListTransactionsQuery,
    options?: CallOptions,
  ): List<ListedTransaction, TransactionList>

  /**
   * Get one transaction with its evaluation details.
   *
   * Needs the scope `transactions:read`.
   *
   * Errors: `transaction_not_found`.
   */
  get(id: string, options?: CallOptions): Call<Transaction>

  /**
   * Settle a hold with the amount that was paid.
   *
   * Releases the rest of the hold. An expired hold can still be settled, because the money has
   * moved; the amount is then booked even if it exceeds the budget. Agent-bound keys cannot settle
   * expired holds. Needs the scope `transactions:write`.
   *
   * Errors: `transaction_not_found`, `transaction_state`, `amount_above_hold`.
   */
  settle(id: string, input?: SettleInput, options?: CallOptions): Call<Transaction>

  /**
   * Release a hold because no money moved.
   *
   * Needs the scope `transactions:write`.
   *
   * Errors: `transaction_not_found`, `transaction_state`.
   */
  void(id: string, input?: VoidInput, options?: CallOptions): Call<Transaction>

  /**
   * Refund a settled spend, fully or partly.
   *
   * Returns the amount to the mandate's budget; the gateway moves no money. A refund of a spend
   * from an earlier budget period does not change the current budget. `limit` rules still count the
   * spend. A card payment returns 409, because the issuer reports its refunds. Needs the scope
   * `transactions:write`. Agent-bound keys cannot call it.
   *
   * Errors: `transaction_not_found`, `transaction_state`, `amount_above_settled`.
   */
  refund(id: string, input?: AmountInput, options?: CallOptions): Call<Transaction>
}

/** The methods of `approvals`. */
export interface ApprovalsApi {
  /**
   * List approval requests, newest first.
   *
   * With `status=pending`, this is the queue of open requests. An agent-bound key sees only the
   * requests of its agents. Needs the scope `approvals:read`. An agent-bound key needs only
   * `gateway:read`.
   */
  list(query?: ListApprovalsQuery, options?: CallOptions): List<Approval, ApprovalList>

  /**
   * Get one approval request, or wait for its decision.
   *
   * The response has everything that a person needs to decide. With `wait`, the response arrives
   * when a person decides, when the request expires, or when the wait is over. A decision arrives
   * within a second, whichever gateway process received it. Needs the scope `approvals:read`. An
   * agent-bound key needs only `gateway:read`.
   *
   * Errors: `approval_not_found`.
   */
  get(id: string, query?: GetApprovalQuery, options?: CallOptions): Call<Approval>

  /**
   * Approve or reject an approval request.
   *
   * An approval lets one spend pass: at most the approved amount, at the same vendor, in the same
   * category and by the same payment path. It lifts only the rules that required it. The budget,
   * limits and all other rules apply when the approval is used. After the decision, it can be used
   * for as long as the request could have been pending, but for at least 15 minutes. The key or
   * member that sent the spend, and keys created by them, cannot decide. If `requireFourEyes` of
   * the organization is true, a second person must decide. Needs the scope `approvals:write`.
   * Agent-bound keys cannot call it. A member must have entered the password within the last five
   * minutes if the body has `decision` with an approval above `approvalPasswordAbove`.
   *
   * Errors: `reauthentication_required`, `approval_not_found`, `approval_decided`,
   * `approval_own_request`, `four_eyes_required`.
   */
  decide(id: string, input: ApprovalDecisionInput, options?: CallOptions): Call<DecidedApproval>
}

/** The methods of `vendors`. */
export interface VendorsApi {
  /**
   * Add a vendor to the directory.
   *
   * With `acp`, the response has the order URL with its token, which is shown only here. Needs the
   * scope `vendors:write`. Agent-bound keys cannot call it. A member must have entered the password
   * within the last five minutes if the body has `acp` or `x402Payees`.
   *
   * Errors: `reauthentication_required`, `vendor_host_taken`, `card_alias_taken`.
   */
  create(input: VendorInput, options?: CallOptions): Call<Vendor>

  /**
   * List the vendor directory, newest first.
   *
   * Needs the scope `vendors:read`. Agent-bound keys cannot call it.
   */
  list(query?: ListVendorsQuery, options?: CallOptions): List<Vendor, VendorList>

  /**
   * Change a vendor in the directory.
   *
   * A list in the body replaces the stored list. The host cannot be changed. In `acp`, omitted
   * fields, including secrets, keep their values; null removes the ACP settings. Needs the scope
   * `vendors:write`. Agent-bound keys cannot call it. A member must have entered the password
   * within the last five minutes if the body has `acp` or `x402Payees`.
   *
   * Errors: `vendor_not_found`, `card_alias_taken`.
   */
  update(id: string, input: VendorChange, options?: CallOptions): Call<Vendor>
}

/** The methods of `apiKeys`. */
export interface ApiKeysApi {
  /**
   * Create an API key, which is shown only once.
   *
   * A key can only grant scopes that it has itself, and the new key cannot expire later than it
   * does. With `replaces`, the new key takes the place of an older one, which remains valid for
   * `overlapSeconds`. While the organization has no owner or admin, the last key that can manage
   * keys can only be replaced by one that can manage keys too. Needs the scope `keys:write`.
   * Agent-bound keys cannot call it. A member must have entered the password within the last five
   * minutes.
   *
   * Errors: `reauthentication_required`, `api_key_not_found`, `last_managing_key`.
   */
  create(input: ApiKeyInput, options?: CallOptions): Call<CreatedApiKey>

  /**
   * List API keys without their secrets, newest first.
   *
   * Without `status`, the list has the keys that are not revoked. Needs the scope `keys:read`.
   * Agent-bound keys cannot call it.
   */
  list(query?: ListApiKeysQuery, options?: CallOptions): List<ApiKey, ApiKeyList>

  /**
   * Revoke an API key within a second.
   *
   * Every gateway process refuses the key within a second, and its open event streams and exports
   * end. A key can only revoke keys whose scopes it has itself. The last key that can manage keys
   * cannot be revoked while the organization has no owner or admin, who could create another one.
   * Needs the scope `keys:write`. Agent-bound keys cannot call it.
   *
   * Errors: `api_key_not_found`, `last_managing_key`.
   */
  delete(id: string, query?: RevokeApiKeyQuery, options?: CallOptions): Call<RevokedApiKey>
}

/** The methods of `organization`. */
export interface OrganizationApi {
  /**
   * Get the organization's settings.
   *
   * Needs the scope `organization:read`. Agent-bound keys cannot call it.
   */
  get(options?: CallOptions): Call<Organization>

  /**
   * Change the organization's settings.
   *
   * Changes the webhook endpoints, name, time zone, currency, calls to x402 vendors, ACP payment
   * instruments, approval settings, retention, or the kill switch (`frozen`). Needs the scope
   * `organization:write`. Agent-bound keys cannot call it. A member must have entered the password
   * within the last five minutes if the body has `frozen` with the value false, `x402Fetch` with
   * the value true, `currency`, `webhookUrl`, `webhookEndpoints`, `acp`, `requireFourEyes`, or
   * `approvalPasswordAbove`.
   *
   * Errors: `session_required`, `insufficient_role`, `changed_meanwhile`.
   */
  update(input: OrganizationChange, options?: CallOptions): Call<Organization>

  /**
   * Get the plan, its limits, the usage and the reset time.
   *
   * Needs the scope `organization:read`. Agent-bound keys cannot call it.
   */
  usage(options?: CallOptions): Call<Usage>

  /**
   * Rotate the secret of a webhook endpoint.
   *
   * From now on, the gateway signs every request to the endpoint with the new secret, including
   * retries of older events. Needs the scope `organization:write`. Agent-bound keys cannot call it.
   * A member must have entered the password within the last five minutes.
   *
   * Errors: `reauthentication_required`, `webhook_endpoint_not_found`.
   */
  rotateWebhookSecret(
    input?: WebhookSecretRotation,
    options?: CallOptions,
  ): Call<RotatedWebhookSecret>
}

/** The methods of `webhooks.deliveries`. */
export interface WebhooksDeliveriesApi {
  /**
   * List webhook deliveries, newest first.
   *
   * With a filter by `status` (except `failed`), `event`, `test` or time, one page searches the
   * next 20,000 deliveries. It can therefore have fewer entries than `limit`, or none, and still a
   * `nextCursor`: continue until it is null. `total` then counts only the first page's search, and
   * `totalIsExact` is false. Needs the scope `webhooks:read`. Agent-bound keys cannot call it.
   */
  list(
    query?: ListDeliveriesQuery,
    options?: CallOptions,
  ): List<WebhookDelivery, WebhookDeliveryList>

  /**
   * Get one delivery with all attempts, requests and responses.
   *
   * With the id `failed`, returns the last task that sends failed deliveries again, and its
   * progress. Needs the scope `webhooks:read`. Agent-bound keys cannot call it.
   *
   * Errors: `delivery_not_found`, `event_removed`.
   */
  get(id: string, options?: CallOptions): Call<WebhookDeliveryOrTask>

  /**
   * Send an event again.
   *
   * Sends the same body and webhook-id with a new signature to the current URL of its endpoint,
   * once. Retries that are still scheduled continue until one attempt succeeds. With the id
   * `failed`, starts a task that sends the failed deliveries of a range again, oldest first and a
   * few at a time. The task continues after a restart of the gateway; GET
   * /webhooks/deliveries/failed shows its progress. Needs the scope `webhooks:write`. Agent-bound
   * keys cannot call it.
   *
   * Errors: `delivery_not_found`, `event_removed`, `webhook_not_configured`,
   * `webhook_endpoint_not_found`, `redelivery_running`.
   */
  redeliver(
    id: string,
    input?: RedeliveryRequest,
    options?: CallOptions,
  ): Call<WebhookDelivery | FailedRedelivery>
}

/** The methods of `webhooks`. */
export interface WebhooksApi {
  readonly deliveries: WebhooksDeliveriesApi

  /**
   * Send a test event of any kind.
   *
   * The event has sample data. The gateway delivers and retries it like any other event. Needs the
   * scope `webhooks:write`. Agent-bound keys cannot call it.
   *
   * Errors: `webhook_not_configured`, `webhook_endpoint_not_found`.
   */
  test(input: TestEventInput, options?: CallOptions): Call<WebhookDelivery>
}

/** The methods of `events`. */
export interface EventsApi {
  /**
   * Read the event feed, oldest first, or follow it as a stream.
   *
   * Events come in the order in which they were committed, and the feed skips none. With `event`,
   * one page searches the next 50,000 events, so it can have fewer events than `limit`, or none,
   * while `hasMore` is true. Without a `cursor`, it begins with the oldest stored event (see
   * `retention` of the organization). For a rejection whose details were removed, `reason` is null
   * and `reasons` is empty. With `Accept: text/event-stream`, the response is a stream that begins
   * after `Last-Event-ID` or `cursor`, or with the next event, and stays open. The stream of a
   * signed-in member also has hints: `event: hint` without an `id`, whose `data` names the `kind`
   * of a change and its `subject`, and often its `transactionId`. A hint says that something has
   * changed: `change.*` for a change record, `change.webhook.endpoint_health` for an endpoint that
   * fails, works again or was paused, `delivery.attempted` and `delivery.ended` for webhook
   * deliveries, and the event kinds that `webhookEvents` does not name. Hints can get lost: after
   * `event: gap`, read again what you show. Needs the scope `webhooks:read`. Agent-bound keys
   * cannot call it.
   *
   * Errors: `event_not_found`, `event_removed`.
   */
  list(query?: ListEventsQuery, options?: CallOptions): List<Event, EventList>
}

/** The methods of `auditLog`. */
export interface AuditLogApi {
  /**
   * Read the audit log, newest first, or export it for verification.
   *
   * Contains every decision, its outcome and every change. An entry appears about a second after it
   * happened, when the audit log is signed. A page can have fewer entries than `limit`, or none,
   * although more follow: continue with `nextCursor` until it is null. With `Accept:
   * application/x-ndjson`, the response is a stream of all leaves from `cursor` on, in order, in
   * the format that `purser verify` reads; filters and `limit` are not allowed then. Needs the
   * scope `audit:read`. Agent-bound keys cannot call it.
   *
   * Errors: `log_shorter`.
   */
  list(query?: ListAuditLogQuery, options?: CallOptions): List<AuditEntry, AuditEntryList>

  /**
   * Get the audit log's checkpoint, with proofs.
   *
   * Without parameters, returns the latest checkpoint and the public keys. With `leaf` or `index`,
   * also returns an inclusion proof: the audit log contains this leaf. With `from`, also returns a
   * consistency proof: the audit log only grew since that size. With both, both proofs are for the
   * same tree size. Needs the scope `audit:read`. Agent-bound keys cannot call it.
   *
   * Errors: `leaf_not_found`, `log_shorter`.
   */
  proof(query?: GetAuditProofQuery, options?: CallOptions): Call<AuditProof>
}

/** The methods of `analytics`. */
export interface AnalyticsApi {
  /**
   * Get spending totals, trends, exposure or a forecast.
   *
   * Groups by agent, mandate, vendor, category, path, rule or code. Totals are per currency. A
   * spend counts on the day of its decision, in the organization's time zone; later changes, such
   * as a refund, correct that day. Totals follow decisions within seconds; `asOf`, `asOfAt` and
   * `isCurrent` say how current they are. With `Accept: text/csv`, the response is a CSV table. An
   * agent-bound key sees only the totals of its agents. Needs the scope `transactions:read`.
   *
   * Errors: `analytics_not_ready`.
   */
  spend(query?: GetSpendAnalyticsQuery, options?: CallOptions): Call<Analytics>
}

/** The methods of the API. */
export interface Api {
  readonly gateway: GatewayApi
  readonly x402: X402Api
  readonly wallets: WalletsApi
  readonly acp: AcpApi
  readonly cards: CardsApi
  readonly cardConnections: CardConnectionsApi
  readonly mandateTokens: MandateTokensApi
  readonly agents: AgentsApi
  readonly mandates: MandatesApi
  readonly transactions: TransactionsApi
  readonly approvals: ApprovalsApi
  readonly vendors: VendorsApi
  readonly apiKeys: ApiKeysApi
  readonly organization: OrganizationApi
  readonly webhooks: WebhooksApi
  readonly events: EventsApi
  readonly auditLog: AuditLogApi
  readonly analytics: AnalyticsApi
}
