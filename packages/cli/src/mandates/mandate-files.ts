import type { Purser } from '@purser/sdk'
import type { Gateway } from '../api/gateway-command.ts'
import { EXIT, exitWith } from '../exit.ts'
import { print, printJson, tell } from '../output/print.ts'
import type { FileMandate } from './file-mandate.ts'
import { type FoundMandate, findMandates, type Snapshot } from './find-mandates.ts'
import { checkTerms, judgeCases } from './judge-cases.ts'
import { type FileMistake, toMistakeLine } from './mistake.ts'
import { makePlan, type Plan } from './plan.ts'
import type { PlanOptions } from './plan-steps.ts'
import { readFiles } from './read-files.ts'
import { readSnapshot } from './read-snapshot.ts'
import { reportCases } from './report-cases.ts'

interface Json {
  readonly json?: true
}

/** Checks files without a gateway. */
export async function lintOffline(paths: readonly string[], { json }: Json): Promise<void> {
  const { files, mandates } = await readOrExit(paths, json)
  reportLint(files.length, mandates.length, json)
}

/** Checks files, and asks the gateway whether it accepts their agents and rules. */
export async function lintFiles(
  { purser }: Gateway,
  paths: readonly string[],
  { json }: Json,
): Promise<void> {
  const { files, found } = await findOrExit(purser, paths, json)
  const mistakes: FileMistake[] = []
  for (const each of found) mistakes.push(...(await checkTerms(purser, each)))
  if (mistakes.length > 0) refuse(mistakes, json)
  reportLint(files.length, found.length, json)
}

function reportLint(files: number, mandates: number, json?: true): void {
  const many = (count: number, word: string) => `${count} ${word}${count === 1 ? '' : 's'}`
  if (json) printJson({ files, mandates, mistakes: [] })
  else print(`${many(files, 'file')} with ${many(mandates, 'mandate')}: no mistakes.`)
}

export interface TestOptions extends Json {
  readonly live?: true
  readonly junit?: string
}

/** Judges the cases of files, and exits with 1 if a decision is not the expected one. */
export async function testFiles(
  { purser }: Gateway,
  paths: readonly string[],
  options: TestOptions,
): Promise<void> {
  const { found } = await findOrExit(purser, paths, options.json)
  const judged = await judgeCases(purser, found, {
    live: options.live === true,
    nowMs: Date.now(),
  })
  if (judged.mistakes.length > 0) refuse(judged.mistakes, options.json)
  const passed = await reportCases(judged.results, options)
  if (!passed) exitWith(EXIT.failure)
}

/** A plan, with the files that it was made from. */
export interface PlannedFiles {
  readonly plan: Plan
  readonly files: readonly FileMandate[]
}

/** Makes the plan for files. Exits with 1 if they have mistakes. */
export async function planFiles(
  purser: Purser,
  paths: readonly string[],
  options: PlanOptions & Json,
): Promise<PlannedFiles> {
  const { found, snapshot } = await findOrExit(purser, paths, options.json)
  const { plan, mistakes } = makePlan(found, snapshot, options)
  if (mistakes.length > 0) refuse(mistakes, options.json)
  const refused: FileMistake[] = []
  for (const each of found) {
    // The gateway judges by the rules of the others already.
    if (isChanged(plan, each)) refused.push(...(await checkTerms(purser, each)))
  }
  if (refused.length > 0) refuse(refused, options.json)
  return { plan, files: found.map(({ file }) => file) }
}

function isChanged({ entries }: Plan, { file }: FoundMandate): boolean {
  return entries.some(
    (entry) => entry.file === file.file && entry.line === file.line && entry.steps.length > 0,
  )
}

async function readOrExit(paths: readonly string[], json: true | undefined) {
  const read = await readFiles(paths)
  if (read.mistakes.length > 0) refuse(read.mistakes, json)
  return read
}

/** The mandates that files mean. */
export async function findOrExit(
  purser: Purser,
  paths: readonly string[],
  json: true | undefined,
): Promise<{
  files: readonly string[]
  found: readonly FoundMandate[]
  snapshot: Snapshot
}> {
  const { files, mandates } = await readOrExit(paths, json)
  const snapshot = await readSnapshot(purser, mandates)
  const { found, mistakes } = findMandates(mandates, snapshot)
  if (mistakes.length > 0) refuse(mistakes, json)
  return { files, found, snapshot }
}

/** Shows the mistakes, one on each line, and exits with 1. */
export function refuse(mistakes: readonly FileMistake[], json: true | undefined): never {
  if (json) printJson({ mistakes })
  else for (const mistake of mistakes) tell(toMistakeLine(mistake))
  exitWith(EXIT.failure)
}
