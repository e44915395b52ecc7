import fc from 'fast-check'
import { play } from './history.ts'

const STEPS_PER_HISTORY = 50

/** Plays random histories on the core and on the naive model until so many operations were compared. */
export function proveAgreement(operations: number): void {
  const length = { minLength: STEPS_PER_HISTORY, maxLength: STEPS_PER_HISTORY }
  const steps = fc.array(fc.integer(), length)
  // fast-check prints the seed and the shortest failing history.
  fc.assert(fc.property(steps, play), { numRuns: Math.ceil(operations / STEPS_PER_HISTORY) })
}
