import { PATH_MEANINGS } from '../../core/path.ts'

/**
 * Descriptions of lists of values, by the names in ENUM_NAMES. A list that is not here takes its
 * description from the schemas that use it.
 */
export const ENUM_WORDS: Readonly<Record<string, string>> = {
  ActorKind: '`key`: an API key. `member`: a person.',
  AgentInclude: '`mandate`: the active mandate of each agent.',
  AnalyticsDimension: 'A dimension to group totals by.',
  AnalyticsInterval: '`week` begins on Monday.',
  AnalyticsMetric: 'The measure of the totals.',
  ApiKeyStatusFilter:
    '`active`: keys that are not revoked. `revoked`: only revoked keys. `all`: both.',
  ApprovalAnswer: 'The decision on an approval request.',
  ApprovalSort: '`expiresAt`: only pending requests, and the one that expires first comes first.',
  AuditKind: 'The kind of an audit log entry.',
  CardConnectionWarning:
    '`events_silent`: authorizations were approved, but no event has arrived since.',
  CardInitiator: 'Who started the purchase. Default: `unknown`.',
  CardStatus:
    '`active`: the card can be used. `paused`, `closed`: authorizations are declined. A closed card cannot be reopened.',
  DecidedStatus:
    'The status right after the decision. `rejected`: nothing was taken from the budget. `held`: the amount is reserved until the hold is settled, voided or expires. `settled`: the amount is spent.',
  Decision: 'Whether the gateway approved or rejected the spend.',
  DuplicateField: 'A field that two spends must share to count as duplicates.',
  EventKind: 'The kind of event.',
  ExportFormat: '`csv`: comma-separated values. `ndjson`: one JSON object per line.',
  FindingOutcome:
    "`pass`: the rule allows the spend. `fail`: the rule rejects it. `escalate`: the rule requires a person's approval. `flag`: the rule failed but only flags the spend.",
  MandateStatus:
    '`draft`: not in force yet. `active`: in force. `expired`: `validUntil` has passed. `revoked`: ended for good.',
  MayNotDecideReason:
    '`agent_bound_key`: the key is bound to agents. `insufficient_scope`: the scope `approvals:write` is missing. `approval_decided`: the request is not pending. `approval_own_request`: you, or the creator of your key, sent the spend. `four_eyes_required`: the organization requires another person.',
  NotReplayedReason:
    "`details_removed`: retention removed the decision's details. `inputs_not_kept`: the inputs of the decision were not stored. `changes_not_kept`: the later changes of the transaction were not stored.",
  PathName: ['The payment path of the spend.', ...listMeanings(PATH_MEANINGS)].join(' '),
  Plan: 'The plan of the organization. It sets the monthly evaluations, the agents and the request rate.',
  RequesterKind:
    '`key`: an API key. `member`: a person. `issuer`: the card issuer of a card connection.',
  Scope: 'A permission of an API key: an area and `read` or `write`. `write` includes `read`.',
  SortByUse: '`percentUsed`: largest used part of the budget first.',
  TransactionStatus:
    '`rejected`: the gateway rejected the spend. `held`: the amount is reserved. `settled`: the amount is spent. `voided`: the hold was released because no money moved. `expired`: the hold expired and released its budget. `partially_refunded`, `refunded`: money came back.',
  TransactionView: '`summary` leaves out `evaluationDetails`.',
  WebhookAttemptTrigger:
    '`automatic`: the first attempt or a scheduled retry. `manual`: requested with POST /webhooks/deliveries/:id/redeliver.',
  Weekday: 'A day of the week.',
  X402HeaderName: 'The header that carries the payment: `X-PAYMENT` in x402 version 1.',
  X402HoldState:
    '`held`: the amount is reserved. `settled`: the payment was made. `released`: the budget was released.',
  X402RequestEncoding: 'How `body` is encoded. Default: `utf8`.',
  X402ResourceBodyEncoding: 'How `body` is encoded: parsed JSON, text, or Base64 for binary data.',
}

function listMeanings(meanings: Readonly<Record<string, string>>): string[] {
  return Object.entries(meanings).map(([name, meaning]) => `\`${name}\`: ${meaning}.`)
}
