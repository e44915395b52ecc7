import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { EVENT_KINDS } from '../../src/core/events/event.ts'
import { SAMPLES } from '../../src/core/events/sample-event.ts'
import { RULES } from '../../src/core/rules/kinds/index.ts'
import { ANSWER_WORDS } from '../../src/http/document/answer-words.ts'
import { createEnumNames, ENUM_NAMES } from '../../src/http/document/enum-names.ts'
import { EXAMPLE_DETAILS } from '../../src/http/document/examples.ts'
import { RESPONSE_HEADERS } from '../../src/http/document/response-headers.ts'
import { createTestApp, type TestApp } from '../support/app.ts'
import {
  codesIn,
  listOperations,
  type OpenApiDocument,
  type Operation,
  readDocument,
  resolveSchema,
  type Schema,
} from '../support/operations.ts'
import { strictCompilerOf } from '../support/schema-compiler.ts'

/*
 * What generators of clients need of the document. generated-clients.deep.test.ts has two of them
 * write clients, and sends rules with those.
 */

let app: TestApp
let document: OpenApiDocument
let operations: Operation[]

beforeAll(async () => {
  app = await createTestApp()
  document = await readDocument(app.app)
  operations = listOperations(document)
})
afterAll(() => app.stop())

const SCHEMAS = '#/components/schemas/'

interface Found {
  readonly schema: Schema
  readonly place: string
}

/** Every schema with the place where it stands. Examples and defaults are data. */
function everySchema(): Found[] {
  const roots = {
    ...document.components.schemas,
    ...Object.fromEntries(
      Object.entries({ ...document.paths, ...document.webhooks }).flatMap(([path, methods]) =>
        Object.entries(methods).map(([method, operation]) => [`${method} ${path}`, operation]),
      ),
    ),
  }
  const found: Found[] = []
  const visit = (node: unknown, place: string): void => {
    if (typeof node !== 'object' || node === null) return
    if (!Array.isArray(node)) found.push({ schema: node, place })
    for (const [key, part] of Object.entries(node)) {
      if (!/^(examples?|default|enum|const)$/.test(key)) visit(part, `${place}/${key}`)
    }
  }
  for (const [name, root] of Object.entries(roots)) visit(root, name)
  return found
}

function placesOf(isOdd: (schema: Schema, place: string) => boolean): string[] {
  return everySchema()
    .filter(({ schema, place }) => isOdd(schema, place))
    .map(({ place }) => place)
}

function component(name: string): Schema {
  return resolveSchema(document, { $ref: SCHEMAS + name })
}

/** The values of the discriminator, each with the literal of the schema that it leads to. */
function mappingOf(name: string): Record<string, unknown> {
  const { oneOf = [], discriminator } = component(name)
  const { propertyName = '', mapping = {} } = discriminator ?? {}
  expect(Object.values(mapping)).toEqual(oneOf.map(({ $ref }) => $ref))
  return Object.fromEntries(
    Object.entries(mapping).map(([value, $ref]) => {
      return [value, resolveSchema(document, { $ref }).properties?.[propertyName]?.const]
    }),
  )
}

