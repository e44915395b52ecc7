import { readFile } from 'node:fs/promises'
import { CommanderError } from 'commander'
import { createProgram } from './program.ts'

/**
 * Runs one command line and returns its exit code: 0 for success, 1 for a failure, 2 if the command
 * line is wrong or names something that cannot be used.
 */
export async function runCommandLine(argv: readonly string[]): Promise<number> {
  const program = createProgram(await readVersion())
  try {
    await program.parseAsync(argv)
    return 0
  } catch (error) {
    // Commander has already printed its own message. It also throws after printing the help.
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
