import { readFile } from 'node:fs/promises'
import { CommanderError } from 'commander'
import { createProgram } from './program.ts'

/**
 * Runs one command line, and gives its exit code: 0 done, 1 it failed, 2 the command line is wrong, or
 * what it names is of no use.
 */
export async function runCommandLine(argv: readonly string[]): Promise<number> {
  const program = createProgram(await readVersion())
  try {
    await program.parseAsync(argv)
    return 0
  } catch (error) {
    // Commander has printed its own message already; it also throws after printing help.
    if (error instanceof CommanderError) return error.exitCode === 0 ? 0 : 2
    process.stderr.write(`purser: ${error instanceof Error ? error.message : String(error)}\n`)
    return 1
  }
}

async function readVersion(): Promise<string> {
  const path = new URL('../package.json', import.meta.url)
  const { version } = JSON.parse(await readFile(path, 'utf8'))
  return version
}
