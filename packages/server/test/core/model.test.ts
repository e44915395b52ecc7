import { test } from 'vitest'
import { proveAgreement } from './model/agreement.ts'

// A million: model.deep.test.ts.

test('agrees with a model that recomputes everything from the history, over 100,000 operations', () =>
  proveAgreement(100_000))
