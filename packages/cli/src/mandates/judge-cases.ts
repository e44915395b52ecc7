import { PermissionError, type Purser } from '@purser/sdk'
import { type CaseResult, type MandateResult, toCaseResult } from './case-result.ts'
import type { FoundMandate } from './find-mandates.ts'
import { inFile, PROBE } from './gateway-mistakes.ts'
import type { FileMistake } from './mistake.ts'
import {
  effectiveTerms,
  type JudgeOptions,
  needsTimezone,
  toSimulationInput,
} from './simulation-input.ts'

export interface JudgedCases {
  readonly results: readonly MandateResult[]
  /** The places where the gateway refuses a file. Their cases are not judged. */
  readonly mistakes: readonly FileMistake[]
}

/** Judges the cases of files by simulations, which record and spend nothing. */
export async function judgeCases(
  purser: Purser,
  found: readonly FoundMandate[],
  { live, nowMs }: Pick<JudgeOptions, 'live' | 'nowMs'>,
): Promise<JudgedCases> {
  const results: MandateResult[] = []
  const mistakes: FileMistake[] = []
  const organizationTimezone = found.some(needsTimezone) ? await readTimezone(purser) : undefined
  for (const each of found) {
    const refused = await checkTerms(purser, each)
    mistakes.push(...refused)
    if (refused.length > 0) continue
    const judged = await judgeMandate(purser, each, { live, nowMs, organizationTimezone })
    mistakes.push(...judged.mistakes)
    const { file, agent } = each
    results.push({ file: file.file, agent: agent.name, name: file.name, cases: judged.cases })
  }
  return { results, mistakes }
}

/** Asks the gateway whether it accepts the rules of a file. */
export async function checkTerms(purser: Purser, found: FoundMandate): Promise<FileMistake[]> {
  const { file } = found
  if (effectiveTerms(found).budgetTotal === undefined) {
    const message = 'is required for a new mandate'
    return [{ file: file.file, line: file.lineOf([]), field: 'budgetTotal', message }]
  }
  const options = { live: false, nowMs: 0, organizationTimezone: undefined }
  const probe = toSimulationInput(found, PROBE, options)
  return inFile(file, [], purser.gateway.simulate(probe))
}

async function judgeMandate(purser: Purser, found: FoundMandate, options: JudgeOptions) {
  const cases: CaseResult[] = []
  const mistakes: FileMistake[] = []
  for (const [index, each] of found.file.cases.entries()) {
    const { name: _, line: __, expect: ___, ...spend } = each
    const startedMs = performance.now()
    const simulated = purser.gateway.simulate(toSimulationInput(found, spend, options))
    const refused = await inFile(found.file, ['cases', index], simulated)
    mistakes.push(...refused)
    if (refused.length > 0) continue
    cases.push(toCaseResult(each, await simulated, performance.now() - startedMs))
  }
  return { cases, mistakes }
}

async function readTimezone(purser: Purser): Promise<string> {
  try {
    return (await purser.organization.get()).timezone
  } catch (error) {
    if (!(error instanceof PermissionError)) throw error
    throw new Error(
      'A case has a day of the week as `at`, so its time zone must be known. Name `timezone` in the file, or use a key with the scope organization:read.',
    )
  }
}
