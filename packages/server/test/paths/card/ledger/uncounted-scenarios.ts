import type { RequestFact } from '../../../../src/paths/card/ledger/facts.ts'
import { asked, type Scenario, seen } from './scenarios.ts'

/** By an issuer that does not count its requests. */
function uncounted(second: number, amount: number): RequestFact {
  return { ...asked(second, amount), index: null }
}

/** Which requests a confirmation includes, where only time or a name says so. */
export const UNCOUNTED: readonly Scenario[] = [
  {
    name: 'a confirmation that is stamped a moment before its request',
    facts: [uncounted(1, 50), seen(0.5, null, 50)],
    ends: { held: 50, captured: 0, refunded: 0, transactions: { 'request-1': [50, 0, 0] } },
  },
  {
    name: 'an increment within a second of the confirmation of the first request',
    facts: [uncounted(1, 50), seen(1.5, null, 50), uncounted(2, 30)],
    ends: {
      held: 80,
      captured: 0,
      refunded: 0,
      transactions: { 'request-1': [50, 0, 0], 'request-2': [30, 0, 0] },
    },
  },
  {
    name: 'a confirmation that names its request, stamped long before it',
    facts: [uncounted(60, 50), seen(1, null, 50, { ofRequest: 'request-60' })],
    ends: { held: 50, captured: 0, refunded: 0, transactions: { 'request-60': [50, 0, 0] } },
  },
  {
    name: 'a confirmation of the first request that comes after an increment',
    facts: [uncounted(1, 50), uncounted(2, 30), seen(9, null, 50, { ofRequest: 'request-1' })],
    ends: {
      held: 80,
      captured: 0,
      refunded: 0,
      transactions: { 'request-1': [50, 0, 0], 'request-2': [30, 0, 0] },
    },
  },
]
