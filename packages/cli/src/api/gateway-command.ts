import type { CallOptions, Purser } from '@purser/sdk'
import { type Command, Help } from 'commander'
import { exitWith } from '../exit.ts'
import { tell } from '../output/print.ts'
import { hasOption } from './arguments.ts'
import { type CredentialOptions, findCredentials } from './credentials.ts'
import { createStopSignal } from './stop-signal.ts'

/** The options of every command that calls a gateway. */
export interface GatewayOptions extends CredentialOptions {
  readonly json?: true
}

/** The options of a command that changes something. */
export interface ChangeOptions extends GatewayOptions {
  readonly idempotencyKey?: string
  /** Ctrl-C aborts it. `onGateway` adds it. */
  readonly signal?: AbortSignal
}

/** The client of a command, and where it leads. */
export interface Gateway {
  readonly purser: Purser
  readonly url: string
  /** The command, for `command.error` after a mistake in its arguments. */
  readonly command: Command
}

export const URL_OPTION = [
  '--url <address>',
  'URL of the gateway; default: PURSER_BASE_URL, else http://127.0.0.1:3000',
] as const
export const PROFILE_OPTION = [
  '--profile <name>',
  'profile of "purser login"; default: PURSER_API_KEY, else the profile "default"',
] as const

/** The part of the help that only the author of a command knows. */
export interface GatewayHelp {
  /** The scope that the key needs, or several of them. */
  readonly scope?: string
  readonly example: string
  /** More sentences, after the options. */
  readonly notes?: string
}

const EXAMPLES = new WeakMap<Command, string>()

/** Returns the example of a command, for docs/cli.md. */
export function exampleOf(command: Command): string | undefined {
  return EXAMPLES.get(command)
}

/** Adds an example to the help of a command. */
export function withExample(command: Command, example: string): Command {
  EXAMPLES.set(command, example)
  const lines = example.split('\n').map((line) => `  ${line}`)
  return command.addHelpText('after', `\nExample:\n${lines.join('\n')}`)
}

/** Adds the options that every command with an API key has, and its example. */
export function withGateway(command: Command, { scope, example, notes }: GatewayHelp): Command {
  command
    .option(...URL_OPTION)
    .option(...PROFILE_OPTION)
    .option('--json', 'print only the JSON answer of the API')
  if (notes !== undefined) command.addHelpText('after', `\n${notes}`)
  if (scope !== undefined) command.addHelpText('after', `\n${toScopeNote(scope)}`)
  return withExample(command, example)
}

/** The notes of a help fit into 80 columns, as its other parts do. */
const HELP_WIDTH = 80

function toScopeNote(scope: string): string {
  const word = / and /.test(scope) ? 'scopes' : 'scope'
  return new Help().boxWrap(`The API key needs the ${word} ${scope}.`, HELP_WIDTH)
}

/** The same for a command that changes something. */
export function withChange(command: Command, help: GatewayHelp): Command {
  return withGateway(command, help).option(
    '--idempotency-key <key>',
    'repeat a command with the same key, and it takes effect once',
  )
}

/** Returns the options of a call that changes something. */
export function callOptions({ idempotencyKey, signal }: ChangeOptions): CallOptions {
  return { idempotencyKey, signal }
}

/**
 * Returns the action of a command that calls a gateway. `run` gets the client, and then the
 * arguments and options of the command. An error becomes one line and an exit code. Ctrl-C aborts a
 * call that changes something: the error then names the idempotency key, without which a second run
 * could buy a second time.
 */
export function onGateway<Args extends readonly unknown[]>(
  run: (gateway: Gateway, ...args: Args) => Promise<void>,
): (...args: unknown[]) => Promise<void> {
  return async (...args) => {
    // Commander passes the arguments, the options and the command.
    const command = args.at(-1) as Command
    const credentials = findCredentials(command.opts(), command)
    const { url } = credentials
    // Import it only here: the help and argument errors do not need it.
    const { createClient } = await import('./create-client.ts')
    const purser = createClient(credentials)
    const stop = hasOption(command, '--idempotency-key') ? createStopSignal() : undefined
    const options = { ...command.opts(), ...(stop && { signal: stop.signal }) }
    try {
      await run({ purser, url, command }, ...([...args.slice(0, -2), options] as unknown as Args))
    } catch (error) {
      await endWith(error, url, command)
    } finally {
      stop?.end()
    }
  }
}

/**
 * Reports the error of a call in one line, with `--json` as JSON, and ends the command with its exit
 * code.
 */
export async function endWith(error: unknown, url: string, command: Command): Promise<never> {
  const { PurserError } = await import('@purser/sdk')
  if (!PurserError.is(error)) throw error
  const { describeError, toProblemJson } = await import('./describe-error.ts')
  const { text, code } = describeError(error, url, command)
  const isJson = command.opts()['json'] === true
  tell(isJson ? toProblemJson(error, text, code) : `purser: ${text}`)
  return exitWith(code)
}
