import type { BacktestInput, Purser, RuleInput } from '@purser/sdk'
import type { Gateway } from '../api/gateway-command.ts'
import { createChecker } from '../mandates/checker.ts'
import { type FileDocument, parseText } from '../mandates/document.ts'
import { type FoundMandate, findMandates } from '../mandates/find-mandates.ts'
import { toMistakes } from '../mandates/gateway-mistakes.ts'
import { refuse } from '../mandates/mandate-files.ts'
import { readText } from '../mandates/read-files.ts'
import { readMandate } from '../mandates/read-mandate.ts'
import { readRules } from '../mandates/read-rules.ts'
import { readSnapshot } from '../mandates/read-snapshot.ts'
import { print, printJson } from '../output/print.ts'
import { showProgress } from './progress.ts'
import { toReport } from './report.ts'

export interface BacktestCommandOptions {
  readonly file: string
  readonly days: number
  readonly examples: number
  readonly json?: true
}

interface Tested {
  readonly mandateId: string
  readonly input: BacktestInput
}

const DAY_MS = 86_400_000

/** Replays the spends of the last days with the rules of a file, and shows the changed decisions. */
export async function runBacktest(
  { purser, command }: Gateway,
  mandate: string | undefined,
  { file, days, examples, json }: BacktestCommandOptions,
): Promise<void> {
  const document = await readDocument(file, json)
  const isRules =
    Array.isArray(document.value) || Object.keys(Object(document.value)).join() === 'rules'
  if (isRules && mandate === undefined) {
    command.error(
      `error: ${file} has only rules: name the mandate, such as purser backtest mnd_… -f ${file}`,
    )
  }
  const tested =
    isRules && mandate !== undefined
      ? await ofRules(purser, mandate, document, json)
      : await ofMandateFile(purser, mandate, document, json)
  const from = new Date(Date.now() - days * DAY_MS).toISOString()
  const progress = showProgress()
  try {
    const input = { ...tested.input, from, examples }
    const { onProgress } = progress
    const report = await purser.mandates.backtest(tested.mandateId, input, { onProgress })
    progress.end()
    if (json) printJson(report)
    else print(toReport(report))
  } catch (error) {
    progress.end()
    const at = Array.isArray(document.value) ? 1 : 0
    const mistakes = toMistakes(document, [], error, at)
    if (mistakes.length > 0) refuse(mistakes, json)
    throw error
  }
}

async function readDocument(file: string, json: true | undefined): Promise<FileDocument> {
  const { documents, mistakes } = parseText(file, await readText(file))
  if (mistakes.length > 0) refuse(mistakes, json)
  const [document, second] = documents
  if (document && !second) return document
  throw new Error(`${file} must contain one list of rules, or one mandate.`)
}

async function ofRules(
  purser: Purser,
  mandateId: string,
  document: FileDocument,
  json: true | undefined,
): Promise<Tested> {
  const checker = createChecker(document)
  const { value } = document
  const rules: readonly RuleInput[] | undefined = Array.isArray(value)
    ? readRules(checker, [], value)
    : readRules(checker, ['rules'], (value as { rules: unknown }).rules)
  if (!rules || checker.mistakes.length > 0) refuse(checker.mistakes, json)
  const { status, draftOf } = await purser.mandates.get(mandateId)
  return { mandateId: draftOf ?? mandateId, input: { rules, ...ofDraft(status, draftOf) } }
}

async function ofMandateFile(
  purser: Purser,
  mandateId: string | undefined,
  document: FileDocument,
  json: true | undefined,
): Promise<Tested> {
  const { mandate: file, mistakes } = readMandate(document)
  if (!file) refuse(mistakes, json)
  const found = await findMandate(purser, file, json)
  const { terms } = file
  const { mandate } = found
  if (!mandate) {
    throw new Error(
      `${file.file}: the mandate ${file.name} does not exist yet. Make a draft of it first: purser mandates draft ${file.file}`,
    )
  }
  if (mandateId !== undefined && mandateId !== mandate.id) {
    throw new Error(`${file.file} describes ${mandate.id}, not ${mandateId}.`)
  }
  const { budgetTotal = mandate.budgetTotal } = terms
  const input = {
    rules: terms.rules ?? mandate.rules,
    ...(budgetTotal !== mandate.budgetTotal && { budgetTotal }),
    ...ofDraft(mandate.status, null),
  }
  return { mandateId: mandate.id, input }
}

async function findMandate(
  purser: Purser,
  file: FoundMandate['file'],
  json: true | undefined,
): Promise<FoundMandate> {
  // The parent does not matter here.
  const { parent: _, ...alone } = file
  const { found, mistakes } = findMandates([alone], await readSnapshot(purser, [alone]))
  const [one] = found
  if (!one) refuse(mistakes, json)
  return one
}

/** No spend was made under a draft, so the spends under the agent's other mandates count. */
function ofDraft(status: string, draftOf: string | null): Pick<BacktestInput, 'agentHistory'> {
  return status === 'draft' && draftOf === null ? { agentHistory: true } : {}
}
