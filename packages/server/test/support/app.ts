import assert from 'node:assert/strict'
import { type Logger, pino } from 'pino'
import { toUuid } from '../../src/core/id.ts'
import type { App } from '../../src/http/app.ts'
import { listRefusals } from '../../src/paths/path.ts'
import type { Metering } from '../../src/process/observation/metering.ts'
import { buildApp } from '../../src/process/server.ts'
import { createOrganization } from '../../src/process/setup.ts'
import type { Clock } from '../../src/storage/engine/clock.ts'
import type { Database } from '../../src/storage/engine/database.ts'
import { openPostgres } from '../../src/storage/engine/postgres.ts'
import { createSealer } from '../../src/storage/secrets/sealed.ts'
import type { AnswerBody } from './answer-body.ts'
import { answerCheck } from './answer-check.ts'
import { createTestDatabase, type Engine, type TestDatabase, usualEngine } from './database.ts'
import type { Method } from './operations.ts'
import { pathsOn } from './paths.ts'
import { silentLog } from './silent-log.ts'

type Headers = Readonly<Record<string, string>>

export interface Answer {
  readonly status: number
  readonly body: AnswerBody
  readonly text: string
  readonly headers: Readonly<Record<string, string | string[] | number | undefined>>
}

/** A request that is sent unchanged; `payload` is not turned into JSON. */
export interface RawRequest {
  readonly payload?: string | Buffer
  readonly headers?: Headers
}

export interface Client {
  readonly apiKey: string
  get(url: string, headers?: Headers): Promise<Answer>
  post(url: string, body?: unknown, headers?: Headers): Promise<Answer>
  patch(url: string, body?: unknown, headers?: Headers): Promise<Answer>
  delete(url: string, headers?: Headers): Promise<Answer>
  send(method: Method, url: string, request?: RawRequest): Promise<Answer>
}

/** A client with the first key of an organization, which has every scope. */
export interface Owner extends Client {
  /** The id in the form of the database. */
  readonly organizationId: string
}

export interface TestApp {
  readonly app: App
  readonly database: TestDatabase
  /** Settable, so that tests can move the clock. Undefined uses the database's time. */
  clock: { now: number | undefined }
  /** The clock that the app uses. */
  readonly time: Clock
  /** A client of a fresh organization. */
  organization(name?: string): Promise<Owner>
  /** A client with this key; any text is sent unchanged. */
  client(apiKey: string): Client
  /** Acts as if an event had just been queued, for tests that have moved the clock. */
  wakeDispatcher(): void
  rows<Row = Record<string, unknown>>(text: string, values?: readonly unknown[]): Promise<Row[]>
  stop(): Promise<void>
}

const silent = pino({ level: 'silent' })
const sealer = createSealer(Buffer.alloc(32, 7))
/** The least that argon2 accepts. A hash with the usual cost takes tens of milliseconds. */
const CHEAP_PASSWORDS = { memoryCost: 8, timeCost: 1, parallelism: 1 }
/** The configuration of a test's app. */
export const TEST_CONFIG = {
  environment: 'development',
  outbound: { allowLoopback: true, allowedNetworks: [] },
  webhooks: { retryDelaysMs: [5_000, 30_000, 180_000, 1_080_000] },
  limits: { inFlight: { perOrganization: 1_024, perKey: 512 }, requestsPerMinute: null },
  paths: pathsOn([]),
  log: { tellsDecisions: false },
  publicUrl: undefined,
  trustedProxies: [],
} as const

type TestConfig = Parameters<typeof buildApp>[1]

/** Creates the whole app on its own database. Every answer is checked against its declared schema. */
export async function createTestApp(
  engine: Engine = usualEngine(),
  change: Partial<TestConfig> = {},
  log: Logger = silent,
  metering?: Metering,
): Promise<TestApp> {
  const config = { ...TEST_CONFIG, ...change }
  const database = await createTestDatabase(engine, listRefusals(config.paths))
  return createOn(database, database.db, () => database.drop(), config, log, metering)
}

/**
 * Creates an app that sends its statements to `db`, which reaches the database in a way that the
 * test chooses.
 */
export async function createTestAppOn(
  database: TestDatabase,
  db: Database,
  change: Partial<TestConfig> = {},
): Promise<TestApp> {
  const config = { ...TEST_CONFIG, ...change }
  const app = await createOn(database, db, () => database.drop(), config)
  return { ...app, rows: (text, values = []) => database.db.query({ text, values }) }
}

/** Simulates a second process: an app with its own pool on the same PostgreSQL database. */
export async function joinTestApp(
  first: TestApp,
  change: Partial<TestConfig> = {},
): Promise<TestApp> {
  const config = { ...TEST_CONFIG, ...change }
  const refusals = listRefusals(config.paths)
  const db = await openPostgres({ url: first.database.url, refusals }, silentLog)
  return createOn(first.database, db, () => db.close(), config)
}

/** Creates an app whose connection to the database can be cut. It is the only app on the database. */
export async function createTestAppThrough(url: string, database: TestDatabase): Promise<TestApp> {
  const db = await openPostgres({ url }, silentLog)
  return createOn(database, db, async () => {
    await db.close()
    await database.drop()
  })
}

async function createOn(
  database: TestDatabase,
  db: Database,
  end: () => Promise<void>,
  config: TestConfig = TEST_CONFIG,
  log: Logger = silent,
  metering?: Metering,
): Promise<TestApp> {
  const clock: TestApp['clock'] = { now: undefined }
  const storage = { db, sealer }
  const seams = { turned: () => clock.now, passwordCost: CHEAP_PASSWORDS }
  const built = await buildApp(storage, config, log, seams, metering)
  await built.app.ready()
  const client = createClients(built.app)

  return {
    app: built.app,
    database,
    clock,
    time: built.clock,
    client,
    wakeDispatcher: built.dispatcher.wake,
    rows: (text, values = []) => db.query({ text, values }),
    async organization(name = 'Acme') {
      const { organizationId, apiKey } = await createOrganization(storage, TEST_CONFIG, name)
      const uuid = toUuid('org', organizationId)
      assert(uuid)
      return { ...client(apiKey), organizationId: uuid }
    },
    async stop() {
      await built.stop()
      await end()
    },
  }
}

function createClients(app: App): (apiKey: string) => Client {
  return (apiKey) => {
    async function send(
      method: Method,
      url: string,
      { payload, headers = {} }: RawRequest = {},
    ): Promise<Answer> {
      const response = await app.inject({
        method,
        url: `/api/v1${url}`,
        headers: { authorization: `Bearer ${apiKey}`, ...headers },
        ...(payload !== undefined && { payload }),
      })
      const { statusCode: status, body: text } = response
      const isJson = /[/+]json;/.test(String(response.headers['content-type']))
      const body = isJson ? response.json<AnswerBody>() : ({} as AnswerBody)
      const answer = { status, body, text, headers: response.headers }
      const check = await answerCheck(app)
      check(method, url, answer)
      return answer
    }
    function sendJson(method: Method, url: string, body: unknown, headers: Headers = {}) {
      if (body === undefined) return send(method, url, { headers })
      const type = { 'content-type': 'application/json' }
      return send(method, url, { payload: JSON.stringify(body), headers: { ...type, ...headers } })
    }
    return {
      apiKey,
      send,
      get: (url, headers = {}) => send('GET', url, { headers }),
      post: (url, body, headers) => sendJson('POST', url, body, headers),
      patch: (url, body, headers) => sendJson('PATCH', url, body, headers),
      delete: (url, headers = {}) => send('DELETE', url, { headers }),
    }
  }
}
