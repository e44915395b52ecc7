import { readFile } from 'node:fs/promises'
import { CommanderError } from 'commander'
import { EXIT } from './exit.ts'
import { tell } from './output/print.ts'
import { createProgram, namedCommand } from './program.ts'

/** Runs one command line and returns its exit code (`exit.ts`). */
export async function runCommandLine(argv: readonly string[]): Promise<number> {
  const named = namedCommand(argv.slice(2))
  const program = await createProgram(await readVersion(), (name) => name === named)
  try {
    await program.parseAsync(argv)
    return EXIT.success
  } catch (error) {
    if (error instanceof CommanderError) return codeOf(error)
    const text = error instanceof Error ? error.message : String(error)
    // One line, so that a program can read it.
    tell(`purser: ${text.replace(/\s*\n\s*/g, ' ')}`)
    return EXIT.failure
  }
}

/** The message of such an error has been printed. Commander also throws after printing the help. */
function codeOf({ code, exitCode }: CommanderError): number {
  if (!code.startsWith('commander.')) return exitCode
  return exitCode === 0 ? EXIT.success : EXIT.usage
}

async function readVersion(): Promise<string> {
  const path = new URL('../package.json', import.meta.url)
  const { version } = JSON.parse(await readFile(path, 'utf8'))
  return version
}
