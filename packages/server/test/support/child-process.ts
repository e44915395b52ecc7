import { once } from 'node:events'
import { createInterface } from 'node:readline'
import { fileURLToPath } from 'node:url'
import { type LeashedProcess, spawnOnLeash } from './leash.ts'

export interface Child {
  readonly pid: number
  /** Every line that the process has printed so far. */
  readonly lines: readonly string[]
  /**
   * Resolves with the first line that matches, and rejects with the errors if the process ends
   * first.
   */
  waitForLine(matches: (line: string, count: number) => boolean): Promise<string>
  /**
   * Kills the process at once, as a power cut of the process alone would, and waits until it is
   * gone.
   */
  kill(): Promise<void>
  waitForExit(): Promise<{ readonly code: number | null; readonly errors: string }>
}

/** Runs a TypeScript file of the tests in its own process. */
export function startChild(script: URL, parameters: readonly string[]): Child {
  const child = spawnOnLeash(process.execPath, [
    '--import',
    'tsx',
    '--conditions=@purser/source',
    fileURLToPath(script),
    ...parameters,
  ])
  const lines: string[] = []
  let errors = ''
  const lineReader = createInterface({ input: child.stdout })
  lineReader.on('line', (line) => lines.push(line))
  child.stderr.setEncoding('utf8').on('data', (text: string) => {
    errors += text
  })
  const closed = waitForClose(child)
  return {
    pid: child.pid ?? 0,
    lines,
    waitForLine: (matches) =>
      new Promise((resolve, reject) => {
        lineReader.on('line', (line) => {
          if (matches(line, lines.length)) resolve(line)
        })
        closed.then(() => reject(new Error(`The process ended too early.\n${errors}`)), reject)
      }),
    kill: async () => {
      child.kill('SIGKILL')
      await closed
    },
    waitForExit: async () => ({ code: await closed, errors }),
  }
}

async function waitForClose(child: LeashedProcess): Promise<number | null> {
  const [code] = await once(child, 'close')
  return code
}
