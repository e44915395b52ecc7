import { mkdtemp, readFile, rm } from 'node:fs/promises'
import { request } from 'node:http'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { type Contender, keep, startGateway, toHundredths } from './harness.ts'

/**
 * Measures how long a sign-in takes for an unknown address, a wrong password, a locked account and
 * the right password. The time must not reveal who is a member, so the distributions should
 * overlap. The output is for people to look at, and fails nothing. Attempts take turns, so that a
 * noisy neighbour affects all equally.
 */
const ROUNDS = Number(process.env['BENCH_ROUNDS'] ?? 100)
/** The gateway limits the attempts per address, so the address changes every few rounds. */
const ROUNDS_PER_ADDRESS = 20
const PORT = '4107'
const PASSWORD = 'a long enough password'
const KINDS = ['unknown', 'wrong', 'locked', 'right'] as const
type Kind = (typeof KINDS)[number]

const OWNER = 'owner@bench.example'
const LOCKED = 'locked@bench.example'

async function main(): Promise<void> {
  const folder = await mkdtemp(join(tmpdir(), 'purser-bench-sign-in-'))
  const env = { PURSER_DATA_DIR: folder, PURSER_PORT: PORT }
  let gateway: Contender | undefined
  try {
    gateway = await startGateway('purser', env, { apiKey: '', agentIds: [] })
    await invitePeople((await readFile(join(folder, 'setup-token'), 'utf8')).trim())
    const times = await measure()
    const lines = KINDS.map((kind) => `${kind.padEnd(8)} ${toText(times[kind])}`)
    await keep('sign-in', ['ms         p10     p50     p90     p99', ...lines], {
      rounds: ROUNDS,
      times: Object.fromEntries(KINDS.map((kind) => [kind, quantilesOf(times[kind])])),
    })
  } finally {
    await gateway?.stop()
    await rm(folder, { recursive: true, force: true })
  }
}

async function invitePeople(token: string): Promise<void> {
  const owner = await post('setup', { token, email: OWNER, password: PASSWORD })
  const cookie = owner.cookie.split(';', 1)[0] ?? ''
  const invited = await post('invitations', { email: LOCKED, role: 'viewer' }, { cookie })
  const { token: invitation } = JSON.parse(invited.text)
  await post('accept', { token: invitation, password: PASSWORD })
}

/** An account is locked separately for each address. */
async function lockFor(address: string): Promise<void> {
  const wrong = { email: LOCKED, password: 'not the password' }
  for (let at = 0; at < 10; at++) await post('sign-in', wrong, {}, address)
}

async function measure(): Promise<Record<Kind, number[]>> {
  const times: Record<Kind, number[]> = { unknown: [], wrong: [], locked: [], right: [] }
  for (let round = 0; round < ROUNDS; round++) {
    const address = `127.1.${Math.floor(round / ROUNDS_PER_ADDRESS)}.1`
    if (round % ROUNDS_PER_ADDRESS === 0) await lockFor(address)
    for (const kind of orderOf(round)) {
      const began = performance.now()
      const status = await signIn(kind, address, round)
      times[kind].push(performance.now() - began)
      if (status !== (kind === 'right' ? 200 : 401)) throw new Error(`${kind}: ${status}`)
    }
  }
  return times
}

/** The right password comes last: it resets the count of wrong attempts. */
function orderOf(round: number): readonly Kind[] {
  const [first = 'unknown', ...others] = KINDS.slice(0, 3)
  return round % 2 === 0 ? [first, ...others, 'right'] : [...others, first, 'right']
}

async function signIn(kind: Kind, localAddress: string, round: number): Promise<number> {
  const attempts = {
    unknown: { email: `nobody-${round}@bench.example`, password: PASSWORD },
    wrong: { email: OWNER, password: 'not the password' },
    locked: { email: LOCKED, password: PASSWORD },
    right: { email: OWNER, password: PASSWORD },
  }
  return (await post('sign-in', attempts[kind], {}, localAddress)).status
}

interface Posted {
  readonly status: number
  readonly text: string
  readonly cookie: string
}

function post(
  path: string,
  body: object,
  headers: Readonly<Record<string, string>> = {},
  localAddress = '127.0.0.1',
): Promise<Posted> {
  return new Promise((resolve, reject) => {
    const url = `http://127.0.0.1:${PORT}/console/api/${path}`
    const own = { 'content-type': 'application/json', 'sec-fetch-site': 'same-origin' }
    const call = request(url, { method: 'POST', localAddress, headers: { ...own, ...headers } })
    call.once('error', reject)
    call.once('response', (response) => {
      let text = ''
      response.setEncoding('utf8').on('data', (part: string) => {
        text += part
      })
      const { statusCode: status = 0, headers: given } = response
      response.once('end', () => resolve({ status, text, cookie: given['set-cookie']?.[0] ?? '' }))
    })
    call.end(JSON.stringify(body))
  })
}

function quantilesOf(times: readonly number[]): number[] {
  const sorted = times.toSorted((a, b) => a - b)
  return [0.1, 0.5, 0.9, 0.99].map((part) =>
    toHundredths(sorted[Math.floor(part * (sorted.length - 1))] ?? Number.NaN),
  )
}

function toText(times: readonly number[]): string {
  return quantilesOf(times)
    .map((value) => value.toFixed(1).padStart(7))
    .join(' ')
}

await main()
