import { Problem } from '../../src/base/errors.ts'
import type { Call, CallAnswer } from '../support/caller.ts'
import type { Random } from '../support/random.ts'
import { aSpend } from '../support/spends.ts'
import type { Entry, Ledger } from './clock-ledger.ts'
import { type Body, PROCESSES, type ProcessName, type TurnedSite } from './turned-site.ts'

/** More would only repeat what the first ones say. */
const FAULTS_MAX = 20
const SHORT_HOLD_MS = 10_000
/** The process that is ahead sees its end as passed. */
const LONG_HOLD_MS = 30 * 60_000

export interface Load {
  readonly site: TurnedSite
  readonly random: Random
  readonly ledger: Ledger
  /** Those whose spends are judged; people add to them and take them away. */
  readonly agents: string[]
  readonly faults: string[]
  /** How often each kind of answer came: a load that met none of a kind proves nothing about it. */
  readonly seen: Map<string, number>
  left: number
}

/** Sends a call to a process at random, and reports what nobody may be answered. */
export async function send(load: Load, call: Call): Promise<Timed> {
  const on = load.random.pick(PROCESSES)
  const sentAt = Date.now()
  const answer = await load.site.call(on, call)
  const timed = { ...answer, on, sentAt, receivedAt: Date.now() }
  if (answer.status >= 500 || answer.status === 429) {
    addFault(load, `${describe(call, timed)}: ${answer.text.slice(0, 200)}`)
  }
  return timed
}

interface Timed extends CallAnswer {
  readonly on: ProcessName
  readonly sentAt: number
  readonly receivedAt: number
}

/** The body of an answer that has to be 200; undefined is a fault. */
export async function expectDone(load: Load, call: Call): Promise<Body | undefined> {
  const answer = await send(load, call)
  if (answer.status === 200) return JSON.parse(answer.text)
  if (answer.status < 500) addFault(load, `${describe(call, answer)}: ${answer.text.slice(0, 300)}`)
  return undefined
}

export function addFault({ faults }: Load, fault: string): void {
  if (faults.length < FAULTS_MAX) faults.push(fault)
}

export function count({ seen }: Load, what: string): void {
  seen.set(what, (seen.get(what) ?? 0) + 1)
}

export const isOver = ({ left, faults }: Load): boolean => left <= 0 || faults.length >= FAULTS_MAX

function describe({ method = 'POST', path }: Call, { status, on }: Timed): string {
  return `${status} for ${method} ${path} from the process ${on}`
}

/** One client: it spends, and ends, matures, refunds and repeats what it has spent. */
export async function runSpender(load: Load, client: number): Promise<void> {
  const open: Entry[] = []
  const paid: Entry[] = []
  for (let n = 0; !isOver(load); n += 1) {
    load.left -= 1
    const dice = load.random.next()
    if (dice < 0.55 || open.length === 0) await spend(load, `${client} ${n}`, open, paid)
    else if (dice < 0.65) await mature(load, load.random.pick(open))
    else if (dice < 0.9) await end(load, `${client} ${n}`, open, paid)
    else await refund(load, paid)
  }
  // Some that are over are left to the sweepers. What is not over yet must not end by itself meanwhile.
  while (open.some(isRunning)) await end(load, `${client} end`, open, paid)
}

const isRunning = ({ expiresAt = 0 }: Entry): boolean => expiresAt > Date.now()

async function spend(load: Load, name: string, open: Entry[], paid: Entry[]): Promise<void> {
  const { random, ledger } = load
  const holdMs = random.next() < 0.6 ? random.pick([SHORT_HOLD_MS, LONG_HOLD_MS]) : undefined
  const fields = {
    amount: random.between(1, random.pick([1_000, 9_000_000])) / 1e6,
    vendor: random.pick(['a.example.com', 'b.example.com']),
    ...(holdMs !== undefined && { hold: { expiresIn: `${holdMs / 1_000}s` } }),
  }
  const call = {
    path: '/gateway/evaluate',
    body: aSpend(random.pick(load.agents), fields),
    ...(random.next() < 0.3 && { key: `spend ${name}` }),
  }
  const sentAt = Date.now()
  const answer = await expectDone(load, call)
  if (!answer) return
  const entry = ledger.decide(answer, holdMs)
  count(load, answer.evaluationDetails.code)
  const at = Date.parse(answer.evaluationDetails.evaluatedAt)
  if (at < sentAt - 1 || at > Date.now() + 1) {
    addFault(load, `judged at ${answer.evaluationDetails.evaluatedAt}, which is not the time`)
  }
  if (/^mandate_(expired|not_started)$/.test(answer.evaluationDetails.code)) {
    addFault(load, `a living mandate was judged as ${answer.evaluationDetails.code}`)
  }
  if (entry) (holdMs === undefined ? paid : open).push(entry)
  if (call.key !== undefined) await repeat(load, call, answer)
}

