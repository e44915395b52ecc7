import { EXIT, EXIT_MEANINGS } from '../packages/cli/src/exit.ts'
import { type CommandHelp, listHelp } from './cli-help.ts'

/** Writes docs/cli.md: how to use the command line, and the help of every command. */
export async function createCliReference(): Promise<string> {
  const [program, ...commands] = await listHelp()
  const headings = [...new Set(commands.map(({ heading }) => heading))]
  return `# The command line

<!-- Written by \`npm run generate\` from packages/cli. Do not change it by hand. -->

\`purser\` starts a gateway, works with one over its API, and helps its operator. Until the packages
are published, run \`npm install\` in a checkout, where \`npx purser\` works. In other folders, and for
[completion](#purser-completion), define the command with the path of your checkout:

\`\`\`
purser() { node /path/to/purser/packages/cli/bin/purser.js "$@"; }
\`\`\`

It also starts faster than \`npx\`, which looks for the package each time.

## Try it

Continue in the terminal of the [README](../README.md#first-spend), which sets \`KEY\` and \`API\` and
makes an agent with a mandate:

\`\`\`
export PURSER_API_KEY=$KEY PURSER_BASE_URL=\${API%/api/v1}
npx purser evaluate --agent "Research agent" --amount 3 --vendor api.openai.com --category llm
npx purser evaluate --agent "Research agent" --amount 40 --vendor api.openai.com --category llm
npx purser transactions list
npx purser tail --after oldest --count 3
\`\`\`

The second command is refused: it shows the rule, and ends with exit code 3.

## The key and the gateway

A command that calls a gateway takes the API key and the address from the first of these places:

1. the profile that \`--profile <name>\` names
2. \`PURSER_API_KEY\`, with the address in \`--url\`, \`PURSER_BASE_URL\` or \`PURSER_URL\`. Without an
   address, it is \`http://127.0.0.1:3000\`.
3. the profile \`default\`

\`purser login\` makes a profile. It asks for the key without showing it:

\`\`\`
purser login --url https://purser.example.com
\`\`\`

A script sends the key to standard input: \`purser login < key.txt\`. No command takes a key or a
secret as an argument, because the history of the shell and the list of processes would show it.
\`PURSER_WEBHOOK_SECRET\` is the secret of \`listen\`, and \`PURSER_CARD_SECRET\` that of \`trigger card\`.
\`pay --header 'authorization: @env:TOKEN'\` sends the value of the variable \`TOKEN\`.

The profiles are in \`$XDG_CONFIG_HOME/purser/profiles.json\`, or in \`~/.config/purser\`. Only you can
read the file. The key of a profile goes only to the gateway of that profile.

## Output

- Standard output has the answer, and standard error everything else. So a pipe gets only the
  answer.
- \`--json\` prints the answer of the API as it came, on one line. [endpoints](endpoints.md) and
  \`purser openapi\` describe it. A command without a call to the API prints an object that its help
  describes. Three commands have no \`--json\`: \`mcp\` speaks a protocol on standard output, \`serve\`
  writes its log, and \`completion\` a script.
- With \`--json\`, an error of the API is its [problem](errors.md) on standard error, on one line,
  with the same exit code. If there was no answer, \`status\` is null. With exit code 4, the object
  also has \`outcomeUnknown\` and \`idempotencyKey\`. Other errors, such as a mistake in the command
  line, stay sentences.
- Tables fit the width of the terminal: they cut long texts, and leave out the less important
  columns. In a pipe or a file, they are complete.
- Colours appear only at a terminal. \`NO_COLOR=1\` turns them off.
- A new key or secret is on standard output once. No file and no log has it.
- If the gateway refuses a request, the error is one line with the id of the request in the
  gateway's log. A mistake in the command line has two or three lines and no id: the mistake, a
  suggestion if there is one, and the \`--help\` to read.

## Exit codes

| Code | Meaning |
|---|---|
${Object.entries(EXIT)
  .map(([name, code]) => `| ${code} | ${EXIT_MEANINGS[name as keyof typeof EXIT]} |`)
  .join('\n')}

A script can spend only if the gateway approves:

\`\`\`
if purser evaluate --agent buyer-1 --amount 12.5 --vendor api.openai.com --category llm; then
  buy
fi
\`\`\`

## All commands

\`\`\`
${program?.text ?? ''}\`\`\`

${headings.map((heading) => toSection(heading, commands)).join('\n')}`
}

function toSection(heading: string, commands: readonly CommandHelp[]): string {
  const own = commands.filter((command) => command.heading === heading)
  const parts = own.map(({ name, text }) => `### ${name}\n\n\`\`\`\n${text}\`\`\`\n`)
  return `## ${heading.replace(/:$/, '')}\n\n${parts.join('\n')}`
}
