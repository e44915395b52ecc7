import assert from 'node:assert/strict'
import { once } from 'node:events'
import { readFileSync } from 'node:fs'
import { text } from 'node:stream/consumers'
import { spawnOnLeash } from './leash.ts'

/** A block of commands in a document, and the answers that the document shows after it. */
export interface Step {
  readonly commands: string
  readonly samples: readonly unknown[]
}

/** The output of the commands of a step: the lines that are JSON. */
export type Answers = readonly unknown[]

/**
 * Returns the blocks marked `sh`, in their order, each with the `json` blocks between it and the
 * next one of its section. Blocks without a mark are only for the reader, because they start
 * something that keeps running, or need something that only the reader has. Blocks that call npm
 * are skipped too.
 */
export function stepsOf(document: URL): Step[] {
  const steps: { commands: string; samples: unknown[] }[] = []
  let isInSection = false
  for (const [, language, body = ''] of readFileSync(document, 'utf8').matchAll(BLOCK_OR_HEADING)) {
    if (language === undefined) isInSection = false
    if (language === 'sh') {
      steps.push({ commands: body, samples: [] })
      isInSection = true
    }
    if (language === 'json' && isInSection) steps.at(-1)?.samples.push(...samplesIn(body))
  }
  return steps.filter(({ commands }) => !/^npm /m.test(commands))
}

const BLOCK_OR_HEADING = /^```(\w*)\n([\s\S]*?)^```$|^#+ /gm

/** Each sample begins at the left margin; its other lines are indented. */
function samplesIn(block: string): unknown[] {
  return block
    .split(/\n(?=\{)/)
    .filter((sample) => sample.trim() !== '')
    .map((sample): unknown => JSON.parse(sample))
}

interface Shell {
  readonly folder: string
  /** Replacements in the commands, such as the port that the documents name. */
  readonly replaced?: Readonly<Record<string, string>>
  /** Definitions before each block, which the reader has from a different document. */
  readonly prelude?: string
}

/** Runs the steps in one shell, as if a reader pasted them. Throws if the shell reports an error. */
export async function runSteps(steps: readonly Step[], shell: Shell): Promise<Answers[]> {
  const { folder, replaced = {}, prelude = '' } = shell
  let script = steps.map(({ commands }) => `${prelude}\n${commands}\necho '${MARK}'\n`).join('')
  for (const [from, to] of Object.entries(replaced)) script = script.replaceAll(from, to)
  const child = spawnOnLeash('sh', ['-c', script], {
    cwd: folder,
    env: { PATH: process.env['PATH'] },
  })
  const [output, errors] = await Promise.all([
    text(child.stdout),
    text(child.stderr),
    once(child, 'exit'),
  ])
  assert.equal(errors, '')
  return output.split(`${MARK}\n`).slice(0, -1).map(answersIn)
}

const MARK = '--- the end of a block ---'

function answersIn(output: string): unknown[] {
  const lines = output.split('\n').filter((line) => line.startsWith('{'))
  return lines.map((line): unknown => JSON.parse(line))
}

/** Returns the samples that match no answer; samples have to come in the order of the answers. */
export function unlike(samples: readonly unknown[], answers: Answers): unknown[] {
  let from = 0
  return samples.filter((sample) => {
    const at = answers.findIndex((answer, index) => index >= from && isLike(sample, answer))
    if (at >= 0) from = at + 1
    return at < 0
  })
}

/** Returns problems that the document does not show, because those are unexpected. */
export function surprises(samples: readonly unknown[], answers: Answers): Answers {
  return answers.filter(
    (answer) => isProblem(answer) && !samples.some((sample) => isLike(sample, answer)),
  )
}

function isProblem(answer: unknown): boolean {
  return typeof answer === 'object' && answer !== null && 'requestId' in answer
}

/** A sample may leave out fields and items. Ids, times and secrets may differ. */
function isLike(sample: unknown, answer: unknown): boolean {
  if (typeof sample === 'string' && typeof answer === 'string') {
    return toForm(sample) === toForm(answer)
  }
  if (typeof sample !== 'object' || sample === null) return sample === answer
  if (typeof answer !== 'object' || answer === null) return false
  if (Array.isArray(sample)) return Array.isArray(answer) && unlike(sample, answer).length === 0
  const fields = new Map<string, unknown>(Object.entries(answer))
  return Object.entries(sample).every(([name, value]) => isLike(value, fields.get(name)))
}

function toForm(value: string): string {
  return value
    .replaceAll(/\d{4}-\d\d-\d\dT[\d:.]+Z/g, 'TIME')
    .replaceAll(/[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}/g, 'UUID')
    .replaceAll(/(0x)?[0-9a-f]{32,}/g, 'HEX')
    .replaceAll(/\b(whsec_|psr_test_|req_)[\w+/=]+/g, '$1SECRET')
    .replaceAll(/(\/ingest\/\w+\/)[^/]+/g, '$1TOKEN')
    .replaceAll(/:\d{4,5}\b/g, ':PORT')
}
