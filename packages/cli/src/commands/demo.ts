import { type Command, InvalidArgumentError } from 'commander'
import { withExample } from '../api/gateway-command.ts'
import { printJson } from '../output/print.ts'
import { loadServer } from '../packages.ts'

interface DemoOptions {
  readonly dataDir?: string
  readonly port?: number
  readonly still?: true
  readonly reset?: true
  readonly json?: true
}

const NOTES = `
Makes an organization with 30 days of spends, and serves it on this machine
only. All keys and passwords are made at the start. The chain, the shop, the
card issuer and the receiver of webhooks are stand-ins on this machine: the demo
calls no other host. A later start goes on with the same data. docs/demo.md says
more.`

/** `purser demo`: a gateway with a past, to look around in (ADR 56). */
export function demo(command: Command): void {
  command
    .option('--data-dir <folder>', 'folder of the demo (default: ./.purser-demo)')
    .option('--port <number>', 'port (default: PURSER_PORT, else 3000)', toPort)
    .option('--still', 'do not spend in the background')
    .option('--reset', 'remove the demo in the folder, and make a new one')
    .option('--json', 'print only JSON: {"url": …, "signInUrl": …, "owner": …, …}')
    .addHelpText('after', NOTES)
    .action((options: DemoOptions) => run(options))
  withExample(command, 'purser demo --port 4000')
}

type Server = typeof import('@purser/server')

async function run({ json, ...options }: DemoOptions): Promise<void> {
  // Import the server only here: the help and argument errors do not need it.
  const { loadDemo } = await loadServer()
  const { startDemo } = await loadDemo()
  const progress = createProgress()
  const demo = await startDemo(process.env, options, progress.tell).finally(progress.end)
  if (json) {
    const { url, signInUrl, owner, isContinued, folder } = demo
    printJson({ url, signInUrl, owner, isContinued, folder })
  } else process.stdout.write(toText(demo))
  await new Promise<void>((resolve) => {
    for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, () => resolve())
  })
  await demo.stop()
}

type Demo = Awaited<ReturnType<Awaited<ReturnType<Server['loadDemo']>>['startDemo']>>

function toText({ url, signInUrl, owner, isContinued, folder }: Demo): string {
  return [
    isContinued ? `The demo in ${folder} goes on.` : `The demo is ready, in ${folder}.`,
    '',
    `  Open this link to sign in; it works once:  ${signInUrl}`,
    '',
    `  console   ${url}`,
    `  e-mail    ${owner.email}`,
    `  password  ${owner.password}   (the console asks for it before some changes)`,
    '',
    'Press Ctrl-C to stop it.',
    '',
  ].join('\n')
}

/** One line that changes at a terminal; one line for each step elsewhere. */
function createProgress(): { tell(text: string): void; end(): void } {
  const isTerminal = process.stderr.isTTY === true
  let isOpen = false
  return {
    tell(text) {
      isOpen = true
      process.stderr.write(isTerminal ? `\r\u001b[2K${text}` : `${text}\n`)
    },
    end() {
      if (isTerminal && isOpen) process.stderr.write('\r\u001b[2K')
    },
  }
}

function toPort(text: string): number {
  const port = /^\d{1,5}$/.test(text) ? Number(text) : Number.NaN
  if (port <= 65_535) return port
  throw new InvalidArgumentError('It must be a number from 0 to 65535.')
}
