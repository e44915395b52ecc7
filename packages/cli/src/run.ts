import { CommanderError } from 'commander'
import manifest from '../package.json' with { type: 'json' }
import { EXIT } from './exit.ts'
import { tell } from './output/print.ts'
import { createProgramFor } from './program.ts'

/** Runs one command line and returns its exit code (`exit.ts`). */
export async function runCommandLine(argv: readonly string[]): Promise<number> {
  const program = await createProgramFor(manifest.version, argv.slice(2))
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
