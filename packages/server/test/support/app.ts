import { Ajv, type ValidateFunction } from 'ajv'
import { pino } from 'pino'
import { expect } from 'vitest'
import type { App } from '../../src/http/app.ts'
import { buildApp } from '../../src/server.ts'
import { createOrganization } from '../../src/setup.ts'
import { createSealer } from '../../src/storage/sealed.ts'
import { createTestDatabase, type Engine, type TestDatabase } from './database.ts'

export interface Answer {
  readonly status: number
  readonly body: any
  readonly text: string
  readonly headers: Readonly<Record<string, string | string[] | number | undefined>>
}

export interface Client {
  readonly apiKey: string
  get(url: string, headers?: Record<string, string>): Promise<Answer>
  post(url: string, body?: unknown, headers?: Record<string, string>): Promise<Answer>
  patch(url: string, body?: unknown, headers?: Record<string, string>): Promise<Answer>
  delete(url: string, headers?: Record<string, string>): Promise<Answer>
}

export interface TestApp {
  readonly app: App
  readonly database: TestDatabase
  /** Settable, so that tests can turn the clock. Undefined: the real time. */
  clock: { now: number | undefined }
  /** A client of a fresh organization. */
  organization(name?: string): Promise<Client>
  /** A client with this key; any text is sent as it is. */
  client(apiKey: string): Client
  stop(): Promise<void>
}

const log = pino({ level: 'silent' })
const sealer = createSealer(Buffer.alloc(32, 7))
const config = { environment: 'development' } as const

/** The whole app on a database of its own. Every answer is held against its declared schema. */
export async function createTestApp(engine: Engine = 'embedded'): Promise<TestApp> {
  const database = await createTestDatabase(engine)
  const clock: TestApp['clock'] = { now: undefined }
  const storage = { db: database.db, sealer }
  const built = await buildApp(storage, config, log, () => clock.now ?? Date.now())
  const check = answerCheck(built.app)

  function client(apiKey: string): Client {
    const send =
      (method: 'GET' | 'POST' | 'PATCH' | 'DELETE') =>
      async (url: string, body?: unknown, headers: Record<string, string> = {}) => {
        const response = await built.app.inject({
          method,
          url: `/api/v1${url}`,
          headers: { authorization: `Bearer ${apiKey}`, ...headers },
          ...(body === undefined ? {} : { payload: body as object }),
        })
        const answer = {
          status: response.statusCode,
          body: response.json(),
          text: response.body,
          headers: response.headers,
        }
        check(method, url, answer)
        return answer
      }
    return {
      apiKey,
      get: (url, headers) => send('GET')(url, undefined, headers),
      post: send('POST'),
      patch: send('PATCH'),
      delete: (url, headers) => send('DELETE')(url, undefined, headers),
    }
  }

  return {
    app: built.app,
    database,
    clock,
    client,
    async organization(name = 'Acme') {
      return client((await createOrganization(storage, config, name)).apiKey)
    },
    async stop() {
      await built.stop()
      await database.drop()
    },
  }
}

/** Fails a test whose answer is not what the OpenAPI document promises. */
function answerCheck(app: App): (method: string, url: string, answer: Answer) => void {
  const ajv = new Ajv({ strict: false, discriminator: false, validateFormats: false })
  const compiled = new Map<string, ValidateFunction>()
  let document: any

  return (method, url, { status, body, headers }) => {
    document ??= app.swagger()
    const path = url.split('?', 1)[0] ?? ''
    const template = Object.keys(document.paths).find((candidate) => matches(candidate, path))
    const operation = template && document.paths[template][method.toLowerCase()]
    if (!operation) return expect(status, `${method} ${url}`).toBe(404)
    const declared = operation.responses[status]
    expect(
      declared,
      `${method} ${template} does not declare ${status}: ${body?.code}`,
    ).toBeDefined()
    const [[type, content]] = Object.entries<any>(declared.content) as [[string, any]]
    expect(String(headers['content-type'])).toContain(type)
    const key = `${method} ${template} ${status}`
    const validate =
      compiled.get(key) ?? ajv.compile({ ...content.schema, components: document.components })
    compiled.set(key, validate)
    expect(validate(body), `${key}: ${ajv.errorsText(validate.errors)}`).toBe(true)
  }
}

function matches(template: string, path: string): boolean {
  const pattern = template.replace('/api/v1', '').replace(/\{[^}]+\}/g, '[^/]+')
  return new RegExp(`^${pattern}$`).test(path)
}
