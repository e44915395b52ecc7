import { readFileSync } from 'node:fs'
import { brotliDecompressSync, gunzipSync } from 'node:zlib'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { DECISION_CODES } from '../../src/core/decision/codes.ts'
import { PATHS } from '../../src/paths/index.ts'
import { listProblems } from '../../src/paths/path.ts'
import { createTestApp, type TestApp } from '../support/app.ts'
import {
  codesIn,
  exampleAnswer,
  exampleBody,
  listOperations,
  type OpenApiDocument,
  type Operation,
  readDocument,
  resolveSchema,
  type Schema,
} from '../support/operations.ts'
import { strictCompilerOf } from '../support/schema-compiler.ts'

let app: TestApp
let document: OpenApiDocument
let operations: Operation[]

beforeAll(async () => {
  app = await createTestApp()
  document = await readDocument(app.app)
  operations = listOperations(document)
})
afterAll(() => app.stop())

/** What is wrong with which operation; a test expects nothing. */
function faults(isFine: (operation: Operation) => boolean): string[] {
  return operations.filter((operation) => !isFine(operation)).map(({ operationId }) => operationId)
}

function everySchema(node: unknown, visit: (schema: Schema) => void): void {
  if (typeof node !== 'object' || node === null) return
  if (!Array.isArray(node)) visit(node)
  for (const part of Object.values(node)) everySchema(part, visit)
}

