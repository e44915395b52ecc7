import type {
  ApprovalStatus,
  DecisionCode,
  DeliveryStatus,
  Effect,
  EventKind,
  MandateStatus,
  PathName,
  TransactionStatus,
} from '@purser/sdk'

// The words of every screen for the codes of the API. One word per thing: see the design, section 8.

/** The kinds of status, by colour and meaning: see src/styles/base.css. */
export type Tone = 'ok' | 'no' | 'held' | 'ask' | 'back' | 'done'

/** The reason of a decision in a few words, for lists and charts. */
export const CODE_WORDS: Readonly<Record<DecisionCode, string>> = {
  approved: 'Approved',
  organization_frozen: 'All spending frozen',
  agent_paused: 'Agent paused',
  card_paused: 'Card paused',
  card_closed: 'Card closed',
  no_active_mandate: 'No active mandate',
  mandate_not_started: 'Mandate not started',
  mandate_expired: 'Mandate expired',
  currency_mismatch: 'Wrong currency',
  payee_mismatch: 'Wrong payee address',
  path_not_allowed: 'Payment path not allowed',
  vendor_blocked: 'Vendor blocked',
  vendor_not_allowed: 'Vendor not allowed',
  category_blocked: 'Category blocked',
  category_not_allowed: 'Category not allowed',
  category_required: 'Category missing',
  amount_below_min: 'Below minimum',
  amount_above_max: 'Per-spend limit exceeded',
  outside_schedule: 'Outside allowed hours',
  limit_count_exceeded: 'Too many spends',
  limit_amount_exceeded: 'Spending limit reached',
  duplicate_transaction: 'Duplicate',
  new_vendor: 'New vendor',
  price_drift: 'Price increase',
  expression_false: 'Custom rule',
  expression_error: 'Custom rule error',
  approval_required: 'Needs approval',
  approval_rejected: 'Approval denied',
  approval_expired: 'Approval expired',
  past_being_counted: 'Counting earlier spends',
  vendor_history_incomplete: 'Loading vendor history',
  rule_error: 'Rule error',
  budget_exceeded: 'Over budget',
  parent_budget_exceeded: 'Over parent budget',
  deadline_passed: 'Timed out',
  recorded: 'Recorded without a decision',
}

/** The codes that are a reason, for a filter. "Approved" is the decision, which has its own one. */
export const REASON_WORDS: readonly { readonly value: string; readonly label: string }[] =
  Object.entries(CODE_WORDS)
    .filter(([code]) => code !== 'approved')
    .map(([value, label]) => ({ value, label }))

/** Why no rule was checked, as the end of a sentence. */
export const GATE_WORDS: Readonly<Partial<Record<DecisionCode, string>>> = {
  organization_frozen: 'all spending is frozen',
  agent_paused: 'the agent is paused',
  card_paused: 'the card is paused',
  card_closed: 'the card is closed',
  no_active_mandate: 'the agent has no active mandate',
  mandate_not_started: 'the mandate has not started yet',
  mandate_expired: 'the mandate has expired',
  currency_mismatch: 'the currency differs from the mandate’s',
  deadline_passed: 'the decision was not ready in time',
}

/** The word for a code, also for one that this console does not know yet. */
export function codeWord(code: string): string {
  return CODE_WORDS[code as DecisionCode] ?? readable(code)
}

export interface StatusWord {
  readonly word: string
  readonly tone: Tone
}

export const STATUS_WORDS: Readonly<Record<TransactionStatus, StatusWord>> = {
  settled: { word: 'Settled', tone: 'ok' },
  held: { word: 'Held', tone: 'held' },
  rejected: { word: 'Rejected', tone: 'no' },
  voided: { word: 'Voided', tone: 'done' },
  expired: { word: 'Expired', tone: 'done' },
  refunded: { word: 'Refunded', tone: 'back' },
  partially_refunded: { word: 'Part refunded', tone: 'back' },
}

export const APPROVAL_WORDS: Readonly<Record<ApprovalStatus, StatusWord>> = {
  pending: { word: 'Waiting', tone: 'ask' },
  approved: { word: 'Approved', tone: 'ok' },
  used: { word: 'Approved and used', tone: 'ok' },
  rejected: { word: 'Rejected', tone: 'no' },
  expired: { word: 'Expired', tone: 'done' },
}

