import { spawnSync } from 'node:child_process'
import { mkdtemp, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { keep, quantile, ROOT, readEndedCpuMicros, startGateway, toHundredths } from './harness.ts'

/**
 * Measures a short command, `purser agents list`, against a gateway on this machine. It takes turns
 * with an empty script, which shows how long Node needs by itself, and with the command of a second
 * checkout (`BENCH_CHECKOUT`).
 */
const ROUNDS = Number(process.env['BENCH_ROUNDS'] ?? 40)
const CHECKOUT = process.env['BENCH_CHECKOUT']
const PORT = '4109'

const PURSER = 'packages/cli/bin/purser.js'
const LIST = ['agents', 'list'] as const
const PROGRAMS: Readonly<Record<string, readonly string[]>> = {
  'node -e 0': ['-e', '0'],
  'purser agents list': [join(ROOT, PURSER), ...LIST],
  ...(CHECKOUT && { 'the second checkout': [join(CHECKOUT, PURSER), ...LIST] }),
}

/** Milliseconds until the process has ended, and its CPU time. */
interface Run {
  readonly elapsed: number
  readonly cpu: number
}

async function main(): Promise<void> {
  const folder = await mkdtemp(join(tmpdir(), 'purser-bench-command-'))
  const settings = { PURSER_DATA_DIR: folder, PURSER_PORT: PORT }
  const gateway = await startGateway('purser', settings, { apiKey: '', agentIds: [] })
  try {
    const apiKey = (await readFile(join(folder, 'initial-api-key'), 'utf8')).trim()
    const runs = runAll({ PURSER_API_KEY: apiKey, PURSER_BASE_URL: `http://127.0.0.1:${PORT}` })
    const results = Object.entries(runs).map(([name, each]) => [name, toFigures(each)] as const)
    const lines = results.map(([name, { elapsed, best, cpu }]) =>
      [name.padEnd(30), ...[elapsed, best, cpu].map((ms) => ms.toFixed(1).padStart(9))].join(''),
    )
    const head = `${'ms'.padEnd(30)}      p50     best      CPU`
    await keep('command', [head, ...lines], { rounds: ROUNDS, ...Object.fromEntries(results) })
  } finally {
    await gateway.stop()
    await rm(folder, { recursive: true, force: true })
  }
}

function runAll(env: Readonly<Record<string, string>>): Readonly<Record<string, Run[]>> {
  const runs: Record<string, Run[]> = {}
  for (let round = 0; round < ROUNDS; round++) {
    for (const [name, args] of Object.entries(PROGRAMS)) {
      runs[name] ??= []
      runs[name].push(run(args, env))
    }
  }
  return runs
}

function run(args: readonly string[], env: Readonly<Record<string, string>>): Run {
  const [began, cpuBefore] = [performance.now(), readEndedCpuMicros()]
  const { status, stderr } = spawnSync(process.execPath, args, { env })
  const elapsed = performance.now() - began
  if (status !== 0) throw new Error(`${args.join(' ')}: ${stderr}`)
  return { elapsed, cpu: (readEndedCpuMicros() - cpuBefore) / 1_000 }
}

/** The kernel counts CPU time in steps of 10 ms, so only its mean is exact. */
function toFigures(runs: readonly Run[]) {
  const elapsed = runs.map((each) => each.elapsed)
  const cpu = runs.reduce((sum, each) => sum + each.cpu, 0) / runs.length
  return { elapsed: quantile(elapsed, 0.5), best: quantile(elapsed, 0), cpu: toHundredths(cpu) }
}

await main()
