import type { Command, Option } from 'commander'

export const SHELLS = ['bash', 'zsh', 'fish'] as const
export type Shell = (typeof SHELLS)[number]

/** The words that can follow a command. */
interface Completed {
  /** The names after `purser`, such as `transactions list`. */
  readonly path: string
  readonly commands: readonly { readonly name: string; readonly description: string }[]
  readonly options: readonly { readonly flag: string; readonly description: string }[]
}

/** Writes the completion script of a shell for all commands. */
export function toScript(program: Command, shell: Shell): string {
  const all = list(program, [])
  if (shell === 'fish') return toFish(all)
  return shell === 'bash'
    ? toBash(all)
    : `autoload -U +X bashcompinit && bashcompinit\n${toBash(all)}`
}

function list(command: Command, path: readonly string[]): Completed[] {
  const own = {
    path: path.join(' '),
    commands: command.commands.map((part) => ({
      name: part.name(),
      description: part.description(),
    })),
    options: [
      ...visibleOptions(command).map(({ long, description }) => ({
        flag: long ?? '',
        description,
      })),
      { flag: '--help', description: 'display help for command' },
    ].filter(({ flag }) => flag !== ''),
  }
  const parts = command.commands.flatMap((part) => list(part, [...path, part.name()]))
  return [own, ...parts]
}

function visibleOptions({ options }: Command): readonly Option[] {
  return options.filter(({ hidden }) => !hidden)
}

function toBash(all: readonly Completed[]): string {
  const cases = all.map(({ path, commands, options }) => {
    const words = [...commands.map(({ name }) => name), ...options.map(({ flag }) => flag)]
    return `    "${path}") words="${words.join(' ')}" ;;`
  })
  const paths = all.map(({ path }) => path).filter((path) => path !== '')
  return `# Completion of purser. Written by "purser completion".
_purser() {
  local current="\${COMP_WORDS[COMP_CWORD]}" path="" word next words=""
  for word in "\${COMP_WORDS[@]:1:COMP_CWORD-1}"; do
    next="\${path:+$path }$word"
    case "$next" in
      ${paths.map((path) => `"${path}"`).join('|')}) path="$next" ;;
    esac
  done
  case "$path" in
${cases.join('\n')}
  esac
  COMPREPLY=($(compgen -W "$words" -- "$current"))
}
complete -o default -F _purser purser
`
}

function toFish(all: readonly Completed[]): string {
  const lines = all.flatMap(({ path, commands, options }) => {
    const seen = path.split(' ').filter((name) => name !== '')
    const isHere =
      seen.length === 0
        ? '__fish_use_subcommand'
        : seen.map((name) => `__fish_seen_subcommand_from ${name}`).join('; and ')
    return [
      ...commands.map(
        ({ name, description }) =>
          `complete -c purser -f -n '${isHere}' -a '${name}' -d ${quote(description)}`,
      ),
      ...options.map(
        ({ flag, description }) =>
          `complete -c purser -n '${isHere}' -l '${flag.slice(2)}' -d ${quote(description)}`,
      ),
    ]
  })
  return `# Completion of purser. Written by "purser completion".\n${lines.join('\n')}\n`
}

function quote(text: string): string {
  return `'${text.replaceAll('\\', '\\\\').replaceAll("'", "\\'")}'`
}
