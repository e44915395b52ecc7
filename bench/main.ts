import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import { benchAgainst } from './against.ts'
import { ATTACKS } from './attacks.ts'
import { ROOT, TSX } from './harness.ts'
import { benchNeighbours } from './neighbours.ts'
import { printRatios } from './ratios.ts'
import { benchStart } from './start.ts'

const PAIRS = '10'
const ROUNDS = '10'
const SECONDS = '3'
const STARTS = '5'
const FLAG = { type: 'boolean' } as const
/** Programs that have the names of their flags and take their settings from the environment. */
const ALONE = [
  ...(['card', 'backtest', 'sign-in', 'analytics', 'sealing'] as const),
  ...(['metrics', 'traces', 'messages', 'reads', 'backup', 'command', 'distributed'] as const),
  'model' as const,
]

/**
 * `npm run bench` prints the figures of the current tree. Options:
 *
 * - --against: compares the tree with a commit
 * - --neighbours: the effect of an attacking organization on a second one
 * - --start: the cost of a start
 * - --card: the cost of card authorizations compared with evaluate
 * - --backtest: the speed of a replay, and its effect on decisions
 * - --sign-in: the time until a sign-in is accepted or refused
 * - --analytics: the time of its answers at five million transactions
 * - --reads: the time of every list and filter at five million transactions
 * - --backup: the time of a backup and of its restore into each engine
 * - --distributed: the cost of decisions on a store that Citus distributes
 * - --model: the error of the queueing model that docs/scaling.md calculates with
 * - --sealing: the lag of the signed heads of audit logs
 * - --metrics: the CPU time that metrics add to a decision
 * - --traces: the CPU time that traces add to a decision
 * - --messages: the CPU time that messages to people add to a decision
 * - --command: the time of a short `purser` command
 * - --all: evaluate, cards and the start, and all their ratios in one table
 */
async function main(): Promise<void> {
  const text = { type: 'string' } as const
  const neighbours = { neighbours: FLAG, attacks: text, rounds: text } as const
  const { values } = parseArgs({
    options: {
      ...{ against: text, pairs: text, seconds: text },
      ...{ start: FLAG, card: FLAG, backtest: FLAG, 'sign-in': FLAG, analytics: FLAG },
      ...{ sealing: FLAG, metrics: FLAG, traces: FLAG, messages: FLAG, reads: FLAG },
      ...{ backup: FLAG, command: FLAG, distributed: FLAG, model: FLAG, all: FLAG },
      ...neighbours,
    },
  })
  const { against: commit, pairs, seconds } = values
  const alone = ALONE.find((name) => values[name])
  if (alone !== undefined) return run(`bench/${alone}.ts`)
  if (values.all) return runAll()
  if (values.start) {
    const rounds = toCount('--rounds', values.rounds ?? STARTS)
    return untilInterrupted((interruption) => benchStart({ rounds }, interruption))
  }
  if (values.neighbours) {
    const options = {
      attacks: toAttacks(values.attacks),
      rounds: toCount('--rounds', values.rounds ?? ROUNDS),
      seconds: toCount('--seconds', seconds ?? SECONDS),
    }
    return untilInterrupted((interruption) => benchNeighbours(options, interruption))
  }
  if (commit !== undefined) {
    const options = {
      commit,
      pairs: toCount('--pairs', pairs ?? PAIRS),
      seconds: toCount('--seconds', seconds ?? SECONDS),
    }
    return untilInterrupted((interruption) => benchAgainst(options, interruption))
  }
  if (pairs ?? seconds ?? values.rounds ?? values.attacks) {
    throw new Error(
      '--pairs needs --against <commit>, --attacks and --rounds need --neighbours (--rounds also --start), --seconds either.',
    )
  }
  await run('bench/evaluate.ts')
  await run('bench/core-decide.ts')
}

/** The aims are those of docs/performance.md. */
async function runAll(): Promise<void> {
  await run('bench/evaluate.ts')
  await run('bench/card.ts')
  await untilInterrupted((interruption) => benchStart({ rounds: Number(STARTS) }, interruption))
  await printRatios()
}

function toCount(name: string, text: string): number {
  if (/^[1-9]\d{0,3}$/.test(text)) return Number(text)
  throw new Error(`${name} must be a whole number from 1 to 9999.`)
}

function toAttacks(text: string | undefined): string[] {
  const names = Object.keys(ATTACKS)
  const wanted = text?.split(',') ?? names
  if (wanted.every((name) => names.includes(name))) return wanted
  throw new Error(`--attacks is a list of ${names.join(', ')}.`)
}

/**
 * A signal does not end the process. It ends the work, which then stops and removes everything that
 * it started. A signal may arrive more than once, from the terminal and from npm. The tsx command
 * would kill a process that takes its time, so package.json lets node load tsx instead.
 */
async function untilInterrupted(work: (interruption: AbortSignal) => Promise<void>): Promise<void> {
  const interruption = new AbortController()
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) {
    process.on(signal, () => {
      if (!interruption.signal.aborted) console.error('cleaning up, which takes some seconds')
      interruption.abort()
    })
  }
  try {
    await work(interruption.signal)
  } catch (error) {
    // Work that a signal has interrupted fails, which is expected.
    if (!interruption.signal.aborted) throw error
    process.exitCode = 130
  }
}

/** Each program runs in its own process, so that one does not warm up the next. */
async function run(program: string): Promise<void> {
  const parameters = ['--conditions=@purser/source', join(ROOT, program)]
  const [code] = await once(spawn(TSX, parameters, { stdio: 'inherit' }), 'exit')
  if (code !== 0) throw new Error(`${program} failed.`)
}

await main()
