import {
  EXAMPLE_AGENT_ID,
  EXAMPLE_RULES,
  EXAMPLE_SPEND,
  EXAMPLE_TIME,
  exampleId,
} from '../../http/document/examples.ts'

const TERMS = {
  name: 'Research',
  currency: 'USD',
  timezone: 'UTC',
  validFrom: null,
  validUntil: null,
  budgetPeriod: 'monthly',
  budgetTotal: 100,
  rules: EXAMPLE_RULES,
  warningPercents: [80],
  discloseLimits: false,
}

export const MANDATE_EXAMPLE = {
  id: exampleId('mnd'),
  agentId: EXAMPLE_AGENT_ID,
  status: 'active',
  version: 1,
  draftOf: null,
  draftOfVersion: null,
  parentMandateId: null,
  ...TERMS,
  budgetSpent: 12.5,
  budgetHeld: 0,
  remainingBudget: 87.5,
  percentUsed: 12.5,
  exhausted: false,
  periodStart: '2026-11-01T00:00:00.000Z',
  periodEnd: '2026-12-01T00:00:00.000Z',
  createdAt: EXAMPLE_TIME,
  activatedAt: EXAMPLE_TIME,
  revokedAt: null,
  archivedAt: null,
  updatedAt: EXAMPLE_TIME,
  updatedBy: exampleId('key'),
}

export const DELETED_MANDATE_EXAMPLE = { id: exampleId('mnd'), deleted: true, archived: false }

export const VERSION_EXAMPLE = {
  version: 2,
  ...TERMS,
  changedAt: EXAMPLE_TIME,
  changedBy: exampleId('key'),
  changes: [{ field: 'rules.amount.max', before: 20, after: 25 }],
}

const { agentId: _, ...PURCHASE } = EXAMPLE_SPEND
const NEWLY_REJECTED = [{ currency: 'USD', newlyRejected: 12.5, newlyApproved: 0 }]

export const BACKTEST_EXAMPLE = {
  partial: false,
  from: EXAMPLE_TIME,
  replayedTo: EXAMPLE_TIME,
  replayed: 1,
  approvedBefore: 1,
  approvedNow: 0,
  newlyRejected: 1,
  newlyApproved: 0,
  otherCode: 0,
  newlyAsked: 0,
  takenFromRecord: 0,
  money: NEWLY_REJECTED,
  reasons: [{ before: 'approved', after: 'amount_above_max', count: 1, money: NEWLY_REJECTED }],
  rules: [
    {
      id: 'amount',
      type: 'amount',
      stoodInTheWay: 1,
      askedPerson: 0,
      flagged: 0,
      newlyRejected: 1,
      money: NEWLY_REJECTED,
    },
  ],
  examples: [
    {
      transactionId: exampleId('txn'),
      createdAt: EXAMPLE_TIME,
      ...PURCHASE,
      currency: 'USD',
      before: { decision: 'approved', code: 'approved', ruleId: null },
      after: {
        decision: 'rejected',
        code: 'amount_above_max',
        ruleId: 'amount',
        message: '12.5 USD is above the maximum of 10 USD.',
      },
    },
  ],
  notReplayed: [],
  assumptions: ['Spends of other agents under the same mandates keep their original decisions.'],
  warnings: [],
}

const PROGRESS = { progress: { replayed: 0, replayedTo: null } }
export const BACKTEST_LINES_EXAMPLE = [PROGRESS, { report: BACKTEST_EXAMPLE }]
  .map((line) => `${JSON.stringify(line)}\n`)
  .join('')
