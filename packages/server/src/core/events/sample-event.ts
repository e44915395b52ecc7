import type { EventKind } from './event.ts'

const SPEND = {
  transactionId: 'txn_019a85617c5e7d409b5e6f1f0a3c2b11',
  agentId: '019a8561-7c5e-7d40-9b5e-6f1f0a3c2b11',
  mandateId: 'mnd_019a85617c5e7d409b5e6f1f0a3c2b11',
  amount: 12.5,
  vendor: 'api.example.com',
  category: 'llm',
  remainingBudget: 87.5,
  decision: 'approved',
  status: 'settled',
  currency: 'USD',
  path: 'evaluate',
  reference: 'order-1042',
  expiresAt: null,
  flags: [],
}

const HOLD = {
  transactionId: SPEND.transactionId,
  agentId: SPEND.agentId,
  mandateId: SPEND.mandateId,
  amount: SPEND.amount,
  vendor: SPEND.vendor,
  category: SPEND.category,
  currency: SPEND.currency,
  path: SPEND.path,
  reference: SPEND.reference,
}
const NOTHING_MOVED = { settledAmount: 0, refundedAmount: 0, flags: [] }

const BUDGET = { mandateId: SPEND.mandateId, agentId: SPEND.agentId, budgetTotal: 100 }

const APPROVAL = {
  approvalId: 'apr_019a85617c5e7d409b5e6f1f0a3c2b11',
  status: 'pending',
  transactionId: SPEND.transactionId,
  agentId: SPEND.agentId,
  mandateId: SPEND.mandateId,
  amount: SPEND.amount,
  currency: SPEND.currency,
  vendor: SPEND.vendor,
  category: SPEND.category,
  path: SPEND.path,
  expiresAt: '2026-11-15T10:00:00.000Z',
}
const PLAN = { plan: 'free', limit: 1_000 }
const RESET = { resetsAt: '2026-12-01T00:00:00.000Z' }

const SIGN_IN = {
  memberId: 'mem_019a85617c5e7d409b5e6f1f0a3c2b11',
  email: 'ada@example.com',
  addresses: ['203.0.113.7'],
  number: 1,
  firstAt: '2026-11-15T10:00:00.000Z',
  lastAt: '2026-11-15T10:00:00.000Z',
}

const REASON = '12.5 USD is above the maximum of 10 USD.'

/** The data of a test event: made up, with ids that do not exist. */
export const SAMPLES: Readonly<Record<EventKind, object>> = {
  'transaction.approved': SPEND,
  'transaction.rejected': {
    ...SPEND,
    remainingBudget: 100,
    decision: 'rejected',
    status: 'rejected',
    code: 'amount_above_max',
    reason: REASON,
    reasons: [{ ruleId: 'amount', code: 'amount_above_max', message: REASON }],
    approvalId: null,
  },
  'mandate.budget.warning': { ...BUDGET, budgetSpent: 80, percentUsed: 80 },
  'mandate.budget.exhausted': { ...BUDGET, budgetSpent: 100, percentUsed: 100 },
  'transaction.settled': { ...HOLD, status: 'settled', ...NOTHING_MOVED, settledAmount: 9.75 },
  'transaction.voided': { ...HOLD, status: 'voided', ...NOTHING_MOVED },
  'transaction.expired': { ...HOLD, status: 'expired', ...NOTHING_MOVED },
  'transaction.refunded': {
    ...HOLD,
    status: 'partially_refunded',
    ...NOTHING_MOVED,
    settledAmount: 9.75,
    refundedAmount: 2.5,
  },
  'approval.requested': APPROVAL,
  'approval.decided': {
    ...APPROVAL,
    status: 'approved',
    decision: 'approve',
    decidedBy: 'Finance',
    decidedById: 'mem_019a85617c5e7d409b5e6f1f0a3c2b11',
    decidedByEmail: 'finance@example.com',
    comment: 'The yearly licence; agreed with finance.',
    maxAmount: 12.5,
  },
  'usage.warning': { ...PLAN, used: 800, percentUsed: 80, ...RESET },
  'usage.exhausted': { ...PLAN, used: 1_000, percentUsed: 100, ...RESET },
  'card.flagged': {
    what: 'unlinked_refund',
    connectionId: 'conn_019a85617c5e7d409b5e6f1f0a3c2b11',
    authorizationId: null,
    externalTransactionId: 'ipi_1MzFN1K8F4fqH0lBmFq8CjbU',
    cardId: 'card_019a85617c5e7d409b5e6f1f0a3c2b11',
    agentId: SPEND.agentId,
    amount: 12.5,
    currency: SPEND.currency,
    message:
      'The refund belongs to no authorization. It is recorded, but returns nothing to a budget.',
  },
  'sign_in.succeeded': { ...SIGN_IN, method: 'password' },
  'sign_in.failed': { ...SIGN_IN, number: 7, lastAt: '2026-11-15T10:04:10.000Z' },
  'sign_in.locked': { ...SIGN_IN, scope: 'address', lockedUntil: '2026-11-15T10:15:00.000Z' },
  'sign_in.refused': { ...SIGN_IN, number: 3 },
  'sign_in.reset': SIGN_IN,
}
