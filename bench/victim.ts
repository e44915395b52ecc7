import { Agent, request } from 'node:http'
import { setTimeout as wait } from 'node:timers/promises'
import { answerLines } from './program.ts'

/**
 * The client of a well-behaved organization. The load is open: requests leave at fixed times,
 * whether or not the earlier ones are answered, and a request's time begins when it was due. So a
 * stall counts for all requests that were due during it, and not only for those already waiting.
 *
 * Each line asks for a number of seconds, and the program answers with its measurements.
 */
export interface VictimTask {
  readonly port: number
  readonly apiKey: string
  readonly agentIds: readonly string[]
  readonly mandateIds: readonly string[]
  /** The rates per second of evaluates and of reads of a mandate. */
  readonly rates: { readonly evaluate: number; readonly get: number }
}

export interface Latencies {
  readonly p50: number
  readonly p99: number
  readonly requests: number
  /** Requests with an answer other than 200, or without an answer. */
  readonly failed: number
}

export interface VictimResult {
  readonly evaluate: Latencies
  readonly get: Latencies
}

const ANSWER_WITHIN_MS = 60_000

function createVictim({ port, apiKey, agentIds, mandateIds, rates }: VictimTask) {
  const agent = new Agent({ keepAlive: true, maxSockets: 2_000 })

  function send(method: 'GET' | 'POST', path: string, body = ''): Promise<boolean> {
    return new Promise((resolve) => {
      const call = request({
        agent,
        port,
        method,
        host: '127.0.0.1',
        path: `/api/v1${path}`,
        timeout: ANSWER_WITHIN_MS,
        headers: {
          authorization: `Bearer ${apiKey}`,
          'content-length': Buffer.byteLength(body),
          ...(body !== '' && { 'content-type': 'application/json' }),
        },
      })
      call.on('error', () => resolve(false))
      call.on('timeout', () => call.destroy())
      call.on('response', (response) => {
        response.resume().on('error', () => resolve(false))
        response.on('end', () => resolve(response.statusCode === 200))
      })
      call.end(body)
    })
  }

  const evaluate = (n: number): Promise<boolean> => {
    const agentId = agentIds[n % agentIds.length]
    const spend = { agentId, amount: 0.01, vendor: 'api.openai.com', category: 'llm' }
    return send('POST', '/gateway/evaluate', JSON.stringify(spend))
  }
  const get = (n: number): Promise<boolean> =>
    send('GET', `/mandates/${mandateIds[n % mandateIds.length]}`)

  return async (line: string): Promise<VictimResult> => {
    const seconds = Number(line)
    const [evaluates, gets] = await Promise.all([
      measure(evaluate, rates.evaluate, seconds),
      measure(get, rates.get, seconds),
    ])
    return { evaluate: evaluates, get: gets }
  }
}

async function measure(
  send: (n: number) => Promise<boolean>,
  perSecond: number,
  seconds: number,
): Promise<Latencies> {
  const began = performance.now()
  const answers: Promise<{ ms: number; isGood: boolean }>[] = []
  for (let n = 0; n < perSecond * seconds; n += 1) {
    const dueAt = began + (n * 1_000) / perSecond
    const early = dueAt - performance.now()
    if (early > 0) await wait(early)
    answers.push(send(n).then((isGood) => ({ ms: performance.now() - dueAt, isGood })))
  }
  const ended = await Promise.all(answers)
  const sorted = ended.map(({ ms }) => ms).sort((a, b) => a - b)
  const at = (share: number): number =>
    Math.round((sorted[Math.floor(sorted.length * share)] ?? 0) * 100) / 100
  const failed = ended.filter(({ isGood }) => !isGood).length
  return { p50: at(0.5), p99: at(0.99), requests: sorted.length, failed }
}

await answerLines(createVictim)
