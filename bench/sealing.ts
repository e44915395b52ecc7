import { setTimeout } from 'node:timers/promises'
import { toUuid } from '../packages/server/src/core/id.ts'
import { readConfig } from '../packages/server/src/process/config.ts'
import { openStorage, type Storage } from '../packages/server/src/process/open-storage.ts'
import { createOrganization } from '../packages/server/src/process/setup.ts'
import { newSalt } from '../packages/server/src/storage/audit/new-salt.ts'
import { newId } from '../packages/server/src/storage/new-id.ts'
import { storeTransactionEvents } from '../packages/server/src/storage/webhooks/events.ts'
import { silentLog } from '../packages/server/test/support/silent-log.ts'
import {
  type BenchPlace,
  type Contender,
  keep,
  load,
  onPostgres,
  quantile,
  startGateway,
} from './harness.ts'
import { seed } from './seed.ts'

/**
 * Measures the time from the commit of a decision until a signed head covers it, while one
 * organization decides as much as the machine allows and others a little each. The decisions of the
 * others are written with SQL, because only their audit logs matter.
 */
const SECONDS = Number(process.env['BENCH_SECONDS'] ?? 20)
const NEIGHBOURS = Number(process.env['BENCH_ORGANIZATIONS'] ?? 100)
const CONNECTIONS = Number(process.env['BENCH_CONNECTIONS'] ?? 64)
const AGENTS = 200
const PORT = '4109'
const SAMPLE_MS = 20
/** The benchmark stops waiting after this time: then sealing does not keep up at all. */
const CATCH_UP_MS = 60_000

async function main(place: BenchPlace): Promise<void> {
  const env = { ...place, PURSER_PORT: PORT }
  let gateway: Contender | undefined
  let storage: Storage | undefined
  try {
    const seeded = await seed(env, AGENTS)
    storage = await openStorage(readConfig(env), silentLog)
    const neighbours = await addNeighbours(storage, env)
    gateway = await startGateway('purser', env, seeded)
    const { perSecond, busy, others } = await measure(gateway, storage, neighbours)
    const lines = [
      `${perSecond} decisions a second, beside ${NEIGHBOURS} organizations with one a second each.`,
      's from commit to signed head    p50    p99   most',
      `the busy organization       ${toText(busy)}`,
      `all others                  ${toText(others)}`,
    ]
    const settings = { seconds: SECONDS, connections: CONNECTIONS, neighbours: NEIGHBOURS }
    await keep('sealing', lines, { ...settings, perSecond, busy, others })
  } finally {
    await gateway?.stop()
    await storage?.db.close()
  }
}

async function addNeighbours(storage: Storage, env: Record<string, string>): Promise<string[]> {
  const ids: string[] = []
  while (ids.length < NEIGHBOURS) {
    const { organizationId } = await createOrganization(storage, readConfig(env), 'Neighbour')
    ids.push(toUuid('org', organizationId) ?? '')
  }
  return ids
}

async function measure(gateway: Contender, { db }: Storage, neighbours: readonly string[]) {
  const watch = createWatch(new Set(neighbours))
  let isLoaded = true
  const watching = (async () => {
    const end = performance.now() + SECONDS * 1_000 + CATCH_UP_MS
    while ((isLoaded || watch.isWaiting()) && performance.now() < end) {
      watch.see(await db.query<Place>({ text: PLACES }), performance.now())
      await setTimeout(SAMPLE_MS)
    }
  })()
  const deciding = (async () => {
    for (let turn = 0; isLoaded && neighbours.length > 0; turn++) {
      const at = Date.now()
      const hash = (): string => newSalt() + newSalt()
      const committed = { salt: newSalt(), commitment: hash(), leaf: hash() }
      const event = { id: newId(at), agentId: newId(at), decision: 'approved', committed }
      const id = neighbours[turn % neighbours.length] ?? ''
      await db.query(storeTransactionEvents(id, at, [event]))
      await setTimeout(1_000 / neighbours.length)
    }
  })()
  const { perSecond } = await load(gateway, gateway.seeded.agentIds, CONNECTIONS, SECONDS)
  isLoaded = false
  await Promise.all([watching, deciding])
  if (watch.isWaiting()) throw new Error('Sealing does not keep up.')
  return { perSecond: Math.round(perSecond), ...watch.lags() }
}

interface Place {
  readonly id: string
  readonly last: bigint
  /** The last number that a signed head covers. Null while there are unsigned leaves. */
  readonly signed: bigint | null
}

const PLACES = `
  select f.organization_id as id, f.last_number as last,
         case when l.signed_size = l.size then l.last_number end as signed
  from event_feeds f join audit_logs l using (organization_id)`

interface Seen {
  readonly at: number
  readonly last: bigint
}

interface Lag {
  readonly p50: number
  readonly p99: number
  readonly most: number
}

/** Records when each number was first seen committed, and how much later a signed head covered it. */
function createWatch(neighbours: ReadonlySet<string>) {
  const waiting = new Map<string, readonly Seen[]>()
  const lags = { busy: [] as number[], others: [] as number[] }
  return {
    see(places: readonly Place[], at: number): void {
      for (const { id, last, signed } of places) {
        const before = waiting.get(id) ?? []
        const isCovered = (seen: Seen): boolean => signed !== null && seen.last <= signed
        const to = neighbours.has(id) ? lags.others : lags.busy
        to.push(...before.filter(isCovered).map((seen) => (at - seen.at) / 1_000))
        const isNews = last > (before.at(-1)?.last ?? signed ?? last)
        const still = before.filter((seen) => !isCovered(seen))
        waiting.set(id, isNews ? [...still, { at, last }] : still)
      }
    },
    isWaiting: () => [...waiting.values()].some(({ length }) => length > 0),
    lags: () => ({ busy: toLag(lags.busy), others: toLag(lags.others) }),
  }
}

function toLag(values: readonly number[]): Lag {
  return { p50: quantile(values, 0.5), p99: quantile(values, 0.99), most: quantile(values, 1) }
}

function toText({ p50, p99, most }: Lag): string {
  return [p50, p99, most].map((value) => value.toFixed(2).padStart(7)).join('')
}

await onPostgres(main)
