import type { IdPrefix } from '../../core/id.ts'

/*
 * The examples of the document tell one small story: an agent has a mandate of 100 USD a month and
 * buys something for 12.50 USD. So the response of one endpoint fits the others. A test sends the
 * example requests to a gateway and validates the example responses against their schemas.
 */

export const EXAMPLE_AGENT_ID = '019a8561-7c5e-7d40-9b5e-6f1f0a3c2b11'

/** The time of everything in the examples. */
export const EXAMPLE_TIME = '2026-11-15T09:30:00.000Z'

/** In examples, all objects have the same id after their prefix. */
export function exampleId(prefix: IdPrefix): string {
  return `${prefix}_${EXAMPLE_AGENT_ID.replaceAll('-', '')}`
}

export const EXAMPLE_RULES = [
  { type: 'amount', max: 25, id: 'amount', effect: 'reject' },
  {
    type: 'vendors',
    allow: ['api.openai.com', '*.example.com'],
    id: 'vendors',
    effect: 'reject',
  },
]

/** The receipt of the example decision. The leaf's hash is that of the details in EXAMPLE_DETAILS. */
export const EXAMPLE_RECEIPT = {
  log: `purser/audit/${exampleId('org')}`,
  leaf: '6c44d820d90dc648a59b04f74b57ac80d63e3141342ecf79cc999573fcde9392',
  salt: '8e5c1f0a3b7d4962a1c0e8f75b3d2946',
}

export const EXAMPLE_DETAILS = {
  code: 'approved',
  message: 'The spend is approved.',
  mandateVersion: 1,
  policyHash: '3acb08bddb531395f7989dae31246dba68577493ddd08bf6e5f0580d3e049a41',
  evaluatedAt: EXAMPLE_TIME,
  path: 'evaluate',
  firstFailure: null,
  failed: [],
  rules: [
    {
      id: 'vendors',
      type: 'vendors',
      outcome: 'pass',
      code: null,
      observed: 'api.openai.com',
      limit: 'api.openai.com, *.example.com',
      window: null,
      message: 'The vendor is allowed.',
    },
    {
      id: 'amount',
      type: 'amount',
      outcome: 'pass',
      code: null,
      observed: 12.5,
      limit: 25,
      window: null,
      message: 'The amount is within its bounds.',
    },
    {
      id: 'budget',
      type: 'budget',
      outcome: 'pass',
      code: null,
      observed: 12.5,
      limit: 100,
      window: 'monthly',
      message: 'The budget covers the spend.',
    },
  ],
  budget: {
    total: 100,
    spentBefore: 0,
    remaining: 87.5,
    percentUsed: 12.5,
    periodEnd: '2026-12-01T00:00:00.000Z',
  },
  approval: null,
  next: { maxAmountNow: null, maxAmountWithApproval: null, retryAfter: null },
  durationMs: 2.1,
  receipt: EXAMPLE_RECEIPT,
}

export const EXAMPLE_SPEND = {
  agentId: EXAMPLE_AGENT_ID,
  amount: 12.5,
  vendor: 'api.openai.com',
  category: 'llm',
}

/** The decision fields that every path returns. */
export const EXAMPLE_DECISION = {
  decision: 'approved',
  remainingBudget: 87.5,
  transactionId: exampleId('txn'),
  evaluationDetails: EXAMPLE_DETAILS,
  mandateId: exampleId('mnd'),
  ...EXAMPLE_SPEND,
  flags: [],
}

/** The details of a purchase on another path, under a mandate of 100 USD without rules. */
export function exampleDetails(path: string, amount: number): object {
  const remaining = 100 - amount
  return {
    ...EXAMPLE_DETAILS,
    path,
    rules: EXAMPLE_DETAILS.rules
      .filter(({ id }) => id === 'budget')
      .map((finding) => ({ ...finding, observed: amount })),
    budget: { ...EXAMPLE_DETAILS.budget, remaining, percentUsed: amount },
  }
}
