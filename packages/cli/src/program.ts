import { Command } from 'commander'
import { GROUPS, type ListedCommand } from './commands/index.ts'

const NOTES = `
Exit codes: 0 success, 1 failure, 2 wrong usage or undecided, 3 a rejected spend,
4 unknown outcome: the request may have taken effect, 5 mandate files that differ.
docs/cli.md says more.`

/**
 * Builds the command line, without parsing anything. Loads only the modules of the commands that
 * `isNeeded` chooses: a command must start fast.
 */
export async function createProgram(
  version: string,
  isNeeded: (name: string) => boolean = () => true,
): Promise<Command> {
  const program = new Command('purser')
    .version(version, '--version', 'print the version')
    .description('Purser: the gateway between software agents and money.')
    .addHelpText('after', NOTES)
    .exitOverride()
  for (const { heading, commands } of GROUPS) {
    for (const listed of commands) await add(program, heading, listed, isNeeded(listed.name))
  }
  nameHelp(program, 'purser')
  reportUnknownFirst(program)
  return program
}

async function add(
  program: Command,
  heading: string,
  { name, description, load }: ListedCommand,
  isNeeded: boolean,
): Promise<void> {
  const command = program.command(name).description(description).helpGroup(heading)
  if (!isNeeded) return
  const define = await load()
  define(command, () => createProgram('', () => true))
}

/** Returns the name of the command that the arguments name, also after `help`. */
export function namedCommand(args: readonly string[]): string | undefined {
  const [first, second] = args.filter((arg) => !arg.startsWith('-'))
  return first === 'help' ? second : first
}

/** After a mistake, points to the help of the command that the user meant. */
function nameHelp(command: Command, name: string): void {
  const shown = command.commands.length > 0 ? 'commands' : 'options'
  command.showHelpAfterError(`(${name} --help shows the ${shown})`)
  for (const part of command.commands) nameHelp(part, `${name} ${part.name()}`)
}

/**
 * An unknown option can be a required one that is misspelt, so it is reported first. Commander
 * reports missing options first. A command with an unknown option never runs, so its options need
 * not be required then.
 */
function reportUnknownFirst(command: Command): void {
  for (const part of command.commands) reportUnknownFirst(part)
  if (command.commands.length > 0) return
  const parseOptions = command.parseOptions.bind(command)
  command.parseOptions = (args) => {
    const parsed = parseOptions(args)
    if (parsed.unknown.length > 0) {
      for (const option of command.options) option.makeOptionMandatory(false)
    }
    return parsed
  }
}