/** The same Idempotency-Key, mostly on another process. */
async function repeat(load: Load, call: Call, first: Body): Promise<void> {
  const again = await send(load, call)
  count(load, 'repeat')
  if (again.status !== 200 || !again.isReplay || again.text !== JSON.stringify(first)) {
    addFault(load, `${describe(call, again)}: a repeat was answered ${again.text.slice(0, 200)}`)
  }
}

/** Ends the time of a hold now, instead of waiting for it. */
async function mature({ site }: Load, entry: Entry): Promise<void> {
  if (!isRunning(entry)) return
  const [row] = await site.db
    .query<{ expiresAt: number }>({
      text: `update transactions set expires_at = date_trunc('milliseconds', clock_timestamp())
             where id = $1 and status = 'held' returning expires_at as "expiresAt"`,
      values: [entry.id.slice(4)],
    })
    .catch(unlessTooBusy)
  if (row) entry.expiresAt = row.expiresAt
}

/** Nothing was changed then, and the hold goes on. */
function unlessTooBusy(error: unknown): never[] {
  if (error instanceof Problem && error.message.includes('Nothing was changed')) return []
  throw error
}

async function end(load: Load, name: string, open: Entry[], paid: Entry[]): Promise<void> {
  const entry = open.splice(load.random.between(0, open.length - 1), 1)[0]
  if (!entry) return
  const action = load.random.pick(['settle', 'void'] as const)
  if (action === 'settle') await settle(load, name, entry, paid)
  else if (await voidHold(load, entry)) return
  else if (load.random.next() < 0.5) await settle(load, name, entry, paid)
}

async function settle(load: Load, name: string, entry: Entry, paid: Entry[]): Promise<void> {
  const { random, ledger } = load
  const amount = random.between(1, entry.held) / 1e6
  const call = {
    path: `/transactions/${entry.id}/settle`,
    ...(random.next() < 0.5 && { body: { amount } }),
    ...(random.next() < 0.3 && { key: `settle ${name} ${entry.id}` }),
  }
  const answer = await expectDone(load, call)
  if (!answer) return
  const isLate = Date.now() >= (entry.expiresAt ?? Number.POSITIVE_INFINITY)
  count(load, isLate ? 'settled late' : 'settled')
  ledger.change(entry, answer)
  entry.isLate = isLate
  entry.expiresAt = undefined
  paid.push(entry)
  if (call.key !== undefined) await repeat(load, call, answer)
}

/** False if its time was over. */
async function voidHold(load: Load, entry: Entry): Promise<boolean> {
  const call = { path: `/transactions/${entry.id}/void` }
  const answer = await send(load, call)
  const { expiresAt = 0 } = entry
  if (answer.status === 200) {
    count(load, 'voided')
    if (answer.sentAt > expiresAt) addFault(load, `${describe(call, answer)}: its time was over`)
    load.ledger.change(entry, JSON.parse(answer.text))
    return true
  }
  count(load, 'void refused')
  if (answer.status !== 409 || answer.receivedAt < expiresAt) {
    addFault(load, `${describe(call, answer)}: ${answer.text.slice(0, 300)}`)
  }
  return false
}

async function refund(load: Load, paid: Entry[]): Promise<void> {
  if (paid.length === 0) return
  const entry = load.random.pick(paid)
  const left = entry.settled - entry.refunded
  if (left === 0) return
  const amount = load.random.between(1, left) / 1e6
  const call = { path: `/transactions/${entry.id}/refund`, body: { amount } }
  const answer = await expectDone(load, call)
  if (answer) load.ledger.change(entry, answer)
  count(load, 'refunded')
}
