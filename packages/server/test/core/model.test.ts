import fc from 'fast-check'
import { test } from 'vitest'
import { play } from './model/history.ts'

const OPERATIONS = Number(process.env['PURSER_MODEL_OPERATIONS'] ?? 1_000_000)
const STEPS_PER_HISTORY = 50

test(`agrees with a model that recomputes everything from the history, over ${OPERATIONS} operations`, () => {
  const steps = fc.array(fc.integer(), {
    minLength: STEPS_PER_HISTORY,
    maxLength: STEPS_PER_HISTORY,
  })
  // fast-check prints the seed and the shortest failing history.
  fc.assert(fc.property(steps, play), { numRuns: Math.ceil(OPERATIONS / STEPS_PER_HISTORY) })
}, 600_000)
