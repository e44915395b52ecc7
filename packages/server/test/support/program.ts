import { once } from 'node:events'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { buildPrograms } from './built-programs.ts'
import {
  copyEmbeddedTemplate,
  createTemporaryFolder,
  createTestDatabase,
  usualEngine,
} from './database.ts'
import { type LeashedProcess, spawnOnLeash } from './leash.ts'
import { waitUntil } from './wait-until.ts'

/** The real gateway in its own process, including one that fails to start. */
export interface Program {
  /** Standard output, line by line. */
  readonly lines: readonly string[]
  /** Standard error, line by line. */
  readonly told: readonly string[]
  /** The URL on which it listens; rejects with its output if it ends before. */
  url(): Promise<string>
  signal(signal: 'SIGTERM' | 'SIGINT' | 'SIGKILL'): void
  exited(): Promise<{ readonly code: number | null; readonly signal: string | null }>
}

/** Creates a migrated database for a program, and the settings that name it. */
export async function createProgramPlace(): Promise<{
  readonly env: Readonly<Record<string, string>>
  remove(): Promise<void>
}> {
  const folder = await createTemporaryFolder()
  const dataDir = join(folder.path, 'data')
  if (usualEngine() === 'embedded') {
    copyEmbeddedTemplate(dataDir)
    return { env: { PURSER_DATA_DIR: dataDir }, remove: folder.remove }
  }
  const { url, drop } = await createTestDatabase()
  const remove = async (): Promise<void> => {
    await drop()
    await folder.remove()
  }
  return { env: { PURSER_DATA_DIR: dataDir, DATABASE_URL: url }, remove }
}

interface ProgramOptions {
  readonly uid?: number
  readonly gid?: number
  /** The arguments of the program. */
  readonly args?: readonly string[]
}

/** Starts it with only these settings, on a free port unless they name one. */
export async function startProgram(
  env: Readonly<Record<string, string>>,
  { args = [], ...options }: ProgramOptions = {},
): Promise<Program> {
  const { gateway } = await buildPrograms()
  // The programs that tests build carry no console.
  const usual = { PURSER_PORT: '0', PURSER_DRAIN_SECONDS: '0', PURSER_CONSOLE: 'off' }
  const child = spawnOnLeash(process.execPath, [gateway, ...args], {
    env: { ...usual, ...env },
    ...options,
  })
  running.add(child)
  const lines: string[] = []
  const told: string[] = []
  createInterface({ input: child.stdout }).on('line', (line) => lines.push(line))
  createInterface({ input: child.stderr }).on('line', (line) => told.push(line))
  let isOver = false
  const closed = once(child, 'close').then(([code, signal]) => {
    running.delete(child)
    isOver = true
    return { code, signal }
  })
  const address = () => lines.flatMap((line) => /listens on (http:\S+)/.exec(line)?.[1] ?? [])[0]
  return {
    lines,
    told,
    async url() {
      await waitUntil(() => isOver || address() !== undefined)
      const url = address()
      if (url === undefined) throw new Error(`It did not start.\n${told.join('\n')}`)
      return url
    },
    signal: (signal) => void child.kill(signal),
    exited: () => closed,
  }
}

const running = new Set<LeashedProcess>()

/** For the end of a test, even a failed one; resolves when all are gone. */
export async function killPrograms(): Promise<void> {
  for (const child of running) child.kill('SIGKILL')
  await waitUntil(() => running.size === 0)
}
