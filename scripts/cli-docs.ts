import { createProgram } from '../packages/cli/src/program.ts'

type Program = Awaited<ReturnType<typeof createProgram>>

/** The README of the package, which a package registry shows. */
export async function createCliDocs(): Promise<string> {
  return `# purser

The command line of Purser, a gateway that checks every spend of a software agent against a budget
and rules before money moves.

\`\`\`sh
npm install purser
npx purser serve
\`\`\`

Version 0.1.0 is not published yet: run \`npm install\` in a checkout, where \`npx purser\` works.

\`serve\` starts the gateway on \`127.0.0.1:3000\`, with an embedded database in \`./.purser\`. The
first start in development creates an organization, stores its API key in
\`.purser/initial-api-key\`, and prints commands for a first agent, mandate and spend.
\`purser settings\` lists the environment variables.

## Commands

| Command | Purpose |
|---|---|
${commandsOf(await createProgram('0.0.0'), 'purser')
  .map(row)
  .join('\n')}

\`purser <command> --help\` shows every option, and \`docs/cli.md\` in the repository has all of it with
the exit codes. The package needs Node 20.19 or newer. Apache-2.0.
`
}

interface Listed {
  readonly usage: string
  readonly description: string
}

/** Lists every command in the order of the help, except those that only group others. */
function commandsOf(command: Program, name: string): Listed[] {
  return command.commands.flatMap((part) => {
    const full = `${name} ${part.name()}`
    if (part.commands.length > 0) return commandsOf(part, full)
    const given = part.registeredArguments.map((argument) =>
      argument.required ? `<${argument.name()}>` : `[${argument.name()}]`,
    )
    const needed = part.options.filter(({ mandatory }) => mandatory).map(({ flags }) => flags)
    const usage = [full, ...given, ...needed].join(' ')
    return [{ usage, description: part.description() }]
  })
}

function row({ usage, description }: Listed): string {
  return `| \`${usage}\` | ${description.replaceAll('|', '\\|')} |`
}
