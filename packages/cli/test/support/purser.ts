import { once } from 'node:events'
import { createInterface } from 'node:readline'
import { buildPrograms } from '../../../server/test/support/built-programs.ts'
import { type LeashedProcess, spawnOnLeash } from '../../../server/test/support/leash.ts'

/** A `purser` command in a process of its own. */
export interface Purser {
  /** Standard output. */
  readonly lines: readonly string[]
  /** What it tells beside, on standard error. */
  readonly told: readonly string[]
  /** As Ctrl-C does it; gives the exit code. */
  interrupt(): Promise<number | null>
  exited(): Promise<number | null>
}

/** Starts it without any setting of the surroundings. */
export async function startPurser(
  args: readonly string[],
  env: Readonly<Record<string, string>> = {},
): Promise<Purser> {
  const { cli } = await buildPrograms()
  return start(cli, args, env)
}

/** The `purser-audit` command, in the same way. */
export async function startAudit(args: readonly string[]): Promise<Purser> {
  const { audit } = await buildPrograms()
  return start(audit, args, {})
}

function start(
  program: string,
  args: readonly string[],
  env: Readonly<Record<string, string>>,
): Purser {
  const child = spawnOnLeash(process.execPath, [program, ...args], { env })
  running.add(child)
  const lines: string[] = []
  const told: string[] = []
  createInterface({ input: child.stdout }).on('line', (line) => lines.push(line))
  createInterface({ input: child.stderr }).on('line', (line) => told.push(line))
  const closed = once(child, 'close').then(([code]) => {
    running.delete(child)
    return code as number | null
  })
  return {
    lines,
    told,
    interrupt() {
      child.kill('SIGINT')
      return closed
    },
    exited: () => closed,
  }
}

const running = new Set<LeashedProcess>()

/** For the end of a test, also of one that failed. */
export function killPursers(): void {
  for (const child of running) child.kill('SIGKILL')
}