describe('for generated clients, the document', () => {
  test.each(['Rule', 'RuleInput'])('says of %s which type leads to which schema', (name) => {
    const types = RULES.map(({ type }) => [type, type])
    expect(mappingOf(name)).toEqual(Object.fromEntries(types))
  })

  test('types the data of every kind of event, in the feed and for webhooks', () => {
    const kinds = EVENT_KINDS.map((kind) => [kind, kind])
    expect(mappingOf('Event')).toEqual(Object.fromEntries(kinds))
    expect(Object.keys(document.webhooks)).toEqual([...EVENT_KINDS])
    const { compile, errorsOf } = strictCompilerOf(document)
    for (const kind of EVENT_KINDS) {
      const body = document.webhooks[kind]?.post.requestBody?.content['application/json']
      const { event, data } = resolveSchema(document, body?.schema ?? {}).properties ?? {}
      expect(event?.const).toBe(kind)
      expect(Object.keys(resolveSchema(document, data ?? {}).properties ?? {})).not.toEqual([])
      for (const sent of [body?.example, { event: kind, timestamp: 'now', data: SAMPLES[kind] }]) {
        const validate = compile(body?.schema ?? {})
        expect(validate(sent), `${kind} ${errorsOf(validate)}`).toBe(true)
      }
    }
  })

  test('names every field of the samples of events', () => {
    for (const kind of EVENT_KINDS) {
      const body = document.webhooks[kind]?.post.requestBody?.content['application/json']
      const { data = {} } = resolveSchema(document, body?.schema ?? {}).properties ?? {}
      const named = Object.keys(resolveSchema(document, data).properties ?? {})
      expect(named.toSorted(), kind).toEqual(Object.keys(SAMPLES[kind]).toSorted())
    }
  })

  test('types the details of a decision in the record as in its answer', () => {
    for (const name of ['Transaction', 'ListedTransaction']) {
      expect(component(name).properties?.['evaluationDetails']).toMatchObject({
        anyOf: [{ $ref: `${SCHEMAS}EvaluationDetails` }, { type: 'null' }],
        description: expect.any(String),
      })
    }
  })

  test('takes decisions and events from before some of their fields', () => {
    const { compile, errorsOf } = strictCompilerOf(document)
    const expectTaken = (name: string, value: object) => {
      const validate = compile({ $ref: SCHEMAS + name })
      expect(validate(value), `${name} ${errorsOf(validate)}`).toBe(true)
    }
    const { receipt: _, approval: __, ...details } = EXAMPLE_DETAILS
    expectTaken('EvaluationDetails', details)
    expectTaken('EvaluationDetails', { ...details, receipt: null, approval: null })
    const decided = SAMPLES['approval.decided']
    const early = Object.entries(decided).filter(([field]) => !/^decidedBy.+/.test(field))
    expectTaken('ApprovalDecidedEventData', Object.fromEntries(early))
  })

  test('says what a null approval or receipt means where the null stands', () => {
    const { approval, receipt } = component('EvaluationDetails').properties ?? {}
    for (const field of [approval, receipt]) {
      expect(field?.anyOf).toHaveLength(2)
      expect(field?.['description']).toContain('Null ')
    }
  })

  test('takes codes and kinds in answers that nobody knew when a client was generated', () => {
    const { compile } = strictCompilerOf(document)
    const takes = (name: string, field: string, value: unknown): unknown =>
      compile(component(name).properties?.[field] ?? {})(value)
    const answers = [
      ['EvaluationDetails', 'code'],
      ['Finding', 'code'],
      ['AskingRule', 'code'],
      ['Transaction', 'code'],
      ['RejectedEventData', 'code'],
      ['WebhookDelivery', 'event'],
    ] as const
    for (const [name, field] of answers) {
      expect(takes(name, field, 'not_yet_known'), name).toBe(true)
      expect(takes(name, field, 7), name).toBe(false)
    }
    expect(takes('Finding', 'code', null)).toBe(true)
    expect(takes('Organization', 'webhookEvents', ['not_yet_known'])).toBe(true)
  })

  test('describes every answer in words of its own', () => {
    const told = operations.map(({ operationId, responses }) => ({
      operationId,
      description: responses['200']?.description ?? '',
    }))
    expect(told.filter(({ description }) => !/^[A-Z].{8,}\.$/.test(description))).toEqual([])
    const ids = operations.map(({ operationId }) => operationId)
    expect(Object.keys(ANSWER_WORDS).filter((id) => !ids.includes(id))).toEqual([])
    expect(JSON.stringify(document)).not.toContain('Default Response')
  })

  test('has a name for every answer in JSON, lists among them', () => {
    const unnamed = operations.flatMap(({ operationId, responses }) =>
      Object.entries(responses).flatMap(([status, { content }]) =>
        Object.entries(content)
          .filter(
            ([type, { schema }]) => /json$/.test(type) && !/ndjson$/.test(type) && !schema.$ref,
          )
          .map(([type]) => `${operationId} ${status} ${type}`),
      ),
    )
    expect(unnamed).toEqual([])
    const lists = operations.filter(({ operationId }) => operationId.startsWith('list'))
    for (const { operationId, responses } of lists) {
      const { $ref } = responses['200']?.content['application/json']?.schema ?? {}
      expect($ref, operationId).toMatch(/List$/)
    }
  })

  test('has a name for every list of values, and no two for the same', () => {
    const names = Object.keys(document.components.schemas)
    expect(placesOf((schema, place) => 'enum' in schema && !names.includes(place))).toEqual([])
    const lists = names.filter((name) => component(name).enum && !name.endsWith('ProblemCode'))
    const values = lists.map((name) => JSON.stringify(component(name).enum))
    expect(new Set(values).size).toBe(values.length)
    expect(Object.keys(ENUM_NAMES).filter((name) => !lists.includes(name))).toEqual([])
    // A name that is made of the place where a list stands would change with the order of routes.
    const place = { owner: 'Agent', fields: ['mood'] }
    expect(() => createEnumNames()(['happy'], place)).toThrow(/Agent\.mood has no name/)
  })

  test('writes what may be null as a list of types, or as a choice with a named schema', () => {
    const isNull = ({ type }: Schema) => type === 'null'
    const isOdd = ({ anyOf = [] }: Schema) =>
      anyOf.some(isNull) && !(anyOf.length === 2 && anyOf.every((one) => isNull(one) || one.$ref))
    expect(placesOf(isOdd)).toEqual([])
    const saysInside = ({ anyOf = [] }: Schema) =>
      anyOf.some(isNull) && anyOf.some((one) => 'description' in one)
    expect(placesOf(saysInside)).toEqual([])
    const variants = everySchema().flatMap(({ schema }) => schema.oneOf ?? [])
    const isVariant = (name: string) => variants.some(({ $ref }) => $ref === SCHEMAS + name)
    const stands = (schema: Schema, place: string) => {
      const [owner = '', , , ...deeper] = place.split('/')
      const isOfVariant = isVariant(owner) && deeper.length === 0
      return isNull(schema) && !isOfVariant && !/\/anyOf\/1$/.test(place)
    }
    expect(placesOf(stands)).toEqual([])
  })

  test('lists the codes that each operation can answer with, and takes others', () => {
    const { compile } = strictCompilerOf(document)
    for (const { operationId, responses } of operations) {
      const name = operationId.charAt(0).toUpperCase() + operationId.slice(1)
      const errors = Object.entries(responses).filter(([status]) => status >= '400')
      for (const [status, { content }] of errors) {
        const { schema } = content['application/problem+json'] ?? {}
        expect(schema, `${operationId} ${status}`).toEqual({ $ref: `${SCHEMAS}${name}Problem` })
      }
      const described = errors.flatMap(([, response]) => codesIn(response))
      const listed = component(`${name}ProblemCode`).enum ?? []
      expect(listed.toSorted(), operationId).toEqual(described.toSorted())
      expect(component('ProblemCode').enum).toEqual(expect.arrayContaining([...listed]))
    }
    const problem = {
      type: 'urn:purser:problem:not_yet_known',
      title: 'Something new',
      status: 409,
      detail: 'Something new.',
      instance: '/api/v1/agents',
      code: 'not_yet_known',
      requestId: 'req_1',
      errors: [],
    }
    const validate = compile({ $ref: `${SCHEMAS}CreateAgentProblem` })
    expect([validate(problem), validate({ ...problem, code: 7 })]).toEqual([true, false])
  })

  test('declares the headers of every answer, and describes none that no answer has', () => {
    const declared = operations.flatMap(({ responses }) =>
      Object.values(responses).flatMap(({ headers = {} }) => Object.keys(headers)),
    )
    expect(new Set(declared)).toEqual(new Set(Object.keys(RESPONSE_HEADERS)))
    expect(Object.keys(document.components.headers)).toEqual(Object.keys(RESPONSE_HEADERS))
    for (const { operationId, responses } of operations) {
      for (const [status, { headers = {} }] of Object.entries(responses)) {
        expect(Object.keys(headers), `${operationId} ${status}`).toContain('X-Request-Id')
      }
      expect(Object.keys(responses['429']?.headers ?? {}), operationId).toContain('Retry-After')
    }
  })

  test('says what each of its tags is about', () => {
    const used = new Set(operations.flatMap(({ tags }) => tags))
    expect(new Set(document.tags.map(({ name }) => name))).toEqual(used)
    expect(document.tags.filter(({ description }) => !/^[A-Z].+\.$/.test(description))).toEqual([])
  })

  test('describes every field, list of values and parameter', () => {
    const isDescribed = (schema: Schema): boolean =>
      'description' in schema ||
      'const' in schema ||
      (schema.$ref !== undefined && isDescribed(resolveSchema(document, schema))) ||
      (schema.anyOf ?? []).some(isDescribed)
    const fields = everySchema().flatMap(({ schema, place }) =>
      Object.entries(schema.properties ?? {}).map(([name, field]) => ({ field, name, place })),
    )
    const bare = fields.filter(({ field }) => !isDescribed(field))
    expect(bare.map(({ name, place }) => `${place}.${name}`)).toEqual([])
    const lists = everySchema().filter(({ schema }) => schema.enum !== undefined)
    expect(lists.filter(({ schema }) => !isDescribed(schema)).map(({ place }) => place)).toEqual([])
    const parameters = operations.flatMap(({ operationId, parameters: taken = [] }) =>
      taken.map((parameter) => ({ ...parameter, place: `${operationId}.${parameter.name}` })),
    )
    const undescribed = parameters.filter(
      (one) => !('description' in one) && !isDescribed(one.schema),
    )
    expect(undescribed.map(({ place }) => place)).toEqual([])
  })
})
