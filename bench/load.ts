import { sendInTurn, toRequest, type WholeAnswer } from './connection.ts'

/**
 * Generates load on a number of keep-alive connections. Each sends a prepared request, waits for
 * the whole answer and sends the next.
 *
 * It reads its task as JSON from standard input, and prints its results as JSON.
 */
export interface LoadTask {
  readonly port: number
  readonly connections: number
  readonly seconds: number
  readonly path: string
  /** With several keys, each body has the next one. */
  readonly apiKey: string | readonly string[]
  readonly bodies: readonly string[]
  readonly idempotencyKey?: string
  /**
   * A placeholder of digits in the bodies and the key, which is replaced by the number of each
   * request.
   */
  readonly numbered?: string
}

export interface LoadResult {
  readonly requests: number
  readonly perSecond: number
  readonly p50: number
  readonly p99: number
  readonly approved: number
  readonly rejected: number
  readonly failed: number
}

async function run(task: LoadTask): Promise<LoadResult> {
  const { port, path, idempotencyKey } = task
  const keys = [task.apiKey].flat()
  const requests = task.bodies.map((body, at) =>
    toRequest('POST', path, keys[at % keys.length] ?? '', body, idempotencyKey),
  )
  const latencies: number[] = []
  const counts = { approved: 0, rejected: 0, failed: 0 }
  const until = performance.now() + task.seconds * 1_000
  const began = performance.now()
  let next = 0
  const number = createNumbering(task.numbered)
  const take = (): Buffer | undefined => {
    const request = requests[next % requests.length]
    if (request === undefined || performance.now() >= until) return undefined
    next += 1
    return number(request)
  }
  const onAnswer = (answer: WholeAnswer): void => {
    latencies.push(answer.latencyMs)
    counts[outcomeOf(answer)] += 1
  }

  await Promise.all(
    Array.from({ length: task.connections }, () => sendInTurn({ port, take, onAnswer })),
  )
  const elapsed = (performance.now() - began) / 1_000
  latencies.sort((a, b) => a - b)
  const at = (share: number): number => latencies[Math.floor(latencies.length * share)] ?? 0
  return {
    requests: latencies.length,
    perSecond: Math.round(latencies.length / elapsed),
    p50: round(at(0.5)),
    p99: round(at(0.99)),
    ...counts,
  }
}

/** Writes the next number over the placeholder. The length stays the same, so the head stays valid. */
function createNumbering(digits: string | undefined): (request: Buffer) => Buffer {
  if (digits === undefined) return (request) => request
  const began = Date.now() % 1e9
  let count = 0
  return (request) => {
    count += 1
    const text = `${began}${String(count).padStart(9, '0')}`.padStart(digits.length, '0')
    const numbered = Buffer.from(request)
    for (let at = numbered.indexOf(digits); at !== -1; at = numbered.indexOf(digits, at)) {
      numbered.write(text, at, 'latin1')
    }
    return numbered
  }
}

function outcomeOf({ status, bytes }: WholeAnswer): 'approved' | 'rejected' | 'failed' {
  if (status !== 200) return 'failed'
  return bytes.includes('"decision":"approved"') ? 'approved' : 'rejected'
}

function round(ms: number): number {
  return Math.round(ms * 100) / 100
}

process.stdin.setEncoding('utf8')
let input = ''
for await (const chunk of process.stdin) input += chunk
console.log(JSON.stringify(await run(JSON.parse(input))))
