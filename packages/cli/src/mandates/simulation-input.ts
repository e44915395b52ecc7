import type { BudgetPeriod, RuleInput, SimulationInput } from '@purser/sdk'
import type { FileCase } from './file-mandate.ts'
import type { FoundMandate } from './find-mandates.ts'
import { nextWeekTime, parseWeekTime } from './week-time.ts'

/** The spend of a case, without its name and its expectation. */
export type CaseSpend = Pick<
  FileCase,
  'amount' | 'vendor' | 'category' | 'reference' | 'path' | 'at'
>

export interface JudgeOptions {
  /**
   * Whether the amounts spent so far, the parents and the dates of the mandate count. Otherwise a
   * case is judged by a new mandate under which nothing was spent, so its result does not depend on
   * the day.
   */
  readonly live: boolean
  readonly nowMs: number
  /** The time zone of the organization, which a mandate has by default. */
  readonly organizationTimezone: string | undefined
}

/** The terms of the file; a term that it does not name is that of the mandate, then of the parent. */
export function effectiveTerms({ file, mandate, parent }: FoundMandate) {
  const { terms } = file
  const above = parent?.mandate ?? parent?.file?.terms
  const rules: readonly RuleInput[] = terms.rules ?? mandate?.rules ?? []
  const budgetPeriod: BudgetPeriod =
    terms.budgetPeriod ?? mandate?.budgetPeriod ?? above?.budgetPeriod ?? 'none'
  return {
    rules,
    budgetPeriod,
    budgetTotal: terms.budgetTotal ?? mandate?.budgetTotal,
    currency: terms.currency ?? mandate?.currency ?? above?.currency,
    timezone: terms.timezone ?? mandate?.timezone ?? above?.timezone,
  }
}

/** The simulation that judges a case by the terms of its file. */
export function toSimulationInput(
  found: FoundMandate,
  spend: CaseSpend,
  { live, nowMs, organizationTimezone }: JudgeOptions,
): SimulationInput {
  const { agent, mandate } = found
  const { rules, budgetTotal, budgetPeriod, currency, timezone } = effectiveTerms(found)
  const zone = timezone ?? organizationTimezone
  const { at, ...plain } = spend
  const told = { ...plain, ...(at !== undefined && { at: toInstant(at, zone ?? 'UTC', nowMs) }) }
  if (live && mandate) {
    return {
      ...told,
      mandateId: mandate.id,
      rules,
      budgetPeriod,
      ...(budgetTotal !== undefined && { budgetTotal }),
    }
  }
  return {
    ...told,
    agentId: agent.id,
    // A new mandate of a simulation has the time zone of the organization.
    rules: zone === undefined ? rules : rules.map((rule) => inZone(rule, zone)),
    budgetPeriod,
    ...(budgetTotal !== undefined && { budgetTotal }),
    ...(currency !== undefined && { currency }),
  }
}

/** Whether a case needs the time zone of the organization, which the file does not name. */
export function needsTimezone(found: FoundMandate): boolean {
  const hasWeekTime = found.file.cases.some(({ at }) => at !== undefined && parseWeekTime(at))
  return hasWeekTime && effectiveTerms(found).timezone === undefined
}

function inZone(rule: RuleInput, timezone: string): RuleInput {
  return rule.type === 'schedule' ? { timezone, ...rule } : rule
}

function toInstant(at: string, timezone: string, nowMs: number): string {
  const time = parseWeekTime(at)
  return (time && nextWeekTime(time, timezone, nowMs)?.toISOString()) ?? at
}
