import { describeFailure } from '../listen/network-failure.ts'
import { type Answered, type Sent, sendRequest } from '../send-request.ts'

/** The time limit, which is longer than any answer to these commands takes. */
const WITHIN_MS = 30_000

export interface Gateway {
  readonly url: string
  readonly apiKey: string
}

/** Calls the gateway and returns its answer. If the gateway refuses, throws its own message. */
export async function callApi(
  { url, apiKey }: Gateway,
  path: string,
  body?: object,
): Promise<unknown> {
  const { status, text } = await send(url, path, {
    method: body ? 'POST' : 'GET',
    headers: {
      authorization: `Bearer ${apiKey}`,
      accept: 'application/json',
      ...(body && { 'content-type': 'application/json' }),
    },
    ...(body && { body: JSON.stringify(body) }),
    signal: AbortSignal.timeout(WITHIN_MS),
  })
  const answer = parse(text)
  if (status === 200 && answer !== undefined) return answer
  throw new Error(refusalIn(answer) ?? notOurs(url, status))
}

async function send(url: string, path: string, sent: Sent): Promise<Answered> {
  try {
    return await sendRequest(`${url}/api/v1${path}`, sent)
  } catch (error) {
    const reason = sent.signal.aborted
      ? `it took more than ${WITHIN_MS / 1_000} s`
      : describeFailure(error)
    throw new Error(
      `No answer from ${url}: ${reason}. Is the gateway running? Set its address with --url or PURSER_URL.`,
    )
  }
}

function notOurs(url: string, status: number): string {
  return `${url} answered ${status}, but not like a gateway. Is it the address of a Purser gateway? Set it with --url or PURSER_URL.`
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}

/** Maps the path of a field in the API to its name on the command line. */
const NAMES: readonly (readonly [RegExp, string])[] = [
  [/^\/id$/, 'The id'],
  [/^\/comment$/, '--comment'],
  [/^\/maxAmount$/, '--max-amount'],
  [/^\/alsoIds(\/\d+)?$/, '--also'],
]

function refusalIn(answer: unknown): string | undefined {
  if (typeof answer !== 'object' || answer === null || !('detail' in answer)) return undefined
  return ('errors' in answer && mistakeIn(answer.errors)) || String(answer.detail)
}

/** Returns undefined if no argument of the command line can have caused the error. */
function mistakeIn(errors: unknown): string | undefined {
  const [first] = Array.isArray(errors) ? errors : []
  const name = NAMES.find(([form]) => form.test(String(first?.path)))?.[1]
  return name && `${name} ${first.message}.`
}
