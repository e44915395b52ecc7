import { test } from 'vitest'
import { sized } from '../support/sized.ts'
import { proveAgreement } from './model/agreement.ts'

const OPERATIONS = Number(process.env['PURSER_MODEL_OPERATIONS'] ?? sized(100_000, 1_000_000))

test(`agrees with a model that recomputes everything from the history, over ${OPERATIONS} operations`, () =>
  proveAgreement(OPERATIONS))
