import { DIMENSIONS } from '../../core/analytics/dimensions.ts'
import { INTERVALS } from '../../core/analytics/range.ts'
import { SCOPES } from '../../core/api-key.ts'
import { APPROVAL_STATUSES } from '../../core/approvals/permit.ts'
import { LEAF_KINDS } from '../../core/audit/source.ts'
import { DECISION_CODES } from '../../core/decision/codes.ts'
import { EVENT_KINDS } from '../../core/events/event.ts'
import { PATH_NAMES } from '../../core/path.ts'
import { EFFECTS } from '../../core/rules/define-rule.ts'
import { WEEKDAYS } from '../../core/time/wall-clock.ts'
import type { Place } from './map-schemas.ts'

/**
 * The name of every list of values that has no title. (The long lists of payment paths have titles.)
 * Generated clients use these names, so a name must not depend on the first use of a list.
 */
export const ENUM_NAMES: Readonly<Record<string, readonly string[]>> = {
  ActorKind: ['key', 'member'],
  AgentInclude: ['mandate'],
  AgentStatus: ['active', 'paused'],
  AnalyticsDimension: DIMENSIONS,
  AnalyticsInterval: INTERVALS,
  AnalyticsMetric: ['spend', 'rejections', 'approvals', 'exposure', 'forecast'],
  ApiKeyStatusFilter: ['active', 'revoked', 'all'],
  ApprovalAnswer: ['approve', 'reject'],
  ApprovalEffect: ['require_approval'],
  ApprovalOutcome: ['approve', 'reject', 'expired'],
  ApprovalSort: ['expiresAt'],
  ApprovalStatus: APPROVAL_STATUSES,
  AuditKind: LEAF_KINDS,
  BudgetPeriod: ['none', 'daily', 'weekly', 'monthly', 'yearly'],
  CardConnectionInputStatus: ['active', 'disabled'],
  CardConnectionStatus: ['active', 'disabled', 'removed'],
  CardConnectionWarning: ['events_silent'],
  CardDecisionCause: ['timeout', 'error'],
  CardFailMode: ['closed', 'open'],
  CardFlag: ['other_currency', 'unlinked_refund', 'unreadable_event'],
  CardInitiator: ['cardholder', 'merchant', 'unknown'],
  CardStatus: ['active', 'paused', 'closed'],
  DecidedStatus: ['rejected', 'held', 'settled'],
  Decision: ['approved', 'rejected'],
  DecisionCode: DECISION_CODES.map(({ code }) => code),
  DeliveryStatus: ['pending', 'succeeded', 'failed', 'canceled'],
  DuplicateField: ['vendor', 'amount', 'category', 'reference'],
  Effect: EFFECTS,
  Environment: ['development', 'production', 'demo'],
  EventKind: EVENT_KINDS,
  ExportFormat: ['csv', 'ndjson'],
  FailedRedeliveryStatus: ['none', 'running', 'done', 'stopped'],
  FindingOutcome: ['pass', 'fail', 'escalate', 'flag'],
  LimitGrouping: ['vendor', 'category'],
  MandateStatus: ['draft', 'active', 'expired', 'revoked'],
  MayNotDecideReason: [
    'agent_bound_key',
    'insufficient_scope',
    'approval_decided',
    'approval_own_request',
    'four_eyes_required',
  ],
  NotReplayedReason: ['details_removed', 'inputs_not_kept', 'changes_not_kept'],
  PathName: PATH_NAMES,
  Plan: ['free', 'pro', 'scale', 'self_hosted'],
  RequesterKind: ['key', 'member', 'issuer'],
  Scope: SCOPES,
  SignInLockScope: ['address', 'everywhere', 'session'],
  SignInMethod: ['password', 'passkey', 'recovery_code'],
  SortByUse: ['percentUsed'],
  TransactionStatus: [
    'rejected',
    'held',
    'settled',
    'voided',
    'expired',
    'partially_refunded',
    'refunded',
  ],
  TransactionView: ['full', 'summary'],
  WalletType: ['local', 'remote'],
  WebhookAttemptOutcome: ['started', 'succeeded', 'failed', 'interrupted'],
  WebhookAttemptResponseCut: ['size', 'timeout', 'reset'],
  WebhookAttemptTrigger: ['automatic', 'manual'],
  WebhookEndpointPausedReason: ['requested', 'failing'],
  WebhookEndpointStatus: ['paused', 'active'],
  Weekday: WEEKDAYS,
  X402HeaderName: ['PAYMENT-SIGNATURE', 'X-PAYMENT'],
  X402HoldState: ['held', 'settled', 'released'],
  X402Method: ['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE'],
  X402Mode: ['sign', 'fetch', 'quote'],
  X402PayeeAssurance: ['payto_pinned', 'gateway_observed', 'agent_claimed'],
  X402RequestEncoding: ['utf8', 'base64'],
  X402ResourceBodyEncoding: ['json', 'utf8', 'base64'],
  X402SettlementSource: ['chain', 'vendor', 'assumed'],
  X402SettlementState: ['settled', 'pending', 'unknown', 'none'],
}

/** Names a list of values. The same list has the same name everywhere. */
export function createEnumNames(): (values: readonly unknown[], place: Place) => string {
  const names = new Map(
    Object.entries(ENUM_NAMES).map(([name, values]) => [JSON.stringify(values), name]),
  )
  return (values, { owner, fields }) => {
    const list = JSON.stringify(values)
    const name = names.get(list)
    if (name !== undefined) return name
    const place = [owner, ...fields].join('.')
    throw new Error(`The list ${list} of ${place} has no name. Add one to ENUM_NAMES.`)
  }
}
