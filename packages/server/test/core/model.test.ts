import { test } from 'vitest'
import { proveAgreement } from './model/agreement.ts'

// model.deep.test.ts does 100,000 operations, and a million in the nightly suite.

test('agrees with a model that recomputes everything from the history, over 20,000 operations', () =>
  proveAgreement(20_000))
