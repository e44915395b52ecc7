import type { EvaluationDetails } from '../generated/types/index.ts'

/** Codes with which the same purchase can pass later, by itself. */
const LATER = new Set<string>([
  'mandate_not_started',
  'outside_schedule',
  'limit_count_exceeded',
  'limit_amount_exceeded',
  'duplicate_transaction',
  'expression_false',
  'past_being_counted',
  'vendor_history_incomplete',
  'budget_exceeded',
  'parent_budget_exceeded',
  'deadline_passed',
])

/** Codes with which the same purchase can pass only after a person has changed something. */
const BY_A_PERSON = new Set<string>([
  'organization_frozen',
  'agent_paused',
  'card_paused',
  'no_active_mandate',
  'mandate_expired',
  'payee_mismatch',
  'new_vendor',
  'expression_error',
  'approval_required',
  'rule_error',
])

/** Whether the same purchase can pass later: `no`, `later` by itself, or `after_change`. */
export function repeatOf(code: string): 'no' | 'later' | 'after_change' {
  if (LATER.has(code)) return 'later'
  return BY_A_PERSON.has(code) ? 'after_change' : 'no'
}

const NO_SPLITTING =
  'Do not split the purchase into smaller ones: budgets and limits add them up, and people see it as an evasion.'

/** Explains a rejection to a model: the cause, what would pass now, and what helps. */
export function explainRejection(details: EvaluationDetails) {
  const { code, message, next, approval = null, budget } = details
  const waitingHelps = waitingHelpsOf(details)
  const { maxAmountNow, retryAfter, maxAmountWithApproval = null } = next
  const isDuplicate = code === 'duplicate_transaction'
  return {
    summary: [
      `Rejected (${code}): ${message}`,
      ...adviceOn(details),
      ...(waitingHelps === 'no' && !approval ? ['Waiting alone does not help.'] : []),
      NO_SPLITTING,
    ].join(' '),
    code,
    cause: message,
    next: {
      // Under a duplicate rule, these are only amounts that would not look like the same purchase.
      maxAmountNow: isDuplicate ? null : maxAmountNow,
      maxAmountWithApproval: isDuplicate ? null : maxAmountWithApproval,
      retryAfter,
    },
    waitingHelps,
    splittingHelps: false,
    retryable: false,
    needsPerson: repeatOf(code) === 'after_change',
    approval,
    failedRules: details.rules
      .filter(({ outcome }) => outcome === 'fail' || outcome === 'escalate')
      .map(({ id, outcome, observed, limit, window, message: why }) => ({
        ...{ id, outcome, observed, limit, window },
        message: why,
      })),
    budget: budget && {
      total: budget.total,
      remaining: budget.remaining,
      resets: budget.periodEnd,
    },
  }
}

/** `maybe`: the gateway cannot name a time. */
function waitingHelpsOf({ code, next, budget }: EvaluationDetails): 'yes' | 'maybe' | 'no' {
  if (next.retryAfter !== null) return 'yes'
  if (repeatOf(code) !== 'later') return 'no'
  // A budget without a period never comes back.
  return code === 'budget_exceeded' && budget?.periodEnd === null ? 'no' : 'maybe'
}

function adviceOn(details: EvaluationDetails): string[] {
  const { code } = details
  if (code === 'duplicate_transaction') {
    return ['You have probably bought this already. Call list_transactions before anything else.']
  }
  if (code === 'approval_rejected') {
    return [
      'A person said no. Do not ask again, and do not change the purchase to get around the answer.',
      'If the person you work for tells you to ask again, use a new purchaseId.',
    ]
  }
  return [...adviceOnAmounts(details), ...adviceOnPeople(details)]
}

function adviceOnAmounts({ code, next }: EvaluationDetails): string[] {
  const { maxAmountNow, maxAmountWithApproval = null, retryAfter } = next
  const now = maxAmountNow ?? 0
  return [
    ...(now > 0
      ? [`At most ${now} would pass now, if the whole purchase really costs no more.`]
      : []),
    ...(code !== 'approval_required' && (maxAmountWithApproval ?? 0) > now
      ? [`A person could approve at most ${maxAmountWithApproval}.`]
      : []),
    ...(retryAfter === null
      ? []
      : [`The same purchase would pass from ${retryAfter} on, if nothing else is spent before.`]),
  ]
}

function adviceOnPeople({ code, approval }: EvaluationDetails): string[] {
  if (code === 'approval_required' && approval) {
    return [
      `A person must approve this. The request ${approval.id} is ${approval.status}${approval.url ? `; the person decides at ${approval.url}` : ''}.`,
      'Wait with get_approval. Once it is approved, call this tool again with the same purchaseId and the same arguments: the approval is found by itself.',
    ]
  }
  if (code === 'approval_required') {
    return ['A person must approve this. Call request_approval to ask.']
  }
  if (code === 'approval_expired') {
    return ['No person answered in time. Call request_approval to ask again.']
  }
  return repeatOf(code) === 'after_change'
    ? ['Only a person can change this. Tell the person you work for, and do not keep trying.']
    : []
}
