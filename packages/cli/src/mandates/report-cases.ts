import { writeFile } from 'node:fs/promises'
import { paint } from '../output/color.ts'
import { plain } from '../output/plain.ts'
import { print, printJson, tell } from '../output/print.ts'
import type { CaseResult, MandateResult } from './case-result.ts'
import { toJunit } from './junit.ts'

interface ReportOptions {
  readonly json?: true
  /** The file for JUnit output. */
  readonly junit?: string
}

/** Writes the results, and returns whether there are cases and all of them passed. */
export async function reportCases(
  results: readonly MandateResult[],
  { json, junit }: ReportOptions,
): Promise<boolean> {
  const cases = results.flatMap((result) => result.cases)
  const failed = cases.filter((each) => !each.passed).length
  if (junit !== undefined) await writeFile(junit, toJunit(results))
  if (json) printJson({ passed: cases.length - failed, failed, mandates: results })
  else print(toReport(results, cases.length - failed, failed))
  if (cases.length === 0) tell('The files have no cases, so nothing was tested.')
  return cases.length > 0 && failed === 0
}

function toReport(results: readonly MandateResult[], passed: number, failed: number): string[] {
  const blocks = results.map(({ file, agent, name, cases }) => [
    plain(`${file}  ${agent} / ${name}`),
    ...cases.flatMap(toLines),
  ])
  return [...blocks.flat(), `${passed} passed, ${failed} failed.`]
}

function toLines({ name, line, passed, failures, actual }: CaseResult): string[] {
  if (passed) return [`  ${paint('ok', 'green')}    ${plain(name)}`]
  return [
    `  ${paint('FAIL', 'red')}  ${plain(name)} (line ${line})`,
    ...failures.map((failure) => `        ${plain(failure)}`),
    `        ${plain(actual.message)}`,
  ]
}
