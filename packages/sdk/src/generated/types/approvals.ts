// Written by `npm run generate` from openapi.json. Do not change it by hand.

import type { ApprovalStatus, DecisionCode, PathName, Requester } from './common.ts'

/** `expiresAt`: only pending requests, and the one that expires first comes first. */
export type ApprovalSort = 'expiresAt'

/** `approved`: the spend may be made once. `used`: the approval has been used for a spend. */
export type GrantedApprovalStatus = 'approved' | 'used'

export interface AskingRule {
  /** The id of the rule. */
  readonly id: string
  /** The type of the rule. */
  readonly type: string
  readonly code: DecisionCode | (string & {}) | null
  /** The value that the rule compared: of the spend, or a total. */
  readonly observed: number | string | readonly string[] | null
  /** The value that the rule allows. */
  readonly limit: number | string | readonly string[] | null
  /** The time window of the rule, if it has one. */
  readonly window: string | null
  /** Why the rule requires an approval, in one sentence. */
  readonly message: string
}

export interface ApprovalHistory {
  /** Number of spends. */
  readonly count: number
  /** The total of these spends, in units of the currency. */
  readonly amount: number
  /** When the last of them was made (ISO 8601, UTC). */
  readonly lastAt: string | null
}

/**
 * `agent_bound_key`: the key is bound to agents. `insufficient_scope`: the scope `approvals:write`
 * is missing. `approval_decided`: the request is not pending. `approval_own_request`: you, or the
 * creator of your key, sent the spend. `four_eyes_required`: the organization requires another
 * person.
 */
export type MayNotDecideReason =
  | 'agent_bound_key'
  | 'insufficient_scope'
  | 'approval_decided'
  | 'approval_own_request'
  | 'four_eyes_required'

/** The permission to spend once. Null if the request is not approved. */
export interface Permit {
  /** The highest amount that may be spent, in units of the currency. */
  readonly maxAmount: number
  /** Until when the approval can be used (ISO 8601, UTC). */
  readonly expiresAt: string
  /** When it was used (ISO 8601, UTC). */
  readonly usedAt: string | null
  /** The id of the spend that used the approval. */
  readonly transactionId: string | null
}

/** The decision on an approval request. */
export type ApprovalAnswer = 'approve' | 'reject'

/** `key`: an API key. `member`: a person. */
export type ActorKind = 'key' | 'member'

export interface ApprovalActor {
  readonly kind: ActorKind
  /** The id of the key (`key_…`) or member (`mem_…`). */
  readonly id: string
  /** The name of the key or member at the time of the decision. */
  readonly name: string
}

export interface ApprovalDecision {
  readonly decision: ApprovalAnswer
  /** The key or member that decided. */
  readonly actor: ApprovalActor
  /** The reason for the decision, if one was given. */
  readonly comment: string | null
  /** The highest approved amount, in units of the currency. Null if not approved. */
  readonly maxAmount: number | null
  /** When the request was decided (ISO 8601, UTC). */
  readonly decidedAt: string
}

/** A person approved the spend. */
export interface GrantedApproval {
  /** The id of the approval. */
  readonly id: string
  readonly status: GrantedApprovalStatus
  /** The id of an agent. */
  readonly agentId: string
  /** The name of the agent. Null if deleted. */
  readonly agentName: string | null
  /** The id of the mandate. */
  readonly mandateId: string
  readonly path: PathName
  /** The host name of the vendor. */
  readonly vendor: string
  /** The category of the spend, such as `llm`. Null if it has none. */
  readonly category: string | null
  /** The requested amount, in units of the currency. */
  readonly amount: number
  /** The currency of the amounts. */
  readonly currency: string
  /** The blockchain address to be paid. Null except for x402 payments. */
  readonly payee: string | null
  /** The id of the card. */
  readonly cardId: string | null
  /** Your own reference for the purchase. Null if you sent none. */
  readonly reference: string | null
  /** Why the agent spends. Null if it was not sent. */
  readonly reason: string | null
  /** The key-value data of the spend. Null if there is none. */
  readonly metadata: Readonly<Record<string, string>> | null
  /**
   * The rules that require the approval, with their values. Empty once retention has removed the
   * details.
   */
  readonly rules: readonly AskingRule[]
  /**
   * The agent's earlier spends at this vendor, among its last 1000 transactions. In a list, among
   * its last 100, or fewer if the page has more than 50 agents (25 with 200).
   */
  readonly history: ApprovalHistory
  /** The remaining budget now, in units of the currency. */
  readonly remainingBudget: number
  /** How many spends have requested this approval, including the first one. */
  readonly alike: number
  /**
   * The key, member or card issuer that sent the spend first. Null if it was not recorded. An
   * agent-bound key sees only itself, and null for other senders.
   */
  readonly requestedBy: Requester | null
  /** Whether you may decide the request now. A large amount may also need a recent password. */
  readonly mayDecide: boolean
  /** The code of the problem that a decision of yours would get. Null if you may decide. */
  readonly mayNotDecideReason: MayNotDecideReason | null
  /** The id of the rejected spend that opened the request. */
  readonly transactionId: string
  /** The permission to spend once. Null if the request is not approved. */
  readonly permit: Permit
  /** The decision on the request. Empty while it is pending. */
  readonly decisions: readonly ApprovalDecision[]
  /** The page on which a person decides. Null if the gateway's public URL is not configured. */
  readonly url: string | null
  /** When the request, or the approval, expires (ISO 8601, UTC). */
  readonly expiresAt: string
  /** When the request was opened (ISO 8601, UTC). */
  readonly createdAt: string
}

