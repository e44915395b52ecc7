import { readdirSync, readFileSync, statSync } from 'node:fs'
import { join, relative, resolve } from 'node:path'
import { parseArgs } from 'node:util'
import { applyMutation, type Mutation, mutationsOf } from './mutations.ts'
import { nearestTests } from './nearest-tests.ts'
import { createTestRunner, type TestRunner } from './test-runner.ts'

/*
 * npm run mutate -- <folder or file>… [--tests <file or part of its path>]… [--lines 10-40]
 *
 * Changes one operator, condition, guard or filter at a time, and says which changes no test notices.
 */

const ROOT = resolve(import.meta.dirname, '../..')

interface Survivor {
  readonly source: string
  readonly mutation: Mutation
}

async function main(): Promise<number> {
  const { values, positionals } = parseArgs({
    allowPositionals: true,
    options: { tests: { type: 'string', multiple: true, default: [] }, lines: { type: 'string' } },
  })
  const sources = positionals.flatMap(sourcesIn)
  if (sources.length === 0) {
    console.error('Usage: npm run mutate -- <folder or file>… [--tests <path>]… [--lines 10-40]')
    return 2
  }
  const runner = await createTestRunner(ROOT)
  try {
    return await mutateAll(runner, sources, values.tests, linesOf(values.lines))
  } finally {
    await runner.close()
  }
}

function sourcesIn(path: string): readonly string[] {
  const full = resolve(path)
  if (statSync(full).isFile()) return [relative(ROOT, full)]
  return readdirSync(full, { recursive: true, encoding: 'utf8' })
    .filter((name) => name.endsWith('.ts'))
    .sort()
    .map((name) => relative(ROOT, join(full, name)))
}

type Lines = readonly [first: number, last: number]

function linesOf(lines: string | undefined): Lines {
  const [first = 1, last = first] = lines?.split('-').map(Number) ?? [1, Number.MAX_SAFE_INTEGER]
  return [first, last]
}

async function mutateAll(
  runner: TestRunner,
  sources: readonly string[],
  further: readonly string[],
  lines: Lines,
): Promise<number> {
  const survivors: Survivor[] = []
  const untested: string[] = []
  let mutants = 0
  for (const [at, source] of sources.entries()) {
    const text = readFileSync(join(ROOT, source), 'utf8')
    const mutations = mutationsOf(source, text).filter(
      ({ line }) => line >= lines[0] && line <= lines[1],
    )
    const tests = [nearestTests(ROOT, source), further].filter(({ length }) => length > 0)
    if (mutations.length === 0) continue
    if (tests.length === 0) {
      untested.push(source)
      continue
    }
    mutants += mutations.length
    progress(`[${at + 1}/${sources.length}] ${source}: ${mutations.length} mutants`)
    survivors.push(...(await mutateFile(runner, { source, text, mutations, tests })))
  }
  for (const source of untested) console.log(`${source}: no test is near; name some with --tests`)
  const killed = mutants - survivors.length
  console.log(`${mutants} mutants, ${killed} noticed by tests, ${survivors.length} survived`)
  return survivors.length > 0 || untested.length > 0 ? 1 : 0
}

interface Work {
  readonly source: string
  readonly text: string
  readonly mutations: readonly Mutation[]
  /** The second group runs only against mutants that survive the first. */
  readonly tests: readonly (readonly string[])[]
}

async function mutateFile(
  runner: TestRunner,
  { source, text, mutations, tests }: Work,
): Promise<readonly Survivor[]> {
  let left: readonly Mutation[] = mutations
  for (const group of tests) {
    if (left.length === 0) break
    const [isRight] = await runner.passing(group, source, [text])
    if (!isRight) throw new Error(`${source}: tests fail without a mutation: ${group.join(', ')}`)
    const texts = left.map((mutation) => applyMutation(text, mutation))
    const passing = await runner.passing(group, source, texts, (count) =>
      progress(`  ${count}/${texts.length}`, true),
    )
    left = left.filter((_mutation, at) => passing[at])
  }
  for (const mutation of left) console.log(`  ${source}:${mutation.line}: ${shown(mutation)}`)
  return left.map((mutation) => ({ source, mutation }))
}

function shown({ before, replacement }: Mutation): string {
  const short = before.replaceAll(/\s+/g, ' ')
  return `${short.length > 100 ? `${short.slice(0, 100)}…` : short}  →  ${replacement || '(removed)'}`
}

/** A line that the next one replaces is shown at a terminal only. */
function progress(line: string, isReplaced = false): void {
  const { isTTY } = process.stderr
  if (isTTY) process.stderr.write(`\r\u001b[K${line}${isReplaced ? '' : '\n'}`)
  else if (!isReplaced) console.error(line)
}

process.exitCode = await main()
