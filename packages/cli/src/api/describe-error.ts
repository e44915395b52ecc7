import type { PurserError } from '@purser/sdk'
import type { Command } from 'commander'
import { EXIT } from '../exit.ts'
import { describeFailure, isPlainHttp } from '../listen/network-failure.ts'
import { plain, toJson } from '../output/plain.ts'
import { hasOption } from './arguments.ts'

/** Describes the error of a call in one line, and names the exit code. */
export function describeError(
  error: PurserError,
  url: string,
  command: Command,
): { readonly text: string; readonly code: number } {
  const { outcomeUnknown, idempotencyKey, requestId } = error
  const request = requestId === null ? '' : ` (request ${requestId})`
  const text = `${causeOf(error, url, command)}${request}`.replace(/\s+/g, ' ')
  if (!outcomeUnknown || !changesSomething(command))
    return { text: plain(text), code: EXIT.failure }
  const repeat = hasOption(command, '--idempotency-key')
    ? ` Repeat it with --idempotency-key ${idempotencyKey}, and it takes effect once.`
    : ''
  return {
    text: plain(`${text} The outcome is unknown: the request may have taken effect.${repeat}`),
    code: EXIT.unknown,
  }
}

/**
 * Returns the problem of the API as JSON on one line. An error without a problem, such as no answer
 * at all, has the same fields. If the outcome is unknown, the JSON has the key to repeat the command
 * with: without it, a program could buy a second time.
 */
export function toProblemJson(error: PurserError, text: string, exitCode: number): string {
  const { code, status, problem, requestId, idempotencyKey } = error
  const known = problem ?? { code, status, detail: text, requestId }
  return toJson(
    exitCode === EXIT.unknown ? { ...known, outcomeUnknown: true, idempotencyKey } : known,
  )
}

/** Commands that change something without an idempotency key: a second run finds the effect of the first. */
const CHANGERS = ['draft', 'apply', 'delete']

/** Simulations are POST requests too. A lost answer leaves no unknown outcome. */
function changesSomething(command: Command): boolean {
  if (hasOption(command, '--idempotency-key')) return command.opts()['dryRun'] !== true
  return CHANGERS.includes(command.name())
}

const SET_URL = 'Set its address with --url or PURSER_BASE_URL.'

function causeOf(error: PurserError, url: string, command: Command): string {
  const { code, status, problem, detail, cause } = error
  if (problem !== null) return mistakeIn(error, command) ?? hintFor(code, detail)
  if (code === 'network_error' && cause !== undefined) {
    if (isPlainHttp(cause)) {
      return `${url} answers, but not with TLS: use ${url.replace(/^https:/, 'http:')}. ${SET_URL}`
    }
    return `No answer from ${url}: ${describeFailure(cause)}. Is the gateway running? ${SET_URL}`
  }
  if (code === 'aborted') return 'Interrupted.'
  if (code === 'timeout' || code === 'attempt_timeout') {
    return `No answer from ${url} in time. Is the gateway running? ${SET_URL}`
  }
  if (status !== null) {
    return `${url} answered ${status}, but not like a gateway. Is it the address of a Purser gateway? ${SET_URL}`
  }
  return detail
}

function hintFor(code: string, detail: string): string {
  if (code !== 'unauthenticated') return detail
  // The gateway's sentence speaks of a header, which the user of a command never sees.
  const cause = /not a complete API key/.test(detail)
    ? 'The API key is mistyped or truncated.'
    : detail
  return `${cause} Set PURSER_API_KEY, or run "purser login" again.`
}

/** Names the argument or option that has the first mistake, instead of the field of the API. */
function mistakeIn({ errors }: PurserError, command: Command): string | undefined {
  const [first] = errors ?? []
  if (first === undefined) return undefined
  const [, field = ''] = first.path.split('/')
  const name = argumentFor(field, command)
  const words = first.message.replace(/\.$/, '')
  return name === undefined ? `${first.path} ${words}.` : `${name} ${words}.`
}

/** The field `agentId` is the option `--agent`, `alsoIds` is `--also`, and `q` is `--search`. */
function argumentFor(field: string, command: Command): string | undefined {
  const kebab = field.replace(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`)
  const names = [kebab, kebab.replace(/-(ids?|amount)$/, ''), field === 'q' ? 'search' : kebab]
  const options = names.map((name) => `--${name}`)
  const option = options.find((flag) => hasOption(command, flag))
  if (option !== undefined) return option
  const isArgument = command.registeredArguments.some((argument) => argument.name() === field)
  return isArgument ? `The ${field}` : undefined
}
