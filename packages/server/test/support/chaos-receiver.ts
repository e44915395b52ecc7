import { createServer, type IncomingMessage } from 'node:http'
import type { AddressInfo } from 'node:net'
import { type MischiefName, mischiefOf } from './mischief.ts'
import type { Random } from './random.ts'

/** The receiver's behaviour towards one event: a number of bad answers, then a good one. */
export interface Fate {
  readonly bad: MischiefName
  /** Infinity means that it is never acknowledged. */
  readonly fails: number
  readonly good: MischiefName
}

/** A request as it arrived, and whether it was answered with a 2xx. */
export interface ChaosRequest {
  readonly signature: string
  readonly serviceSignature: string
  readonly body: string
  readonly isAck: boolean
}

export interface ChaosEvent {
  readonly fate: Fate
  readonly requests: ChaosRequest[]
}

export interface ChaosReceiver {
  /** `quick` and `slow` are its two moods; the rest of the path distinguishes organizations. */
  url(mood: 'quick' | 'slow', name: string): string
  /** Keyed by webhook-id. */
  readonly events: ReadonlyMap<string, ChaosEvent>
  readonly count: number
  close(): Promise<void>
}

const QUICK_BAD = [
  'redirect',
  'bad request',
  'gone',
  'busy',
  'broken',
  'unavailable',
  'no status at all',
  'no HTTP at all',
  'a close without an answer',
  'reset',
] as const
const QUICK_GOOD = ['a body that is too short', 'a body that is too long', 'no content'] as const
const HEAVY_GOOD = ['a body of 10 MB', 'a gzip bomb'] as const
const SLOW_BAD = ['hang', 'a head drop by drop'] as const

/** A receiver on the loopback that treats every event differently, as the random numbers decide. */
export async function startChaosReceiver(random: Random): Promise<ChaosReceiver> {
  const events = new Map<string, ChaosEvent>()
  let count = 0

  function fateFor(isSlow: boolean): Fate {
    const chance = random.next()
    const hangs = isSlow && random.next() < 0.5
    const bad = hangs ? random.pick(SLOW_BAD) : random.pick(QUICK_BAD)
    // A request that hangs blocks its lane for five seconds.
    const some = random.between(1, hangs ? 2 : 4)
    const fails = chance < 0.02 ? Number.POSITIVE_INFINITY : chance < 0.15 ? some : 0
    return { bad, fails, good: goodFor(isSlow) }
  }

  function goodFor(isSlow: boolean): MischiefName {
    const chance = random.next()
    if (isSlow && chance > 0.95) return 'a body drop by drop'
    if (chance < 0.01) return random.pick(HEAVY_GOOD)
    return chance < 0.15 ? random.pick(QUICK_GOOD) : 'ok'
  }

  function receive(request: IncomingMessage, body: string): MischiefName {
    const id = textOf(request, 'webhook-id')
    const isSlow = request.url?.startsWith('/slow/') ?? false
    const event = events.get(id) ?? { fate: fateFor(isSlow), requests: [] }
    events.set(id, event)
    const { fate, requests } = event
    const mischief = requests.length < fate.fails ? fate.bad : fate.good
    requests.push({
      signature: textOf(request, 'webhook-signature'),
      serviceSignature: textOf(request, 'x-service-signature'),
      body,
      isAck: mischiefOf(mischief).isAck,
    })
    count += 1
    return mischief
  }

  const server = createServer((request, response) => {
    let body = ''
    request.setEncoding('utf8').on('data', (part: string) => {
      body += part
    })
    request.on('end', () => mischiefOf(receive(request, body)).act(response))
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const { port } = server.address() as AddressInfo
  return {
    url: (mood, name) => `http://127.0.0.1:${port}/${mood}/${name}`,
    events,
    get count() {
      return count
    },
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve())
        server.closeAllConnections()
      }),
  }
}

function textOf({ headers }: IncomingMessage, name: string): string {
  const value = headers[name]
  return typeof value === 'string' ? value : ''
}
