import { describeFailure } from '../listen/network-failure.ts'

/** Longer than any answer of these commands takes. */
const WITHIN_MS = 30_000

export interface Gateway {
  readonly url: string
  readonly apiKey: string
}

/** The answer of the gateway. Throws with its own words where it refuses. */
export async function callApi(
  { url, apiKey }: Gateway,
  path: string,
  body?: object,
): Promise<unknown> {
  const response = await send(`${url}/api/v1${path}`, {
    method: body ? 'POST' : 'GET',
    headers: {
      authorization: `Bearer ${apiKey}`,
      accept: 'application/json',
      ...(body && { 'content-type': 'application/json' }),
    },
    ...(body && { body: JSON.stringify(body) }),
    signal: AbortSignal.timeout(WITHIN_MS),
    redirect: 'error',
  })
  const text = await response.text()
  const answer = parse(text)
  if (response.ok && answer !== undefined) return answer
  throw new Error(refusalIn(answer) ?? `the gateway answered ${response.status}.`)
}

async function send(url: string, init: RequestInit): Promise<Response> {
  try {
    return await fetch(url, init)
  } catch (error) {
    const reason = describeFailure(error)
    throw new Error(`${reason}. Is the gateway running? Say where with --url or PURSER_URL.`)
  }
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}

function refusalIn(answer: unknown): string | undefined {
  if (typeof answer !== 'object' || answer === null || !('detail' in answer)) return undefined
  const by = 'decidedBy' in answer && answer.decidedBy ? ` Decided by ${answer.decidedBy}.` : ''
  return `${answer.detail}${by}`
}
