import assert from 'node:assert/strict'
import type { Static } from 'typebox'
import type { Agent } from '../../core/agent.ts'
import {
  DEFAULT_WARNING_PERCENTS,
  type Mandate,
  type TermChange,
  type VersionTerms,
} from '../../core/mandates/mandate.ts'
import { toMicros } from '../../core/money.ts'
import type { Organization } from '../../core/organization.ts'
import { parseRules } from '../../core/rules/rule-set.ts'
import { type Warning, warningsOf } from '../../core/rules/warnings.ts'
import type { Instant } from '../../core/time/instant.ts'
import {
  type ExpectedMandate,
  type MandateChange,
  type MandateInput,
  toMandateShape,
} from './shape.ts'

interface Surroundings {
  readonly agent: Agent
  readonly organization: Organization
  readonly parent: Mandate | undefined
}

/** The input for a mandate that is not a draft of a next version. */
export interface NewMandate extends Static<typeof MandateInput> {
  readonly agentId: string
  readonly budgetTotal: number
}

/** The schema requires both fields, unless `draftOf` is set. */
export function toNewMandate(input: Static<typeof MandateInput>): NewMandate {
  const { agentId, budgetTotal } = input
  assert(agentId !== undefined && budgetTotal !== undefined, 'the schema requires both')
  return { ...input, agentId, budgetTotal }
}

/** The terms of a new mandate. Omitted terms come from the parent, then from the organization. */
export function toDraftTerms(
  input: NewMandate,
  { agent, organization, parent }: Surroundings,
): VersionTerms {
  return {
    name: input.name ?? agent.name,
    currency: input.currency ?? parent?.currency ?? organization.currency,
    timezone: input.timezone ?? parent?.timezone ?? organization.timezone,
    validFrom: toInstant(input.validFrom) ?? parent?.validFrom ?? null,
    validUntil: toInstant(input.validUntil) ?? parent?.validUntil ?? null,
    budgetPeriod: input.budgetPeriod ?? parent?.budgetPeriod ?? 'none',
    budgetTotal: toMicros(input.budgetTotal),
    rules: parseRules(input.rules ?? []),
    warningPercents: toLevels(input.warningPercents) ?? DEFAULT_WARNING_PERCENTS,
    // Never inherited from the parent: each mandate's author decides what its tokens disclose.
    discloseLimits: input.discloseLimits ?? false,
  }
}

/** Only the terms that a change names. If a date is removed, the parent's date applies again. */
export function toChange(
  change: Omit<Static<typeof MandateChange>, keyof typeof ExpectedMandate>,
  parent: Mandate | undefined,
): Partial<VersionTerms> {
  const { budgetTotal, rules, validFrom, validUntil, warningPercents, ...plain } = change
  const levels = toLevels(warningPercents)
  return {
    ...plain,
    ...(levels === undefined ? {} : { warningPercents: levels }),
    ...(budgetTotal === undefined ? {} : { budgetTotal: toMicros(budgetTotal) }),
    ...(rules === undefined ? {} : { rules: parseRules(rules) }),
    ...(validFrom === undefined
      ? {}
      : { validFrom: toInstant(validFrom) ?? parent?.validFrom ?? null }),
    ...(validUntil === undefined
      ? {}
      : { validUntil: toInstant(validUntil) ?? parent?.validUntil ?? null }),
  }
}

/** The response to a change: the mandate, with warnings about its rules. */
export function withWarnings(mandate: Mandate, at: Instant, further: readonly Warning[] = []) {
  const { rules, budgetTotal, budgetPeriod } = mandate
  const warnings = [...warningsOf(rules, budgetTotal, budgetPeriod), ...further]
  return { ...toMandateShape(mandate, at), warnings }
}

/** The terms that differ, under the names that the list of versions uses. */
export function beforeAndAfter(terms: readonly TermChange[]) {
  const by = (side: 'before' | 'after') =>
    Object.fromEntries(terms.map((term) => [term.field, term[side]]))
  return { before: by('before'), after: by('after') }
}

function toLevels(percents: readonly number[] | undefined): number[] | undefined {
  return percents?.toSorted((a, b) => a - b)
}

function toInstant(text: string | null | undefined): Instant | null {
  return text === undefined || text === null ? null : Date.parse(text)
}
