import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import { benchAgainst } from './against.ts'
import { ATTACKS } from './attacks.ts'
import { ROOT, TSX } from './harness.ts'
import { benchNeighbours } from './neighbours.ts'
import { benchStart } from './start.ts'

const PAIRS = '10'
const ROUNDS = '10'
const SECONDS = '3'
const STARTS = '5'
const FLAG = { type: 'boolean' } as const
/** Programs that are named like their flags and take their settings from the environment. */
const ALONE = ['card', 'backtest', 'sign-in', 'analytics', 'sealing'] as const

/**
 * `npm run bench`: the figures of the current tree or, with --against, how it compares with a
 * commit; with --neighbours, what one organization feels of another that attacks; with --start, what
 * a start costs; with --card, what cards take beside evaluate; with --backtest, how fast a past is replayed
 * and what decisions feel of it; with --sign-in, how long it takes to be let in or refused; with
 * --analytics, how long its answers take at five million transactions; with --sealing, how far signed heads
 * of audit logs are behind.
 */
async function main(): Promise<void> {
  const text = { type: 'string' } as const
  const neighbours = { neighbours: FLAG, attacks: text, rounds: text } as const
  const { values } = parseArgs({
    options: {
      ...{ against: text, pairs: text, seconds: text },
      ...{ start: FLAG, card: FLAG, backtest: FLAG, 'sign-in': FLAG, analytics: FLAG },
      ...{ sealing: FLAG },
      ...neighbours,
    },
  })
  const { against: commit, pairs, seconds } = values
  const alone = ALONE.find((name) => values[name])
  if (alone !== undefined) return run(`bench/${alone}.ts`)
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
 * A signal does not end the process. It ends the work, which then stops and removes what it
 * started. A signal may come more than once, from the terminal and from npm. The tsx command would
 * kill a process that takes its time, so in package.json node loads tsx instead.
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

/** Each program runs in its own process, so that one does not warm up the other. */
async function run(program: string): Promise<void> {
  const parameters = ['--conditions=source', join(ROOT, program)]
  const [code] = await once(spawn(TSX, parameters, { stdio: 'inherit' }), 'exit')
  if (code !== 0) throw new Error(`${program} failed.`)
}

await main()
