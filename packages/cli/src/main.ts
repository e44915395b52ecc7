import { readFile } from 'node:fs/promises'
import { Command, CommanderError } from 'commander'
import { COMMANDS } from './commands/index.ts'

/** Exit codes: 0 done, 1 it failed, 2 the command line is wrong, or what it names is of no use. */
async function main(argv: readonly string[]): Promise<number> {
  const program = new Command('purser')
    .version(await readVersion(), '--version', 'print the version')
    .description('Purser: the gateway between software agents and money.')
    .exitOverride()
  for (const command of COMMANDS) command(program)
  nameHelp(program, 'purser')
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

/** After a mistake, the help that is named is that of the command which was meant. */
function nameHelp(command: Command, name: string): void {
  const shown = command.commands.length > 0 ? 'commands' : 'options'
  command.showHelpAfterError(`(${name} --help shows the ${shown})`)
  for (const part of command.commands) nameHelp(part, `${name} ${part.name()}`)
}

async function readVersion(): Promise<string> {
  const path = new URL('../package.json', import.meta.url)
  const { version } = JSON.parse(await readFile(path, 'utf8'))
  return version
}

process.exitCode = await main(process.argv)
