import { connect, type Socket } from 'node:net'

/**
 * The load: a number of keep-alive connections. Each sends a prepared request, waits for the whole
 * answer and sends the next. It uses bare sockets, because it shares two cores with what it
 * measures, and an HTTP client would cost as much as the server.
 *
 * It reads its task as JSON from its arguments, and prints its results as JSON.
 */
export interface LoadTask {
  readonly port: number
  readonly connections: number
  readonly seconds: number
  readonly path: string
  readonly apiKey: string
  readonly bodies: readonly string[]
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

const HEAD_END = Buffer.from('\r\n\r\n')

async function run(task: LoadTask): Promise<LoadResult> {
  const requests = task.bodies.map((body) =>
    Buffer.from(
      `POST ${task.path} HTTP/1.1\r\nhost: 127.0.0.1\r\nauthorization: Bearer ${task.apiKey}\r\n` +
        `content-type: application/json\r\ncontent-length: ${Buffer.byteLength(body)}\r\n\r\n${body}`,
    ),
  )
  const latencies: number[] = []
  const counts = { approved: 0, rejected: 0, failed: 0 }
  const until = performance.now() + task.seconds * 1_000
  const began = performance.now()
  let next = 0
  const take = (): Buffer => requests[next++ % requests.length] ?? Buffer.alloc(0)

  await Promise.all(
    Array.from({ length: task.connections }, () =>
      drive(task.port, take, until, latencies, counts),
    ),
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

interface Counts {
  approved: number
  rejected: number
  failed: number
}

function drive(
  port: number,
  take: () => Buffer,
  until: number,
  latencies: number[],
  counts: Counts,
): Promise<void> {
  return new Promise((resolve, reject) => {
    const socket: Socket = connect(port, '127.0.0.1')
    socket.setNoDelay(true)
    let sentAt = 0
    let received = Buffer.alloc(0)
    const send = (): void => {
      if (performance.now() < until) {
        sentAt = performance.now()
        socket.write(take())
      } else {
        socket.end()
        resolve()
      }
    }
    socket.on('connect', send)
    socket.on('error', reject)
    socket.on('data', (chunk) => {
      received = received.length === 0 ? chunk : Buffer.concat([received, chunk])
      const outcome = readAnswer(received)
      if (outcome === undefined) return
      latencies.push(performance.now() - sentAt)
      counts[outcome] += 1
      received = Buffer.alloc(0)
      send()
    })
  })
}

/** Undefined until the answer is whole. */
function readAnswer(received: Buffer): keyof Counts | undefined {
  const head = received.indexOf(HEAD_END)
  if (head < 0) return undefined
  const text = received.toString('latin1', 0, head)
  const length = Number(/content-length: (\d+)/i.exec(text)?.[1] ?? Number.NaN)
  if (received.length < head + HEAD_END.length + length) return undefined
  if (!text.startsWith('HTTP/1.1 200')) return 'failed'
  return received.includes('"decision":"approved"') ? 'approved' : 'rejected'
}

function round(ms: number): number {
  return Math.round(ms * 100) / 100
}

process.stdin.setEncoding('utf8')
let input = ''
for await (const chunk of process.stdin) input += chunk
console.log(JSON.stringify(await run(JSON.parse(input))))
