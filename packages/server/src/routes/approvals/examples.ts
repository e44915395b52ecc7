import { EXAMPLE_SPEND, EXAMPLE_TIME, exampleId } from '../../http/document/examples.ts'
import { REQUESTER_EXAMPLE } from '../../http/document/requester.ts'

const EXPIRES_AT = '2026-11-15T10:00:00.000Z'

export const APPROVAL_EXAMPLE = {
  id: exampleId('apr'),
  status: 'pending',
  agentName: 'Research agent',
  mandateId: exampleId('mnd'),
  path: 'evaluate',
  ...EXAMPLE_SPEND,
  currency: 'USD',
  payee: null,
  cardId: null,
  reference: 'order-1',
  reason: 'The yearly licence',
  metadata: null,
  rules: [
    {
      id: 'approval',
      type: 'approval',
      code: 'approval_required',
      observed: 12.5,
      limit: 10,
      window: null,
      message: 'A spend of more than 10 USD needs the approval of a person.',
    },
  ],
  history: { count: 3, amount: 22.5, lastAt: '2026-11-14T16:20:00.000Z' },
  remainingBudget: 87.5,
  alike: 1,
  requestedBy: REQUESTER_EXAMPLE,
  mayDecide: true,
  mayNotDecideReason: null,
  transactionId: exampleId('txn'),
  permit: null,
  decisions: [],
  url: `https://gateway.example.com/approvals/${exampleId('apr')}`,
  expiresAt: EXPIRES_AT,
  createdAt: EXAMPLE_TIME,
}

export const DECIDED_APPROVAL_EXAMPLE = {
  ...APPROVAL_EXAMPLE,
  status: 'approved',
  mayDecide: false,
  mayNotDecideReason: 'approval_decided',
  permit: { maxAmount: 12.5, expiresAt: EXPIRES_AT, usedAt: null, transactionId: null },
  decisions: [
    {
      decision: 'approve',
      actor: { kind: 'member', id: exampleId('mem'), name: 'Ada' },
      comment: 'The yearly licence; agreed with finance.',
      maxAmount: 12.5,
      decidedAt: EXAMPLE_TIME,
    },
  ],
  also: [],
}