/**
 * `pending`: a person must decide. `rejected`: a person rejected the spend. `expired`: the time to
 * decide, or to use the approval, has passed.
 */
export type OpenOrEndedApprovalStatus = 'pending' | 'rejected' | 'expired'

/** The request waits for a person, or ended without a spend. */
export interface OpenOrEndedApproval {
  /** The id of the approval. */
  readonly id: string
  readonly status: OpenOrEndedApprovalStatus
  /** The id of an agent. */
  readonly agentId: string
  /** The name of the agent. Null if deleted. */
  readonly agentName: string | null
  /** The id of the mandate. */
  readonly mandateId: string
  readonly path: PathName
  /** The host name of the vendor. */
  readonly vendor: string
  /** The category of the spend, such as `llm`. Null if it has none. */
  readonly category: string | null
  /** The requested amount, in units of the currency. */
  readonly amount: number
  /** The currency of the amounts. */
  readonly currency: string
  /** The blockchain address to be paid. Null except for x402 payments. */
  readonly payee: string | null
  /** The id of the card. */
  readonly cardId: string | null
  /** Your own reference for the purchase. Null if you sent none. */
  readonly reference: string | null
  /** Why the agent spends. Null if it was not sent. */
  readonly reason: string | null
  /** The key-value data of the spend. Null if there is none. */
  readonly metadata: Readonly<Record<string, string>> | null
  /**
   * The rules that require the approval, with their values. Empty once retention has removed the
   * details.
   */
  readonly rules: readonly AskingRule[]
  /**
   * The agent's earlier spends at this vendor, among its last 1000 transactions. In a list, among
   * its last 100, or fewer if the page has more than 50 agents (25 with 200).
   */
  readonly history: ApprovalHistory
  /** The remaining budget now, in units of the currency. */
  readonly remainingBudget: number
  /** How many spends have requested this approval, including the first one. */
  readonly alike: number
  /**
   * The key, member or card issuer that sent the spend first. Null if it was not recorded. An
   * agent-bound key sees only itself, and null for other senders.
   */
  readonly requestedBy: Requester | null
  /** Whether you may decide the request now. A large amount may also need a recent password. */
  readonly mayDecide: boolean
  /** The code of the problem that a decision of yours would get. Null if you may decide. */
  readonly mayNotDecideReason: MayNotDecideReason | null
  /** The id of the rejected spend that opened the request. */
  readonly transactionId: string
  /** The permission to spend once. Null if the request is not approved. */
  readonly permit: Permit | null
  /** The decision on the request. Empty while it is pending. */
  readonly decisions: readonly ApprovalDecision[]
  /** The page on which a person decides. Null if the gateway's public URL is not configured. */
  readonly url: string | null
  /** When the request, or the approval, expires (ISO 8601, UTC). */
  readonly expiresAt: string
  /** When the request was opened (ISO 8601, UTC). */
  readonly createdAt: string
}

/** A request for a person's approval, and its outcome. */
export type Approval = GrantedApproval | OpenOrEndedApproval

export interface ApprovalList {
  /** The entries of this page, newest first. */
  readonly data: readonly Approval[]
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
  /** How many requests are pending, regardless of the filters. */
  readonly pending: number
}

export interface ApprovalDecisionInput {
  readonly decision: ApprovalAnswer
  /** The reason for the decision. It is stored, and the agent can read it. */
  readonly comment?: string | undefined
  /** The highest amount to approve, in units of the currency. Default: the requested amount. */
  readonly maxAmount?: number | undefined
  /**
   * Further requests to decide in the same way, at most 50. Each one succeeds or fails on its own.
   */
  readonly alsoIds?: readonly string[] | undefined
}

