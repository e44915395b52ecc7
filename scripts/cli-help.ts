import { createProgram } from '../packages/cli/src/program.ts'

type Program = Awaited<ReturnType<typeof createProgram>>

/** The help of one command. */
export interface CommandHelp {
  /** The whole name, such as `purser transactions list`. */
  readonly name: string
  /** The heading of its group in `purser --help`. */
  readonly heading: string
  readonly text: string
}

const WIDTH = 80

/** Returns the help of every command, in the order of `purser --help`, which is the first. */
export async function listHelp(): Promise<CommandHelp[]> {
  return collect(await createProgram('0.0.0'), 'purser', '')
}

function collect(command: Program, name: string, heading: string): CommandHelp[] {
  const own = { name, heading, text: helpOf(command) }
  const parts = command.commands.flatMap((part) =>
    collect(part, `${name} ${part.name()}`, heading || part.helpGroup()),
  )
  return [own, ...parts]
}

/** Returns the text of `--help`, with its notes and its example. */
function helpOf(command: Program): string {
  const written: string[] = []
  command.configureOutput({
    writeOut: (text) => written.push(text),
    getOutHelpWidth: () => WIDTH,
    getOutHasColors: () => false,
  })
  command.outputHelp()
  return `${written.join('').trimEnd()}\n`
}
