import { asked, type Scenario, seen, taken } from './scenarios.ts'

/** Amounts of zero, and facts of the same instant. */
export const BOUNDARIES: readonly Scenario[] = [
  {
    name: 'an approved check of the card, then a capture without an authorization',
    facts: [asked(0, 0), taken(20, 33)],
    ends: {
      held: 0,
      captured: 33,
      refunded: 0,
      transactions: { recorded: [0, 33, 0, 'ungoverned'] },
    },
  },
  {
    name: 'captured at the instant of its reversal, which is not late',
    facts: [asked(0, 50), seen(1, 1, 50), seen(20, 1, 0, { status: 'reversed' }), taken(20, 45)],
    ends: { held: 0, captured: 45, refunded: 0, transactions: { 'request-0': [0, 45, 0] } },
  },
]
