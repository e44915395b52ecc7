import { test } from 'vitest'
import { proveAgreement } from './model/agreement.ts'

// A million: model.deep.test.ts.

test('agrees with a model that recomputes everything from the history, over 20,000 operations', () =>
  proveAgreement(20_000))
