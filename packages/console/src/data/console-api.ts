import { PurserError } from '@purser/sdk'
import { CONSOLE_OPERATIONS, type ConsoleOperations } from '../generated/console-api.ts'
import { pause } from './pause.ts'

type Name = keyof ConsoleOperations

interface ConsoleCall<N extends Name> {
  readonly params?: ConsoleOperations[N]['params']
  readonly query?: ConsoleOperations[N]['query']
  readonly body?: ConsoleOperations[N]['body']
  readonly signal?: AbortSignal
}

const PREFIX = '/console/api'
const TIMEOUT_MS = 20_000
const RETRIES = 2
const FIRST_DELAY_MS = 300
const LONGEST_DELAY_MS = 2_000

/** Calls an endpoint that only people may call: signing in, passkeys, members, sessions. */
export async function callConsole<N extends Name>(
  name: N,
  call: ConsoleCall<N> = {},
): Promise<ConsoleOperations[N]['answer']> {
  for (let retries = 0; ; retries += 1) {
    try {
      return await send(name, call)
    } catch (error) {
      const isLast = retries === RETRIES || CONSOLE_OPERATIONS[name].method !== 'GET'
      if (isLast || call.signal?.aborted || !isTransient(error)) throw error
      await pause(delayOf(error, retries), call.signal)
    }
  }
}

/** The same failures as those that the SDK retries for a request that only reads. */
function isTransient(error: unknown): error is PurserError {
  if (!PurserError.is(error)) return false
  return (
    error.code === 'connection_failed' || (error.status === 503 && error.code !== 'storage_full')
  )
}

function delayOf({ retryAfterSeconds }: PurserError, retries: number): number {
  const wanted = (retryAfterSeconds ?? 0) * 1_000 || FIRST_DELAY_MS * 2 ** retries
  return Math.min(wanted, LONGEST_DELAY_MS)
}

async function send<N extends Name>(
  name: N,
  { params, query, body, signal }: ConsoleCall<N>,
): Promise<ConsoleOperations[N]['answer']> {
  const { method, path } = CONSOLE_OPERATIONS[name]
  const response = await fetch(PREFIX + fillIn(path, params) + toSearch(query), {
    method,
    ...(body === undefined
      ? {}
      : { body: JSON.stringify(body), headers: { 'content-type': 'application/json' } }),
    signal: AbortSignal.any([AbortSignal.timeout(TIMEOUT_MS), ...(signal ? [signal] : [])]),
  }).catch((cause: unknown) => {
    throw noAnswer(method, cause)
  })
  const text = await response.text().catch((cause: unknown) => {
    throw noAnswer(method, cause)
  })
  const answer = parse(text)
  if (response.ok && answer !== undefined) return answer as ConsoleOperations[N]['answer']
  throw problemOf(response, answer)
}

/** Undefined for a text that is no JSON. An empty answer is null. */
function parse(text: string): unknown {
  try {
    return text === '' ? null : JSON.parse(text)
  } catch {
    return undefined
  }
}

function fillIn(path: string, params: unknown): string {
  const values = Object(params) as Record<string, string>
  return path.replace(/\{(\w+)\}/g, (_, name: string) => encodeURIComponent(values[name] ?? ''))
}

function toSearch(query: unknown): string {
  const entries = Object.entries(Object(query)).filter(([, value]) => value !== undefined)
  if (entries.length === 0) return ''
  return `?${new URLSearchParams(entries.map(([name, value]) => [name, String(value)]))}`
}

function noAnswer(method: string, cause: unknown): PurserError {
  const isLate = cause instanceof DOMException && cause.name === 'TimeoutError'
  const detail = isLate
    ? 'The gateway did not answer within 20 seconds.'
    : 'The gateway cannot be reached.'
  // A request that was on its way may have taken effect.
  const outcomeUnknown = method !== 'GET'
  return new PurserError(detail, { code: 'connection_failed', outcomeUnknown, cause })
}

function problemOf(response: Response, answer: unknown): PurserError {
  const problem = Object(answer) as { code?: string; detail?: string }
  const retryAfter = Number(response.headers.get('retry-after'))
  return new PurserError(problem.detail ?? 'The gateway answered with an error.', {
    code: problem.code ?? 'unexpected_answer',
    status: response.status,
    problem: problem as never,
    retryAfterSeconds: retryAfter > 0 ? retryAfter : null,
  })
}
