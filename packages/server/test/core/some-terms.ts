import type { MandateTerms } from '../../src/core/mandates/mandate.ts'

/** Terms that allow 100 USD and nothing special, but for what the test is about. */
export function someTerms(change: Partial<MandateTerms>): MandateTerms {
  return {
    name: 'Research',
    currency: 'USD',
    timezone: 'UTC',
    validFrom: null,
    validUntil: null,
    budgetPeriod: 'none',
    budgetTotal: 100_000_000n,
    warningPercents: [80],
    rules: [],
    ...change,
  }
}
