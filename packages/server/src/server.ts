import type { FastifyBaseLogger } from 'fastify'
import { pino } from 'pino'
import type { Config } from './config.ts'
import { createGateway } from './gateway/gateway.ts'
import { startHousekeeping } from './housekeeping.ts'
import { type App, createApp } from './http/app.ts'
import { createFeedSignal } from './http/feed-signal.ts'
import { healthRoutes } from './http/health.ts'
import { createWrite } from './http/idempotency.ts'
import { createKeyCache } from './http/key-cache.ts'
import { createRateLimit } from './http/rate-limit.ts'
import { createOutboundClient } from './outbound/outbound-client.ts'
import { PATHS } from './paths/index.ts'
import { removeOldDeliveries } from './paths/x402/storage/deliveries.ts'
import { registerApi } from './routes/index.ts'
import { createFirstOrganization, openStorage, type Storage } from './setup.ts'
import { recordAgentsSeen } from './storage/agents.ts'
import { recordKeyUses } from './storage/api-keys.ts'
import { createDecisionClock } from './storage/engine/clock.ts'
import type { Database } from './storage/engine/database.ts'
import { ensurePartitions } from './storage/engine/partitions.ts'
import { createLastUse } from './storage/last-use.ts'
import { countOrganizations } from './storage/organizations.ts'
import { type Dispatcher, startDispatcher } from './webhooks/dispatcher.ts'

/** Two batches at a time, as prototypes suggested; other numbers were not measured on this code. */
const LANES_MAX = 2

export interface RunningServer {
  /** Where it listens, such as http://127.0.0.1:3000. */
  readonly url: string
  /** The file that holds the first key, when this start has made one. */
  readonly firstKeyFile: string | undefined
  readonly hasOrganization: boolean
  readonly engine: Database['engine']
  /** Stops accepting, answers what was accepted, closes. May be called more than once. */
  stop(): Promise<void>
}

/** Builds every part, joins them, listens. */
export async function startServer(config: Config): Promise<RunningServer> {
  const log = createLogger(config)
  const storage = await openStorage(config, log)
  try {
    return await listen(config, storage, log)
  } catch (error) {
    await storage.db.close()
    throw error
  }
}

async function listen(
  config: Config,
  storage: Storage,
  log: FastifyBaseLogger,
): Promise<RunningServer> {
  const { db } = storage
  const firstKeyFile = await createFirstOrganization(storage, config)
  const built = await buildApp(storage, config, log)
  const housekeeping = startHousekeeping(db, Date.now, log, [removeOldDeliveries])

  async function close(): Promise<void> {
    await housekeeping.stop()
    await built.stop()
    await db.close()
  }
  let stopping: Promise<void> | undefined
  try {
    const url = await built.app.listen({ ...config.http })
    const hasOrganization = (await countOrganizations(db)) > 0
    return {
      url,
      firstKeyFile,
      hasOrganization,
      engine: db.engine,
      stop() {
        stopping ??= close()
        return stopping
      },
    }
  } catch (error) {
    await housekeeping.stop()
    await built.stop()
    throw error
  }
}

interface BuiltApp {
  readonly app: App
  readonly dispatcher: Dispatcher
  stop(): Promise<void>
}

/** The whole app on an open storage. A clock is given only by tests, which have to turn it. */
export async function buildApp(
  { db, sealer }: Storage,
  config: Pick<Config, 'environment' | 'outbound' | 'webhooks' | 'x402'>,
  log: FastifyBaseLogger,
  clock?: () => number,
): Promise<BuiltApp> {
  const now = clock ?? Date.now
  const app = await createApp(log)
  await ensurePartitions(db, now())
  const keys = await createKeyCache(db, now)
  const keyUse = createLastUse({ write: (uses) => recordKeyUses(db, uses), now, log })
  const agentUse = createLastUse({ write: (uses) => recordAgentsSeen(db, uses), now, log })
  const write = createWrite({ db, sealer, now })
  let isStopping = false

  healthRoutes(app, { db, isStopping: () => isStopping })
  const keyKind = config.environment === 'production' ? 'live' : 'test'
  const rateLimit = createRateLimit(now)
  const decisionClock = createDecisionClock(clock)
  const outbound = createOutboundClient(config.outbound)
  const delaysMs = config.webhooks.retryDelaysMs
  const dispatching = { db, sealer, outbound, clock: decisionClock, delaysMs, log }
  const dispatcher = startDispatcher(dispatching)
  const feed = createFeedSignal()
  const onStored = (organizationId: string, hasWebhook: boolean): void => {
    if (hasWebhook) dispatcher.wake()
    feed.announce(organizationId)
  }
  const gateway = createGateway({ db, lanesMax: LANES_MAX, agentUse, onStored, clock, log })
  const { networks } = config.x402
  const paths = PATHS.map((path) =>
    path.open({ gateway, db, write, sealer, outbound, networks, now, log }),
  )
  await registerApi(
    app,
    {
      db,
      sealer,
      gateway,
      write,
      keys,
      keyUse,
      rateLimit,
      now,
      clock: decisionClock,
      keyKind,
      outbound,
      feed,
      wakeDispatcher: dispatcher.wake,
    },
    paths.map((path) => path.routes),
  )
  const workers = paths.flatMap((path) => path.start?.() ?? [])
  return {
    app,
    dispatcher,
    async stop() {
      isStopping = true
      await app.close()
      for (const worker of workers) await worker.stop()
      await gateway.stop()
      await dispatcher.stop()
      await outbound.close()
      await keyUse.stop()
      await agentUse.stop()
      await keys.stop()
    },
  }
}

function createLogger({ log }: Config): FastifyBaseLogger {
  return pino({
    level: log.level,
    redact: ['req.headers.authorization', 'req.headers.cookie'],
  })
}
