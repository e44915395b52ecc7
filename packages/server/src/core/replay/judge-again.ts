import { type Decision, decide, record } from '../decision/decide.ts'
import type { Policy } from '../mandates/policy.ts'
import type { Instant } from '../time/instant.ts'
import { accountOf, type KeptInputs, type KeptMandate } from './kept-inputs.ts'

/** Judges the inputs of an earlier decision with today's code. */
export function judgeAgain(
  inputs: KeptInputs,
  policyOf: (mandate: KeptMandate) => Policy,
  at: Instant,
): Decision {
  const judge = inputs.judging === 'decide' ? decide : record
  return judge(inputs.spend, accountOf(inputs, policyOf, at), at)
}

/** A field that today's code answers differently. */
export interface Difference {
  readonly field: string
  readonly before: unknown
  readonly after: unknown
}

type Fields = Readonly<Record<string, unknown>>

/** The fields that differ between two answers. */
export function differencesOf(then: Fields, now: Fields): Difference[] {
  const names = [...new Set([...Object.keys(then), ...Object.keys(now)])]
  return names
    .map((field) => ({ field, before: then[field] ?? null, after: now[field] ?? null }))
    .filter(({ before, after }) => JSON.stringify(before) !== JSON.stringify(after))
}
