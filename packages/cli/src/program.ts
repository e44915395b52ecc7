import { Command } from 'commander'
import { type CommandGroup, GROUPS } from './commands/index.ts'

const NOTES = `
Exit codes: 0 success, 1 failure, 2 wrong usage or undecided, 3 a rejected
spend, 4 unknown outcome: the request may have taken effect, 5 mandate files
that differ. docs/cli.md says more.`

/** Builds the whole command line, without parsing anything. */
export function createProgram(version: string): Promise<Command> {
  return build(version, GROUPS, true)
}

/**
 * Builds the command line for these arguments. A command must start fast, so the others are left out.
 * If the arguments name no command, all are listed, and none is loaded.
 */
export function createProgramFor(version: string, args: readonly string[]): Promise<Command> {
  const name = namedCommand(args)
  for (const { heading, commands } of GROUPS) {
    const named = commands.filter((listed) => listed.name === name)
    if (named.length > 0) return build(version, [{ heading, commands: named }], true)
  }
  return build(version, GROUPS, false)
}

async function build(
  version: string,
  groups: readonly CommandGroup[],
  isLoaded: boolean,
): Promise<Command> {
  const program = new Command('purser')
    .version(version, '--version', 'print the version')
    .description('Purser: the gateway between software agents and money.')
    .addHelpText('after', NOTES)
    .exitOverride()
  for (const { heading, commands } of groups) {
    for (const { name, description, load } of commands) {
      const command = program.command(name).description(description).helpGroup(heading)
      if (!isLoaded) continue
      const define = await load()
      define(command, () => createProgram(''))
    }
  }
  nameHelp(program, 'purser')
  reportUnknownFirst(program)
  return program
}

/** Returns the name of the command that the arguments name, also after `help`. */
function namedCommand(args: readonly string[]): string | undefined {
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
