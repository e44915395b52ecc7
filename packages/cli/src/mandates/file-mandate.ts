import type { BudgetPeriod, PathName, RuleInput } from '@purser/sdk'
import type { AgentReference } from '../api/read-agents.ts'
import type { PathStep } from './mistake.ts'

/** A mandate by its agent and its own name. */
export interface MandateReference {
  readonly agent: AgentReference
  readonly name: string
}

/** The terms that a file names. A term that it does not name is left as it is. */
export interface FileTerms {
  readonly budgetTotal?: number
  readonly budgetPeriod?: BudgetPeriod
  readonly currency?: string
  readonly timezone?: string
  readonly validFrom?: string | null
  readonly validUntil?: string | null
  readonly warningPercents?: readonly number[]
  readonly discloseLimits?: boolean
  readonly rules?: readonly RuleInput[]
}

/** The fields of the decision that a case expects. */
export interface Expectation {
  readonly decision: 'approved' | 'rejected'
  readonly code?: string
  /** The id of the first rule that fails. */
  readonly rule?: string
  /** The ids of the rules that flag the spend. */
  readonly flags?: readonly string[]
}

/** A spend, and the decision that the mandate should give. */
export interface FileCase {
  readonly name: string
  readonly line: number
  readonly amount: number
  readonly vendor: string
  readonly category: string
  readonly reference?: string
  readonly path?: PathName
  /** A time with an offset, or a day of the week and a time of day, such as `sat 03:00`. */
  readonly at?: string
  readonly expect: Expectation
}

/** One mandate of a file. */
export interface FileMandate extends MandateReference {
  readonly file: string
  readonly line: number
  readonly terms: FileTerms
  readonly parent?: MandateReference
  readonly cases: readonly FileCase[]
  lineOf(path: readonly PathStep[]): number
}

/** Two references that are equal name the same mandate. */
export function toReferenceKey({ agent, name }: MandateReference): string {
  return JSON.stringify([agent.either ?? null, agent.externalId ?? null, agent.name ?? null, name])
}
