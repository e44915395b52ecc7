import { ACP_VERSIONS } from '../../core/acp-entry.ts'
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
import { inPascalCase, type Place } from './map-schemas.ts'

/**
 * The names of lists of values that stand in several places. A list that has no name here gets one
 * from the first place where it stands, such as X402HoldState.
 */
export const ENUM_NAMES: Readonly<Record<string, readonly string[]>> = {
  AcpVersion: ACP_VERSIONS,
  AgentInclude: ['mandate'],
  AgentStatus: ['active', 'paused'],
  AnalyticsDimension: DIMENSIONS,
  AnalyticsInterval: INTERVALS,
  AnalyticsMetric: ['spend', 'rejections', 'approvals', 'exposure', 'forecast'],
  ApprovalAnswer: ['approve', 'reject'],
  ApprovalEffect: ['require_approval'],
  ApprovalOutcome: ['approve', 'reject', 'expired'],
  ApprovalStatus: APPROVAL_STATUSES,
  AuditKind: LEAF_KINDS,
  BudgetPeriod: ['none', 'daily', 'weekly', 'monthly', 'yearly'],
  CardConnectionStatus: ['active', 'disabled', 'removed'],
  CardFailMode: ['closed', 'open'],
  CardFlag: ['other_currency', 'unlinked_refund', 'unreadable_event'],
  CardProvider: ['stripe', 'lithic', 'generic'],
  CardStatus: ['active', 'paused', 'closed'],
  DecidedStatus: ['rejected', 'held', 'settled'],
  Decision: ['approved', 'rejected'],
  DecisionCode: DECISION_CODES.map(({ code }) => code),
  DeliveryStatus: ['pending', 'succeeded', 'failed', 'canceled'],
  DuplicateField: ['vendor', 'amount', 'category', 'reference'],
  Effect: EFFECTS,
  EventKind: EVENT_KINDS,
  InstrumentIssuer: ['stripe', 'delegate_payment'],
  LimitGrouping: ['vendor', 'category'],
  MandateStatus: ['draft', 'active', 'expired', 'revoked'],
  PathName: PATH_NAMES,
  Plan: ['free', 'pro', 'scale', 'self_hosted'],
  Scope: SCOPES,
  TransactionStatus: [
    'rejected',
    'held',
    'settled',
    'voided',
    'expired',
    'partially_refunded',
    'refunded',
  ],
  WalletType: ['local', 'remote'],
  Weekday: WEEKDAYS,
}

/** Gives each list of values a name, and the same list the same name wherever it stands. */
export function createEnumNames(): (values: readonly unknown[], place: Place) => string {
  const names = new Map(
    Object.entries(ENUM_NAMES).map(([name, values]) => [JSON.stringify(values), name]),
  )
  return (values, { owner, fields }) => {
    const key = JSON.stringify(values)
    const name = names.get(key) ?? inPascalCase(owner, ...fields)
    names.set(key, name)
    return name
  }
}
