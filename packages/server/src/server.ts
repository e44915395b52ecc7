import type { FastifyBaseLogger } from 'fastify'
import { pino } from 'pino'
import type { Config } from './config.ts'
import { startHousekeeping } from './housekeeping.ts'
import { type App, createApp } from './http/app.ts'
import { healthRoutes } from './http/health.ts'
import { createWrite } from './http/idempotency.ts'
import { createKeyCache } from './http/key-cache.ts'
import { createKeyUse } from './http/key-use.ts'
import { registerApi } from './routes/index.ts'
import { createFirstOrganization, openStorage, type Storage } from './setup.ts'
import { countOrganizations } from './storage/organizations.ts'

export interface Gateway {
  /** Where it listens, such as http://127.0.0.1:3000. */
  readonly url: string
  /** The file that holds the first key, when this start has made one. */
  readonly firstKeyFile: string | undefined
  readonly hasOrganization: boolean
  /** Stops accepting, answers what was accepted, closes. May be called more than once. */
  stop(): Promise<void>
}

/** Builds every part, joins them, listens. */
export async function startServer(config: Config): Promise<Gateway> {
  const log = createLogger(config)
  const storage = await openStorage(config, log)
  try {
    return await listen(config, storage, log)
  } catch (error) {
    await storage.db.close()
    throw error
  }
}

async function listen(config: Config, storage: Storage, log: FastifyBaseLogger): Promise<Gateway> {
  const { db } = storage
  const firstKeyFile = await createFirstOrganization(storage, config)
  const gateway = await buildApp(storage, config, log)
  const housekeeping = startHousekeeping(db, Date.now, log)

  async function close(): Promise<void> {
    await housekeeping.stop()
    await gateway.stop()
    await db.close()
  }
  let stopping: Promise<void> | undefined
  try {
    const url = await gateway.app.listen({ ...config.http })
    const hasOrganization = (await countOrganizations(db)) > 0
    return {
      url,
      firstKeyFile,
      hasOrganization,
      stop() {
        stopping ??= close()
        return stopping
      },
    }
  } catch (error) {
    await housekeeping.stop()
    await gateway.stop()
    throw error
  }
}

/** The whole app on an open storage; `now` is a parameter so that tests can turn the clock. */
export async function buildApp(
  { db, sealer }: Storage,
  config: Pick<Config, 'environment'>,
  log: FastifyBaseLogger,
  now: () => number = Date.now,
): Promise<{ readonly app: App; stop(): Promise<void> }> {
  const app = await createApp(log)
  const keys = await createKeyCache(db, now)
  const use = createKeyUse(db, now, log)
  const write = createWrite({ db, sealer, now })
  let isStopping = false

  healthRoutes(app, { db, isStopping: () => isStopping })
  const keyKind = config.environment === 'production' ? 'live' : 'test'
  await registerApi(app, { db, write, keys, use, now, keyKind })
  return {
    app,
    async stop() {
      isStopping = true
      await app.close()
      await use.drain()
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
