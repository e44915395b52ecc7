import assert from 'node:assert/strict'
import type { Database } from '../../src/storage/engine/database.ts'
import { openPostgres } from '../../src/storage/engine/postgres.ts'
import { startUntrustedReceiver } from './bad-tls.ts'
import { storeRejections } from './bulk-decisions.ts'
import { type Caller, createCaller } from './caller.ts'
import { type ChaosReceiver, startChaosReceiver } from './chaos-receiver.ts'
import { openSite, type Site } from './gateway-cluster.ts'
import type { GatewayProcess } from './gateway-process.ts'
import { createRandom, type Random } from './random.ts'
import { silentLog } from './silent-log.ts'
import { addTenant, sealer, type Tenant } from './tenant.ts'
import { waitUntil } from './wait-until.ts'
import { auditDeliveries, type DeliveryAudit } from './webhook-audit.ts'

interface WebhookDrillSettings {
  readonly databaseUrl: string
  readonly gateways: number
  readonly kills: number
  /**
   * Decisions that clients request from gateways. Each has one event, and some bring a budget to a
   * threshold.
   */
  readonly decisions: number
  /** Further rejections that are stored directly, because requesting them takes longer. */
  readonly rejections: number
  readonly clients: number
  readonly seed: number
  readonly onProgress?: (line: string) => void
}

export interface WebhookDrillResult extends DeliveryAudit {
  readonly kills: number
  readonly requests: number
}

/** The number of organizations of each temper, and their share of 1,000 decisions. */
const TEMPERS = {
  quick: { organizations: 24, share: 700 },
  slow: { organizations: 16, share: 200 },
  untrusted: { organizations: 2, share: 50 },
  closed: { organizations: 2, share: 50 },
} as const

const SETTLED_WITHIN_MS = 900_000
const BATCH = 20
const WAITING_MAX = 600

/**
 * Gateways that decide and deliver are killed and restarted, while receivers misbehave in every
 * possible way. In the end, the delivery log is compared with the requests that the receivers have
 * seen.
 */
export async function runWebhookDrill(settings: WebhookDrillSettings): Promise<WebhookDrillResult> {
  const { databaseUrl, onProgress = () => {} } = settings
  const random = createRandom(settings.seed)
  const receiver = await startChaosReceiver(createRandom(settings.seed + 1))
  const untrusted = await startUntrustedReceiver()
  const place = { databaseUrl }
  const { site, first } = await openSite(place, {
    PURSER_WEBHOOK_RETRY_DELAYS: '100ms 300ms 600ms 1s',
  })
  const db = await openPostgres({ url: databaseUrl, connectionsMax: 4 }, silentLog)
  const cluster = createCluster(site, random)
  try {
    cluster.add(first)
    const urls = { receiver, untrustedUrl: untrusted.url }
    const tenants = await addTenants(db, urls, first)
    await Promise.all(Array.from({ length: settings.gateways - 1 }, cluster.start))
    const deciding = Promise.all([
      decide(settings, tenants, cluster, random),
      reject(db, settings.rejections, tenants, random),
    ])
    await Promise.all([deciding, killAgainAndAgain(settings, receiver, cluster, random)])
    onProgress(`all decided, ${receiver.count} requests`)
    await waitUntil(async () => (await countQueued(db)) === 0, SETTLED_WITHIN_MS)
    await cluster.stop()
    const audit = await auditDeliveries(db, sealer, tenants, receiver.events, settings.kills)
    if (untrusted.requests > 0) audit.faults.push('a request went to a receiver without trust')
    return { ...audit, kills: settings.kills, requests: receiver.count }
  } catch (error) {
    // This is reported at once: cleaning up after a failure may fail as well, and would hide it.
    onProgress(`failed: ${error}`)
    throw error
  } finally {
    await cluster.stop()
    await site.close()
    await db.close()
    await receiver.close()
    await untrusted.close()
  }
}

/** Stores them in batches, not faster than they are delivered, so that the kills come in between. */
async function reject(
  db: Database,
  rejections: number,
  tenants: readonly Tenant[],
  random: Random,
): Promise<void> {
  const quick = tenants.filter(({ temper }) => temper === 'quick')
  for (let stored = 0; stored < rejections; stored += BATCH) {
    const { organizationId, agentIds } = random.pick(quick)
    const count = Math.min(BATCH, rejections - stored)
    await storeRejections(db, organizationId, agentIds.at(-1) ?? '', count)
    await waitUntil(async () => (await countQueued(db)) < WAITING_MAX, SETTLED_WITHIN_MS)
  }
}

async function countQueued(db: Database): Promise<number> {
  const [row] = await db.query<{ count: bigint }>({
    text: 'select count(*) as count from webhook_queue',
  })
  return Number(row?.count ?? 0n)
}

