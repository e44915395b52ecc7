import { pino } from 'pino'
import { createApp } from '../packages/server/src/http/app.ts'
import { registerDoors } from '../packages/server/src/http/door.ts'
import { readConfig } from '../packages/server/src/process/config.ts'
import { registerApi } from '../packages/server/src/routes/index.ts'

/** The document of the whole API. Endpoints are only registered, so no database is needed. */
export async function createOpenApi(): Promise<string> {
  const app = createApp(pino({ level: 'silent' }))
  const unused = (): never => {
    throw new Error('No request is served while the document is written.')
  }
  const db = {
    engine: 'embedded' as const,
    query: unused,
    transaction: unused,
    listen: unused,
    isReady: unused,
    close: unused,
  }
  const gateway = {
    decide: unused,
    record: unused,
    endAll: unused,
    adjust: unused,
    raise: unused,
    capture: unused,
    recall: unused,
    preview: unused,
    reevaluate: unused,
    beginBacktest: unused,
    endBacktests: async () => {},
    settle: unused,
    void: unused,
    refund: unused,
    releaseOverdue: unused,
    queued: unused,
    countPast: unused,
    stop: unused,
  }
  const parts = {
    db,
    gateway,
    write: unused,
    byHand: new Map(),
    keys: { find: unused, watch: unused, stop: unused },
    keyUse: { note: unused, stop: unused },
    watch: unused,
    sessions: { find: unused, watch: unused, stop: unused },
    sessionUse: { note: unused, stop: unused },
    cookies: { isDevelopment: true, publicUrl: undefined },
    rateLimit: unused,
    inFlight: unused,
    requestsPerMinute: null,
    now: unused,
    clock: unused,
    keyKind: 'test' as const,
    sealer: { seal: unused, open: unused },
    outbound: { refusalOf: unused, call: unused, close: unused },
    feed: { announce: unused, follow: unused, count: unused },
    answerWatch: { wait: unused, look: unused, stop: () => {} },
    logKeys: { signers: unused, complete: unused, published: unused },
    wakeDispatcher: unused,
    wakeRedeliveries: unused,
    maxAttempts: 5,
    tokens: { issue: unused, verify: unused, hashOf: unused },
    publicUrl: unused,
    allowsLoopback: false,
    environment: 'production' as const,
    retryDelaysMs: [],
  }
  const log = { debug: unused, info: unused, warn: unused, error: unused }
  const pathParts = { ...parts, log, authenticate: unused }
  const paths = await Promise.all(readConfig({}).paths.map((path) => path.open(pathParts)))
  await registerApi(app, parts, paths)
  await registerDoors(app, paths)
  await app.ready()
  return `${JSON.stringify(await app.readDocument(), undefined, 2)}\n`
}
