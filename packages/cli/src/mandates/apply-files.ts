import { type Mandate, PurserError } from '@purser/sdk'
import type { Gateway } from '../api/gateway-command.ts'
import { EXIT, exitWith } from '../exit.ts'
import { countOf } from '../output/count-of.ts'
import { plain } from '../output/plain.ts'
import { print, printJson, tell } from '../output/print.ts'
import { applyPlan, type DoneStep } from './apply-plan.ts'
import { confirm, hasTerminal } from './confirm.ts'
import type { Difference } from './differences.ts'
import { toMistakes } from './gateway-mistakes.ts'
import { type PlannedFiles, planFiles } from './mandate-files.ts'
import { type FileMistake, toMistakeLine } from './mistake.ts'
import { hasChanges, needsConsent, type Plan } from './plan.ts'
import { toDifferenceText, toPlanJson, toPlanText, toStepText } from './plan-text.ts'

export interface ApplyOptions {
  readonly json?: true
  readonly yes?: true
  /** The id of the only plan that may be carried out. */
  readonly plan?: string
}

/** Shows the plan. Exits with `EXIT.differs` if it has changes. */
export async function diffFiles(
  { purser }: Gateway,
  paths: readonly string[],
  { json }: ApplyOptions,
): Promise<void> {
  const { plan } = await planFiles(purser, paths, { activate: true, ...(json && { json }) })
  if (json) printJson(toPlanJson(plan))
  else print(toPlanText(plan))
  if (hasChanges(plan)) exitWith(EXIT.differs)
}

/** Makes or changes drafts. Nothing that is in force changes. */
export async function draftFiles(
  gateway: Gateway,
  paths: readonly string[],
  options: ApplyOptions,
): Promise<void> {
  await carryOut(gateway, paths, options, false)
}

/** Brings the organization to the state that the files describe. */
export async function applyFiles(
  gateway: Gateway,
  paths: readonly string[],
  options: ApplyOptions,
): Promise<void> {
  await carryOut(gateway, paths, options, true)
}

async function carryOut(
  gateway: Gateway,
  paths: readonly string[],
  options: ApplyOptions,
  activate: boolean,
): Promise<void> {
  const { json } = options
  const planned = await planFiles(gateway.purser, paths, { activate, ...(json && { json }) })
  const { plan } = planned
  if (json) tell(toPlanText(plan, options))
  else print(toPlanText(plan, options))
  if (hasChanges(plan)) {
    requirePlan(plan, options)
    await requireConsent(gateway, plan, options)
  }
  const done: DoneStep[] = []
  try {
    await applyPlan(gateway.purser, plan, (step) => {
      done.push(step)
      if (!json) print(toDoneText(step))
    })
  } catch (error) {
    const mistakes = explainStop(planned, done, error)
    if (json) printJson({ ...toPlanJson(plan), done: done.map(toDoneJson), mistakes })
    if (mistakes.length > 0) exitWith(EXIT.failure)
    throw error
  }
  if (json) printJson({ ...toPlanJson(plan), done: done.map(toDoneJson) })
}

/** The plan that a person has seen elsewhere must be the one that is carried out. */
function requirePlan({ id }: Plan, { plan: expected }: ApplyOptions): void {
  if (expected === undefined || expected === id) return
  throw new Error(`The plan is ${id} now, and not ${expected}. Nothing was changed.`)
}

async function requireConsent(
  { command }: Gateway,
  plan: Plan,
  { yes, json }: ApplyOptions,
): Promise<void> {
  if (yes || !needsConsent(plan)) return
  if (!hasTerminal()) {
    command.error(
      'error: the plan activates a mandate or raises a budget, and no terminal can ask: add --yes',
    )
  }
  // The person must see the plan, also if standard output goes into a file. With --json they do.
  if (!json && !process.stdout.isTTY) tell(toPlanText(plan))
  if (await confirm('Carry out this plan?')) return
  tell('Nothing was changed.')
  exitWith(EXIT.failure)
}

function toDoneText({ entry, step, mandate }: DoneStep): string[] {
  const { id, status, version, warnings = [] } = mandate
  const done = `Done: ${entry.name}: ${toStepText(step, entry)} (${id}, ${status}, version ${version})`
  return [plain(done), ...warnings.map(({ message }) => plain(`  Warning: ${message}`))]
}

function toDoneJson({ step, mandate }: DoneStep): { action: string; mandate: Mandate } {
  return { action: step.action, mandate }
}

/** Says which steps are done, and why the next one was refused. Returns the mistakes in the file. */
function explainStop(
  { plan, files }: PlannedFiles,
  done: readonly DoneStep[],
  error: unknown,
): readonly FileMistake[] {
  const total = plan.entries.reduce((sum, { steps }) => sum + steps.length, 0)
  tell(`Stopped after ${done.length} of ${countOf(total, 'step')}.`)
  if (!PurserError.is(error)) return []
  if (error.code === 'changed_meanwhile') {
    const { changes = [] } = (error.problem ?? {}) as { changes?: readonly Difference[] }
    for (const change of changes) tell(plain(`  ${toDifferenceText(change)}`))
    return []
  }
  const entry = findStopped(plan, done.length)
  const file = files.find((each) => each.file === entry?.file && each.line === entry.line)
  const mistakes = file ? toMistakes(file, [], error) : []
  for (const mistake of mistakes) tell(toMistakeLine(mistake))
  return mistakes
}

function findStopped({ entries }: Plan, done: number) {
  let before = 0
  return entries.find(({ steps }) => {
    before += steps.length
    return before > done
  })
}
