import type { Spend } from '../../../src/core/spend.ts'
import type { RuleSet } from './rule-sets.ts'

/** Everything that is remembered: what was approved, and what became of it. */
export interface Fact {
  readonly spend: Spend
  readonly at: number
  /** The mandates it was drawn on, the own one first. */
  readonly line: readonly number[]
  /** What each of these mandates said at that time. */
  readonly said: readonly RuleSet[]
  /** What it came to: the approved amount until it is settled for another. */
  amount: bigint
  isHeld: boolean
  isVoided: boolean
  refunded: bigint
}
