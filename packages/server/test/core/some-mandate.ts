import type { Mandate } from '../../src/core/mandates/mandate.ts'
import { someTerms } from './some-terms.ts'

const SINCE = Date.UTC(2026, 9, 15, 12)

/** An active mandate that allows 100 USD and nothing special, but for what the test is about. */
export function someMandate(change: Partial<Mandate>): Mandate {
  return {
    ...someTerms({}),
    discloseLimits: false,
    id: '019a8561-7c5e-7d40-9b5e-6f1f0a3c2b12',
    agentId: '019a8561-7c5e-7d40-9b5e-6f1f0a3c2b11',
    parentMandateId: null,
    status: 'active',
    version: 1,
    draftOf: null,
    draftOfVersion: null,
    origins: null,
    budgetSpent: 0n,
    budgetHeld: 0n,
    spentPeriodStart: null,
    createdAt: SINCE,
    activatedAt: SINCE,
    revokedAt: null,
    archivedAt: null,
    updatedAt: SINCE,
    updatedBy: null,
    ...change,
  }
}
