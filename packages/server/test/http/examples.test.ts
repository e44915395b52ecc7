import { afterAll, describe, expect, test } from 'vitest'
import { WITHOUT_NODE } from '../paths/x402/payments.ts'
import { type Answer, createTestApp, type TestApp } from '../support/app.ts'
import {
  exampleAnswer,
  exampleBody,
  exampleParameter,
  listOperations,
  type Operation,
  type Parameter,
  parametersOf,
  readDocument,
} from '../support/operations.ts'
import { EXAMPLE_SCENES, type ExampleScene, type ExampleStage } from './example-scenes.ts'

/*
 * The examples of the document are what people paste first. So each of them is sent to a gateway, in
 * an organization where what the example names is there. Every answer is held against its schema by
 * the client of the test app.
 */

const app: TestApp = await createTestApp(undefined, {
  ...WITHOUT_NODE,
  publicUrl: 'https://gateway.example.com',
})
const document = await readDocument(app.app)
const operations = listOperations(document)

afterAll(() => app.stop())

type Scene = ExampleScene & ExampleStage

const JSON_TYPE = 'application/json'
/** Goes on until the client leaves; test/routes/events follows such answers. */
const ENDLESS = 'text/event-stream'

/** Parameters that are sent beside another one: most mean nothing alone, or another thing each year. */
const BESIDE: Readonly<Record<string, string>> = {
  'getSpendAnalytics from': 'to',
  'getAuditProof size': 'index',
  'getAuditProof to': 'from',
}

/** Parameters that an example of another type than JSON was asked with: they choose its columns. */
const TABLE_OF: Readonly<Record<string, string>> = { getSpendAnalytics: 'groupBy' }

describe('the examples of the document:', () => {
  const cases = operations.map((operation) => [operation.operationId, operation] as const)

  test.each(cases)('%s answers 200, with the fields of its example', async (_, operation) => {
    const scene = await openScene(operation)
    const answer = await send(operation, scene)
    expect(answer.status, answer.text).toBe(200)
    expect(missingIn(exampleAnswer(document, operation, JSON_TYPE), answer)).toEqual([])
  })

  test.each(typesBesideJson())('%s answers as %s where that is asked for', async (_, type, one) => {
    const scene = await openScene(one)
    const asked = parametersOf(one, 'query').filter(
      ({ name }) => name === TABLE_OF[one.operationId],
    )
    const { status, headers, text } = await send(one, scene, asked, { accept: type })
    expect(status, text).toBe(200)
    expect(headers['content-type']).toBe(`${type}; charset=utf-8`)
    const example = String(exampleAnswer(document, one, type))
    expect(firstNames(example)).toEqual(firstNames(text))
  })

  const withQuery = cases.filter(([, operation]) => parametersOf(operation, 'query').length > 0)
  test.each(withQuery)('%s takes the example of each parameter', async (_, operation) => {
    const scene = await openScene(operation)
    for (const parameter of parametersOf(operation, 'query')) {
      expect(exampleParameter(parameter), parameter.name).toBeDefined()
      const { status, text } = await send(operation, scene, [parameter])
      expect(status, `${parameter.name}: ${text}`).toBe(200)
    }
  })
})

test('every scene is that of an operation', () => {
  const names = operations.map(({ operationId }) => operationId)
  expect(Object.keys(EXAMPLE_SCENES).filter((name) => !names.includes(name))).toEqual([])
})

function typesBesideJson(): (readonly [string, string, Operation])[] {
  return operations.flatMap((operation) =>
    Object.keys(operation.responses['200']?.content ?? {})
      .filter((type) => type !== JSON_TYPE && type !== ENDLESS)
      .map((type) => [operation.operationId, type, operation] as const),
  )
}

async function openScene({ operationId }: Operation): Promise<Scene> {
  const stage = { app, acme: await app.organization() }
  return { ...stage, ...(await EXAMPLE_SCENES[operationId]?.(stage)) }
}

/** Sends what the document shows of an operation, with these parameters in the query. */
function send(
  operation: Operation,
  { acme, client = acme, stands = {} }: Scene,
  parameters: readonly Parameter[] = [],
  headers: Readonly<Record<string, string>> = {},
): Promise<Answer> {
  const real = (text: string) =>
    Object.entries(stands).reduce((all, [from, to]) => all.replaceAll(from, to), text)
  const path = parametersOf(operation, 'path').reduce(
    (url, parameter) => url.replace(`{${parameter.name}}`, String(exampleParameter(parameter))),
    operation.path.replace('/api/v1', ''),
  )
  const query = new URLSearchParams()
  for (const one of [...parameters, ...besideThose(operation, parameters)]) {
    query.set(one.name, real(String(exampleParameter(one))))
  }
  const body = exampleBody(document, operation)
  const isWrite = operation.method === 'POST' || operation.method === 'PATCH'
  return client.send(operation.method, real(query.size > 0 ? `${path}?${query}` : path), {
    headers: {
      ...(body !== undefined && { 'content-type': JSON_TYPE }),
      ...(isWrite && { 'idempotency-key': 'order-1' }),
      ...headers,
    },
    ...(body !== undefined && { payload: real(JSON.stringify(body)) }),
  })
}

function besideThose(operation: Operation, parameters: readonly Parameter[]): Parameter[] {
  const names = parameters.map(({ name }) => BESIDE[`${operation.operationId} ${name}`])
  return parametersOf(operation, 'query').filter(
    ({ name, required }) => required || names.includes(name),
  )
}

/** Fields that an example has and the answer has not, also in the first row of a list. */
function missingIn(example: unknown, { text, headers }: Answer): string[] {
  if (!String(headers['content-type']).startsWith(JSON_TYPE)) return []
  const answered: unknown = JSON.parse(text)
  const [shown, real] = [firstRow(example), firstRow(answered)]
  const ofRow =
    real === undefined ? [] : namesOf(shown).filter((name) => !namesOf(real).includes(name))
  return [...namesOf(example).filter((name) => !namesOf(answered).includes(name)), ...ofRow]
}

function namesOf(value: unknown): string[] {
  return typeof value === 'object' && value !== null ? Object.keys(value) : []
}

function firstRow(value: unknown): unknown {
  if (typeof value !== 'object' || value === null || !('data' in value)) return undefined
  return Array.isArray(value.data) ? value.data[0] : undefined
}

/** The columns of CSV, or the names in the last line of NDJSON. */
function firstNames(text: string): string[] {
  const lines = text.trimEnd().split(/\r?\n/)
  const [first = '', last = ''] = [lines[0], lines.at(-1)]
  return last.startsWith('{') ? Object.keys(JSON.parse(last)) : first.split(',')
}
