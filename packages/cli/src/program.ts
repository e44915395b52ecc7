import { Command } from 'commander'
import { COMMANDS } from './commands/index.ts'

/** Builds the whole command line, without parsing anything. The README lists its commands. */
export function createProgram(version: string): Command {
  const program = new Command('purser')
    .version(version, '--version', 'print the version')
    .description('Purser: the gateway between software agents and money.')
    .exitOverride()
  for (const command of COMMANDS) command(program)
  nameHelp(program, 'purser')
  return program
}

/** After a mistake, points to the help of the command that the user meant. */
function nameHelp(command: Command, name: string): void {
  const shown = command.commands.length > 0 ? 'commands' : 'options'
  command.showHelpAfterError(`(${name} --help shows the ${shown})`)
  for (const part of command.commands) nameHelp(part, `${name} ${part.name()}`)
}