export const MANDATE_WORDS: Readonly<Record<MandateStatus, StatusWord>> = {
  draft: { word: 'Draft', tone: 'held' },
  active: { word: 'Active', tone: 'ok' },
  expired: { word: 'Expired', tone: 'done' },
  revoked: { word: 'Revoked', tone: 'done' },
}

export const PATH_WORDS: Readonly<Record<PathName, string>> = {
  evaluate: 'Direct',
  x402: 'x402',
  acp: 'ACP checkout',
  card: 'Card',
}

export const EFFECT_WORDS: Readonly<Record<Effect, string>> = {
  reject: 'Reject',
  require_approval: 'Require approval',
  flag: 'Flag',
}

/** The names of rules, as the editor, the drawer and the approvals show them. */
export const RULE_WORDS: Readonly<
  Record<string, { readonly name: string; readonly about: string }>
> = {
  amount: { name: 'Per-spend limit', about: 'for a single spend' },
  limit: { name: 'Limit over time', about: 'sum or number of spends' },
  vendors: { name: 'Vendors', about: 'allowed or blocked hosts' },
  categories: { name: 'Categories', about: 'allowed or blocked' },
  schedule: { name: 'Allowed hours', about: 'times of the week' },
  paths: { name: 'Payment paths', about: 'how the agent may pay' },
  duplicate: { name: 'Duplicate', about: 'the same spend again' },
  new_vendor: { name: 'New vendor', about: 'the first spend at a host' },
  price_drift: { name: 'Price increase', about: 'compared with earlier spends' },
  expression: { name: 'Custom rule', about: 'an expression' },
  approval: { name: 'Require approval', about: 'before spending' },
  budget: { name: 'Budget', about: 'of the period' },
}

export function ruleName(type: string): string {
  return RULE_WORDS[type]?.name ?? readable(type)
}

export const EVENT_WORDS: Readonly<Partial<Record<EventKind, string>>> = {
  'transaction.approved': 'Spend approved',
  'transaction.rejected': 'Spend rejected',
  'transaction.settled': 'Hold settled',
  'transaction.voided': 'Hold voided',
  'transaction.expired': 'Hold expired',
  'transaction.refunded': 'Spend refunded',
  'mandate.budget.warning': 'Budget at 80 %',
  'mandate.budget.exhausted': 'Budget exhausted',
  'approval.requested': 'Approval requested',
  'approval.decided': 'Approval decided',
  'usage.warning': 'Plan at 80 %',
  'usage.exhausted': 'Plan used up',
  'card.flagged': 'Card needs a look',
  'sign_in.succeeded': 'Signed in',
  'sign_in.failed': 'Sign-in failed',
  'sign_in.locked': 'Account locked',
  'sign_in.refused': 'Sign-in refused',
  'sign_in.reset': 'Password reset',
}

/** The word for a kind of event, also for one that this console does not know yet. */
export function eventWord(kind: string): string {
  return EVENT_WORDS[kind as EventKind] ?? readable(kind)
}

export interface DeliveryWord extends StatusWord {
  readonly id: 'delivered' | 'retrying' | 'waiting' | 'failed' | 'canceled'
}

/** A delivery that has failed and waits for its next attempt is retrying. */
export function deliveryWord(status: DeliveryStatus, attempts: number): DeliveryWord {
  if (status === 'succeeded') return { id: 'delivered', word: 'Delivered', tone: 'ok' }
  if (status === 'failed') return { id: 'failed', word: 'Failed', tone: 'no' }
  if (status === 'canceled') return { id: 'canceled', word: 'Canceled', tone: 'done' }
  return attempts > 0
    ? { id: 'retrying', word: 'Retrying', tone: 'held' }
    : { id: 'waiting', word: 'Waiting', tone: 'done' }
}

/** `some_code` as "Some code". */
export function readable(code: string): string {
  const text = code.replaceAll(/[._]/g, ' ')
  return text.charAt(0).toUpperCase() + text.slice(1)
}
