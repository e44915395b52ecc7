import { type Case, decision, event, SIGN_IN } from './leaf-support.ts'

export const EVENT_CASES: readonly Case[] = [
  ['log.begun', {}, 'Purser began this audit log'],
  [
    'transaction.approved',
    decision({ status: 'settled' }),
    'Travel booker spent 84.00 USD at sas.se',
  ],
  ['transaction.approved', decision({ status: 'held' }), 'Travel booker held 84.00 USD at sas.se'],
  [
    'transaction.approved',
    decision({ status: 'settled', code: 'recorded' }),
    'Travel booker spent 84.00 USD at sas.se without a decision',
  ],
  [
    'transaction.rejected',
    decision({ code: 'budget_exceeded' }),
    'Travel booker tried to spend 84.00 USD at sas.se: over budget',
  ],
  [
    'transaction.rejected',
    decision({ code: 'approval_required' }),
    'Travel booker needs approval for 84.00 USD at sas.se',
  ],
  [
    'transaction.settled',
    event({ settledAmount: 100 }),
    'Purser settled 100.00 USD at sas.se for Travel booker',
  ],
  ['transaction.voided', event({}), 'Purser released the hold of 120.00 USD at sas.se'],
  ['transaction.expired', event({}), 'Purser released the expired hold of 120.00 USD at sas.se'],
  [
    'transaction.refunded',
    event({ refundedAmount: 59 }),
    'Purser recorded a refund of 59.00 USD from sas.se for Travel booker',
  ],
  ['transaction.adjusted', event({}), 'Purser changed the hold of 120.00 USD at sas.se'],
  [
    'mandate.budget.warning',
    event(null, { budgetSpentMicros: '240000000', budgetTotalMicros: '300000000' }),
    'Travel booker has used 240.00 USD of its 300.00 USD',
  ],
  [
    'mandate.budget.exhausted',
    event(null, { budgetSpentMicros: '300000000', budgetTotalMicros: '300000000' }),
    'Travel booker used up its budget of 300.00 USD',
  ],
  [
    'approval.requested',
    event({ amount: 480, currency: 'USD', vendor: 'snowflake.com' }),
    'Travel booker requested approval for 480.00 USD at snowflake.com',
  ],
  [
    'approval.decided',
    event({
      amount: 480,
      currency: 'USD',
      vendor: 'sas.se',
      decision: 'approve',
      decidedBy: 'Bo',
      comment: 'Yes.',
    }),
    'Purser recorded the approval of 480.00 USD at sas.se by Bo: “Yes.”',
  ],
  [
    'approval.decided',
    event({ amount: 480, currency: 'USD', vendor: 'sas.se', decision: 'expired' }),
    'Purser closed the approval of 480.00 USD at sas.se: it expired without an answer',
  ],
  [
    'usage.warning',
    event({ used: 800, limit: 1000 }),
    'Purser counted 800 of 1,000 evaluations of this month',
  ],
  [
    'usage.exhausted',
    event({ used: 1000, limit: 1000 }),
    'Purser counted 1,000 of 1,000 evaluations of this month: the plan is used up',
  ],
  [
    'card.flagged',
    event({ message: 'A refund belongs to no purchase.' }),
    'Card issuer reported: A refund belongs to no purchase.',
  ],
  [
    'sign_in.succeeded',
    event({ ...SIGN_IN, method: 'passkey' }),
    'Bo Sørensen signed in with a passkey from 203.0.113.7',
  ],
  ['sign_in.failed', event(SIGN_IN), 'Bo Sørensen failed to sign in 3 times from 203.0.113.7'],
  [
    'sign_in.locked',
    event({ ...SIGN_IN, lockedUntil: '2026-11-15T10:15:00.000Z' }),
    'Bo Sørensen was locked out until 10:15 from 203.0.113.7',
  ],
  [
    'sign_in.refused',
    event(SIGN_IN),
    'Bo Sørensen was refused 3 times: too many attempts from 203.0.113.7',
  ],
  [
    'sign_in.reset',
    event({ ...SIGN_IN, addresses: [] }),
    'Bo Sørensen set a new password with a reset link',
  ],
]
