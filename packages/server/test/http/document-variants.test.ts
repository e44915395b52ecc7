import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { WrittenDocument } from '../../src/http/document/map-schemas.ts'
import { withObjectNames } from '../../src/http/document/object-names.ts'
import { createTestApp, type TestApp } from '../support/app.ts'
import {
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

const SCHEMAS = '#/components/schemas/'
const SOME_OBJECT = { type: 'object', properties: { a: { type: 'string' } } }

function component(name: string): Schema {
  return resolveSchema(document, { $ref: SCHEMAS + name })
}

/** The schemas directly inside a named one: its fields, or those of its parts. */
function partsOf({ properties = {}, anyOf = [], oneOf = [], allOf = [] }: Schema): Schema[] {
  return [...Object.values(properties), ...[...anyOf, ...oneOf, ...allOf].flatMap(partsOf)]
}

function namelessIn(schema: Schema, place: string): string[] {
  const { properties, items, anyOf = [], oneOf = [], allOf = [] } = schema
  if (properties) return [place]
  return [...(items ? [items] : []), ...anyOf, ...oneOf, ...allOf].flatMap((one) =>
    namelessIn(one, place),
  )
}

function documentWith(schema: object): WrittenDocument {
  const content = { 'application/json': { schema: { ...schema } } }
  const responses = { '200': { description: 'An agent.', content } }
  return { paths: { '/agents': { get: { operationId: 'getAgent', responses } } } }
}

describe('the shapes in the document', () => {
  test.each(['Evaluation', 'Simulation'])('tells the variants of %s apart by decision', (name) => {
    const mapping = { approved: `Approved${name}`, rejected: `Rejected${name}` }
    expect(component(name).discriminator).toEqual({
      propertyName: 'decision',
      mapping: { approved: SCHEMAS + mapping.approved, rejected: SCHEMAS + mapping.rejected },
    })
    const { Approved, Rejected } = Object.fromEntries(
      ['Approved', 'Rejected'].map((word) => [word, component(word + name).properties]),
    )
    expect(Rejected?.['status']?.const).toBe('rejected')
    expect(resolveSchema(document, Approved?.['status'] ?? {}).enum).toEqual(['held', 'settled'])
  })

  test('gives an approved evaluation a mandate, and a signed payment its header', () => {
    const typeOf = (name: string, field: string) => component(name).properties?.[field]
    expect(typeOf('ApprovedEvaluation', 'mandateId')?.type).toBe('string')
    expect(typeOf('RejectedEvaluation', 'mandateId')?.type).toEqual(['string', 'null'])
    expect(typeOf('RejectedEvaluation', 'missingScope')).toBeUndefined()
    expect(typeOf('SignedX402Payment', 'payment')?.$ref).toBe(`${SCHEMAS}X402SignedPayment`)
    expect(typeOf('UnpaidX402Resource', 'transactionId')?.type).toBe('null')
    expect(component('ActiveMandateToken').required).toEqual(['active', 'claims', 'budget'])
  })

  test('takes an answer by exactly one of its variants', () => {
    const { compile } = strictCompilerOf(document)
    const validate = compile({ $ref: `${SCHEMAS}Evaluation` })
    const approved = Object(component('Evaluation').examples?.[0])
    const rejected = { ...approved, decision: 'rejected', status: 'rejected', mandateId: null }
    expect([validate(approved), validate(rejected)]).toEqual([true, true])
    expect(validate({ ...approved, mandateId: null })).toBe(false)
    expect(validate({ ...approved, status: 'rejected' })).toBe(false)
  })

  test('has a name for every object with fields, except for parts of a named schema', () => {
    const { schemas } = document.components
    const inner = Object.entries(schemas).flatMap(([name, schema]) =>
      partsOf(schema).flatMap((part) => namelessIn(part, name)),
    )
    const bodies = operations.flatMap(({ operationId, body }) =>
      namelessIn(body ?? {}, operationId),
    )
    expect([...inner, ...bodies]).toEqual([])
    const nameless = { type: 'object', title: 'Agent', properties: { mood: SOME_OBJECT } }
    expect(() => withObjectNames(documentWith(nameless))).toThrow(
      'The object Agent.mood has no name. Add one to OBJECT_NAMES.',
    )
  })

  test('requires no body that may be left out', () => {
    const optional = operations.filter(({ method, path }) => {
      const { requestBody } = document.paths[path]?.[method.toLowerCase()] ?? {}
      return requestBody && requestBody.required !== true
    })
    expect(optional.map(({ operationId }) => operationId)).toEqual([
      'activateMandate',
      'revokeMandate',
      'settleTransaction',
      'voidTransaction',
      'refundTransaction',
      'rotateWebhookSecret',
      'redeliver',
    ])
  })
})