describe('the OpenAPI document', () => {
  test('is not sent again to whoever has it', async () => {
    const first = await app.app.inject({ url: '/openapi.json' })
    const { etag } = first.headers
    const again = await app.app.inject({
      url: '/openapi.json',
      headers: { 'if-none-match': String(etag) },
    })
    expect([again.statusCode, again.body]).toEqual([304, ''])
    expect(again.headers['etag']).toBe(etag)
  })

  test.each([
    ['br', 'gzip, deflate, br', brotliDecompressSync],
    ['gzip', 'gzip', gunzipSync],
    [undefined, 'identity', (content: Buffer) => content],
  ])(
    'is sent as %s to a client that accepts %s, with its own tag',
    async (encoding, accepted, open) => {
      const headers = { 'accept-encoding': accepted }
      const plain = await app.app.inject({ url: '/openapi.json' })
      const sent = await app.app.inject({ url: '/openapi.json', headers })
      expect([sent.headers['content-encoding'], sent.headers['vary']]).toEqual([
        encoding,
        'accept-encoding',
      ])
      expect(open(sent.rawPayload).toString()).toBe(plain.body)
      if (encoding) expect(sent.rawPayload.length).toBeLessThan(plain.rawPayload.length / 4)
      const tag = String(sent.headers['etag'])
      expect(tag === plain.headers['etag']).toBe(encoding === undefined)
      for (const known of [tag, `W/${tag}`, `"other", ${tag}`, '*']) {
        const again = { ...headers, 'if-none-match': known }
        expect((await app.app.inject({ url: '/openapi.json', headers: again })).statusCode).toBe(
          304,
        )
      }
    },
  )

  test('is served at /openapi.json without a key, as OpenAPI 3.1', async () => {
    const response = await app.app.inject({ url: '/openapi.json' })
    expect(response.statusCode).toBe(200)
    expect(response.json()).toMatchObject({
      openapi: '3.1.0',
      info: { title: 'Purser' },
      security: [{ apiKey: [] }, { session: [] }],
      components: { securitySchemes: { apiKey: { type: 'http', scheme: 'bearer' } } },
    })
  })

  test('lists every route under /api/v1, and nothing else', () => {
    const routes = app.app
      .printRoutes({ commonPrefix: false, includeHooks: false })
      // A branch of the tree that it draws, for each address that is not below another.
      .split(/^(?=[├└])/m)
      .filter((branch) => /^.── \/api\/v1\//.test(branch))
      .flatMap((branch) => branch.match(/\b(GET|POST|PATCH|DELETE|PUT)\b/g) ?? [])
    expect(faults(({ path }) => path.startsWith('/api/v1/'))).toEqual([])
    expect(routes).toHaveLength(operations.length)
  })

  test('gives every operation its own operationId', () => {
    const ids = operations.map(({ operationId }) => operationId)
    expect(new Set(ids).size).toBe(ids.length)
    expect(faults(({ operationId }) => /^[a-z][A-Za-z0-9]+$/.test(operationId))).toEqual([])
  })

  test('gives every operation a tag, a summary and a statement of its scope', () => {
    expect(faults(({ tags }) => tags?.length === 1)).toEqual([])
    expect(faults(({ summary }) => /^[A-Z].{8,73}[^.]$/.test(summary ?? ''))).toEqual([])
    expect(new Set(operations.map(({ summary }) => summary)).size).toBe(operations.length)
    expect(faults(({ description = '' }) => description.includes('Needs the scope `'))).toEqual([])
  })

  test('declares one success, 200, for every operation, and 202 for a task', () => {
    const successes = ({ responses }: Operation) =>
      Object.keys(responses).filter((status) => status < '400')
    const others = operations.filter((operation) => successes(operation).join() !== '200')
    expect(others.map((one) => [one.operationId, ...successes(one)])).toEqual([
      ['redeliver', '200', '202'],
    ])
  })

  test('declares the errors that every operation can answer with', () => {
    for (const status of ['400', '401', '403', '500', '503']) {
      expect(faults(({ responses }) => status in responses)).toEqual([])
    }
    const hasId = ({ path }: Operation) => path.includes('{')
    expect(faults((operation) => !hasId(operation) || '404' in operation.responses)).toEqual([])
    const takesBody = ({ method }: Operation) => method !== 'GET'
    for (const status of ['413', '415']) {
      expect(faults((o) => takesBody(o) === status in o.responses)).toEqual([])
    }
  })

  test('describes errors as problem documents, with codes that exist', () => {
    const errors = operations.flatMap(({ operationId, responses }) =>
      Object.entries(responses)
        .filter(([status]) => status >= '400')
        .map(([status, response]) => ({ name: `${operationId} ${status}`, status, ...response })),
    )
    const statusOf = new Map(listProblems(PATHS).map(({ code, status }) => [code, status]))
    for (const { name, status, ...response } of errors) {
      expect(Object.keys(response.content), name).toEqual(['application/problem+json'])
      const statuses = codesIn(response).map((code) => statusOf.get(code))
      expect(new Set(statuses), name).toEqual(new Set([Number(status)]))
    }
  })

  test('declares no code that docs/errors.md does not explain', () => {
    const errors = readFileSync(new URL('../../../../docs/errors.md', import.meta.url), 'utf8')
    const explained = [...errors.matchAll(/^\| (\d+) \| `(\w+)` \|/gm)].map(
      ([, status, code]) => `${status} ${code}`,
    )
    const declared = operations.flatMap(({ responses }) =>
      Object.entries(responses).flatMap(([status, response]) =>
        status < '400' ? [] : codesIn(response).map((code) => `${status} ${code}`),
      ),
    )
    expect(new Set(declared).size).toBeGreaterThan(50)
    expect([...new Set(declared)].filter((code) => !explained.includes(code))).toEqual([])
  })

  test('offers an Idempotency-Key on every POST and PATCH, and only there', () => {
    const offers = ({ parameters = [] }: Operation) =>
      parameters.some(
        (parameter) => parameter.in === 'header' && parameter.name === 'Idempotency-Key',
      )
    const writes = ({ method }: Operation) => method === 'POST' || method === 'PATCH'
    expect(faults((operation) => offers(operation) === writes(operation))).toEqual([])
  })

  test('gives an example for every body, and one that its own schema accepts', () => {
    const { compile, errorsOf } = strictCompilerOf(document)
    for (const operation of operations.filter(({ body }) => body !== undefined)) {
      const example = exampleBody(document, operation)
      expect(example, operation.operationId).toBeDefined()
      const validate = compile(operation.body ?? {})
      const isValid = validate(example)
      expect(isValid, `${operation.operationId} ${errorsOf(validate)}`).toBe(true)
    }
  })

  test('gives an example for every answer, and one that its own schema accepts', () => {
    const { compile, errorsOf } = strictCompilerOf(document)
    for (const operation of operations) {
      const answers = Object.entries(operation.responses['200']?.content ?? {})
      for (const [type, { schema }] of answers) {
        const name = `${operation.operationId} ${type}`
        const example = exampleAnswer(document, operation, type)
        expect(example, name).toBeDefined()
        const validate = compile(schema)
        expect(validate(example), `${name} ${errorsOf(validate)}`).toBe(true)
      }
    }
  })

  test('gives an example for every id in a path', () => {
    for (const { operationId, parameters = [] } of operations) {
      for (const parameter of parameters.filter((one) => one.in === 'path')) {
        expect(parameter.example ?? parameter.schema.examples?.[0], operationId).toBeDefined()
      }
    }
  })

  test('has only schemas that compile, and no reference that leads nowhere', () => {
    const { compile } = strictCompilerOf(document)
    for (const name of Object.keys(document.components.schemas)) {
      expect(() => compile({ $ref: `#/components/schemas/${name}` }), name).not.toThrow()
    }
    for (const { operationId, responses } of operations) {
      for (const { content } of Object.values(responses)) {
        const [{ schema } = { schema: {} }] = Object.values(content)
        expect(() => compile(schema), operationId).not.toThrow()
      }
    }
    const references = new Set<string>()
    everySchema(document, ({ $ref }) => typeof $ref === 'string' && references.add($ref))
    expect(references.size).toBeGreaterThan(100)
    for (const name of Object.keys(document.components.headers)) {
      references.delete(`#/components/headers/${name}`)
    }
    for (const $ref of references) expect(() => resolveSchema(document, { $ref })).not.toThrow()
  })

  test('refuses unknown fields in every body', () => {
    const objectsOf = (schema: Schema): Schema[] => {
      const resolved = resolveSchema(document, schema)
      return resolved.anyOf ? resolved.anyOf.flatMap(objectsOf) : [resolved]
    }
    const isClosed = ({ body }: Operation) =>
      objectsOf(body ?? { type: 'null' }).every(
        ({ type, additionalProperties }) => type === 'null' || additionalProperties === false,
      )
    expect(faults(isClosed)).toEqual([])
  })

  test('lists the codes that a decision can have, for the decision, its findings and its record', () => {
    const { schemas } = document.components
    expect(schemas['DecisionCode']).toMatchObject({
      type: 'string',
      enum: DECISION_CODES.map(({ code }) => code),
    })
    const listed = { $ref: '#/components/schemas/DecisionCode' }
    const code = { anyOf: [listed, { type: 'string' }] }
    expect(schemas['EvaluationDetails']?.properties).toMatchObject({ code })
    expect(schemas['Transaction']?.properties).toMatchObject({ code })
    const inFinding = { anyOf: [listed, { type: ['string', 'null'] }] }
    expect(schemas['Finding']?.properties).toMatchObject({ code: inFinding })
  })

  test('requires no query parameter that has a default', () => {
    for (const { operationId, parameters = [] } of operations) {
      const odd = parameters.filter((one) => one.required === true && 'default' in one.schema)
      expect(odd, operationId).toEqual([])
    }
  })
})
