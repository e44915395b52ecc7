import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import { benchAgainst } from './against.ts'
import { ROOT, TSX } from './harness.ts'

const PAIRS = '10'
const SECONDS = '3'

/**
 * `npm run bench`: the figures of the current tree or, with --against, how it compares with a
 * commit.
 */
async function main(): Promise<void> {
  const text = { type: 'string' } as const
  const { values } = parseArgs({ options: { against: text, pairs: text, seconds: text } })
  const { against: commit, pairs, seconds } = values
  if (commit !== undefined) {
    const options = {
      commit,
      pairs: toCount('--pairs', pairs ?? PAIRS),
      seconds: toCount('--seconds', seconds ?? SECONDS),
    }
    return untilInterrupted((interruption) => benchAgainst(options, interruption))
  }
  if (pairs ?? seconds) throw new Error('--pairs and --seconds need --against <commit>.')
  await run('bench/evaluate.ts')
  await run('bench/core-decide.ts')
}

function toCount(name: string, text: string): number {
  if (/^[1-9]\d{0,3}$/.test(text)) return Number(text)
  throw new Error(`${name} must be a whole number from 1 to 9999.`)
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
