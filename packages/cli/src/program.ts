import { Command } from 'commander'
import { COMMANDS } from './commands/index.ts'

/** The whole command line, before anything of it is read. The README lists its commands. */
export function createProgram(version: string): Command {
  const program = new Command('purser')
    .version(version, '--version', 'print the version')
    .description('Purser: the gateway between software agents and money.')
    .exitOverride()
  for (const command of COMMANDS) command(program)
  nameHelp(program, 'purser')
  return program
}

/** After a mistake, the help that is named is that of the command which was meant. */
function nameHelp(command: Command, name: string): void {
  const shown = command.commands.length > 0 ? 'commands' : 'options'
  command.showHelpAfterError(`(${name} --help shows the ${shown})`)
  for (const part of command.commands) nameHelp(part, `${name} ${part.name()}`)
}