export interface AlsoDecided {
  /** The id of the approval. */
  readonly id: string
  /** Whether the request was decided. */
  readonly decided: boolean
  /** The status of the request now. Null if it was not decided. */
  readonly status: ApprovalStatus | null
  /** The problem code if the request could not be decided. Null if it was decided. */
  readonly code: string | null
  /** Why the request could not be decided. Null if it was decided. */
  readonly message: string | null
}

export interface DecidedApproval {
  /** The id of the approval. */
  readonly id: string
  readonly status: ApprovalStatus
  /** The id of an agent. */
  readonly agentId: string
  /** The name of the agent. Null if deleted. */
  readonly agentName: string | null
  /** The id of the mandate. */
  readonly mandateId: string
  readonly path: PathName
  /** The host name of the vendor. */
  readonly vendor: string
  /** The category of the spend, such as `llm`. Null if it has none. */
  readonly category: string | null
  /** The requested amount, in units of the currency. */
  readonly amount: number
  /** The currency of the amounts. */
  readonly currency: string
  /** The blockchain address to be paid. Null except for x402 payments. */
  readonly payee: string | null
  /** The id of the card. */
  readonly cardId: string | null
  /** Your own reference for the purchase. Null if you sent none. */
  readonly reference: string | null
  /** Why the agent spends. Null if it was not sent. */
  readonly reason: string | null
  /** The key-value data of the spend. Null if there is none. */
  readonly metadata: Readonly<Record<string, string>> | null
  /**
   * The rules that require the approval, with their values. Empty once retention has removed the
   * details.
   */
  readonly rules: readonly AskingRule[]
  /**
   * The agent's earlier spends at this vendor, among its last 1000 transactions. In a list, among
   * its last 100, or fewer if the page has more than 50 agents (25 with 200).
   */
  readonly history: ApprovalHistory
  /** The remaining budget now, in units of the currency. */
  readonly remainingBudget: number
  /** How many spends have requested this approval, including the first one. */
  readonly alike: number
  /**
   * The key, member or card issuer that sent the spend first. Null if it was not recorded. An
   * agent-bound key sees only itself, and null for other senders.
   */
  readonly requestedBy: Requester | null
  /** Whether you may decide the request now. A large amount may also need a recent password. */
  readonly mayDecide: boolean
  /** The code of the problem that a decision of yours would get. Null if you may decide. */
  readonly mayNotDecideReason: MayNotDecideReason | null
  /** The id of the rejected spend that opened the request. */
  readonly transactionId: string
  /** The permission to spend once. Null if the request is not approved. */
  readonly permit: Permit | null
  /** The decision on the request. Empty while it is pending. */
  readonly decisions: readonly ApprovalDecision[]
  /** The page on which a person decides. Null if the gateway's public URL is not configured. */
  readonly url: string | null
  /** When the request, or the approval, expires (ISO 8601, UTC). */
  readonly expiresAt: string
  /** When the request was opened (ISO 8601, UTC). */
  readonly createdAt: string
  /** The result for each of `alsoIds`. */
  readonly also: readonly AlsoDecided[]
}

/** The query of “List approval requests, newest first”. */
export interface ListApprovalsQuery {
  /** How many entries a page has. */
  readonly limit?: number | undefined
  /** How many entries to skip. */
  readonly offset?: number | undefined
  /** The `nextCursor` of the previous page. Use it instead of `offset`. */
  readonly cursor?: string | undefined
  /** Only requests with this status. */
  readonly status?: ApprovalStatus | undefined
  /** Only requests of this agent. */
  readonly agentId?: string | undefined
  /** Only entries with exactly this vendor host. */
  readonly vendor?: string | undefined
  /**
   * Only requests created at or after this time. A date (`2026-11-01`) means its start in the
   * organization's time zone. A date-time needs an offset (`2026-11-01T09:00:00Z`).
   */
  readonly from?: string | undefined
  /**
   * Only requests created before this time. A date (`2026-11-01`) means its start in the
   * organization's time zone. A date-time needs an offset (`2026-11-01T09:00:00Z`).
   */
  readonly to?: string | undefined
  /**
   * `expiresAt`: only pending requests, and the one that expires first comes first. Default: newest
   * first.
   */
  readonly sort?: ApprovalSort | undefined
}

/** The query of “Get one approval request, or wait for its decision”. */
export interface GetApprovalQuery {
  /**
   * How many seconds to wait for a decision. The response arrives after 50 seconds at the latest,
   * before proxies time out. Call again while the request is pending.
   */
  readonly wait?: number | undefined
}