async function killAgainAndAgain(
  { kills, onProgress }: WebhookDrillSettings,
  receiver: ChaosReceiver,
  cluster: Cluster,
  random: Random,
): Promise<void> {
  for (let kill = 1; kill <= kills; kill += 1) {
    await untilMore(receiver, random.between(200, 2_000))
    await cluster.killOne()
    onProgress?.(`kill ${kill}, ${receiver.count} requests`)
  }
}

/** Makes kills come in the middle of the work, or after a timeout if there is no work left. */
async function untilMore(receiver: ChaosReceiver, requests: number): Promise<void> {
  const enough = receiver.count + requests
  const deadline = Date.now() + 4_000
  await waitUntil(() => receiver.count >= enough || Date.now() > deadline)
}

interface Urls {
  readonly receiver: ChaosReceiver
  readonly untrustedUrl: string
}

async function addTenants(
  db: Database,
  { receiver, untrustedUrl }: Urls,
  gateway: GatewayProcess,
): Promise<Tenant[]> {
  const urlOf = (temper: Tenant['temper'], name: string): string => {
    switch (temper) {
      case 'quick':
      case 'slow':
        return receiver.url(temper, name)
      case 'untrusted':
        return untrustedUrl
      case 'closed':
        // No process listens on the port for `discard`.
        return 'http://127.0.0.1:9/hook'
    }
  }
  const kinds = Object.keys(TEMPERS) as Tenant['temper'][]
  return Promise.all(
    kinds.flatMap((temper) =>
      Array.from({ length: TEMPERS[temper].organizations }, (_, n) =>
        addTenant(db, gateway, temper, urlOf(temper, String(n))),
      ),
    ),
  )
}

/** Requests each decision until it is answered, with its own key. */
async function decide(
  { decisions, clients }: WebhookDrillSettings,
  tenants: readonly Tenant[],
  cluster: Cluster,
  random: Random,
): Promise<void> {
  const callers = new Map(tenants.map((tenant) => [tenant, createCaller(tenant.apiKey)]))
  const ofTemper = (temper: string) => tenants.filter((tenant) => tenant.temper === temper)
  const lots = Object.entries(TEMPERS).flatMap(([temper, { share }]) =>
    Array<readonly Tenant[]>(share).fill(ofTemper(temper)),
  )
  let next = 0
  const ask = async (): Promise<void> => {
    while (next < decisions) {
      const key = `decision ${next++}`
      const tenant = random.pick(random.pick(lots))
      const body = {
        agentId: random.pick(tenant.agentIds),
        amount: 0.01,
        vendor: 'api.example.com',
        category: 'llm',
      }
      const caller = callers.get(tenant)
      assert(caller)
      await untilAnswered(caller, cluster, { path: '/gateway/evaluate', body, key })
    }
  }
  await Promise.all(Array.from({ length: clients }, ask))
  for (const caller of callers.values()) caller.close()
}

async function untilAnswered(
  caller: Caller,
  cluster: Cluster,
  call: { readonly path: string; readonly body: unknown; readonly key: string },
): Promise<void> {
  for (;;) {
    const gateway = await cluster.any()
    const answer = await caller.post(gateway.url, call).catch(() => undefined)
    if (answer?.status === 200) return
    assert(!answer || [409, 503].includes(answer.status), answer?.text)
    await new Promise((resolve) => setTimeout(resolve, 10))
  }
}

interface Cluster {
  add(gateway: GatewayProcess): void
  /** Starts one more gateway. */
  start(): Promise<void>
  any(): Promise<GatewayProcess>
  /** Kills one in the middle of its work and starts a new one; at least one keeps running. */
  killOne(): Promise<void>
  stop(): Promise<void>
}

function createCluster(site: Site, random: Random): Cluster {
  const live = new Set<GatewayProcess>()
  const starting = new Set<Promise<void>>()

  async function start(): Promise<void> {
    const started = site.start().then((gateway) => void live.add(gateway))
    starting.add(started)
    try {
      await started
    } finally {
      starting.delete(started)
    }
  }

  return {
    add: (gateway) => void live.add(gateway),
    start,
    async any() {
      await waitUntil(() => live.size > 0)
      return random.pick([...live])
    },
    async killOne() {
      await waitUntil(() => live.size > 1)
      const gateway = random.pick([...live])
      live.delete(gateway)
      await gateway.kill()
      // If it does not start, the others do its work, or the drill does not end.
      start().catch((error: unknown) => console.error(error))
    },
    async stop() {
      await Promise.allSettled(starting)
      const all = [...live]
      live.clear()
      await Promise.all(all.map((gateway) => gateway.stop()))
    },
  }
}
