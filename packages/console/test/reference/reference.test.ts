import { expect, test } from 'vitest'
import openApi from '../../../../openapi.json'
import type { ApiDocument } from '../../src/data/openapi.ts'
import { contentsOf, type Entry, findEntries } from '../../src/screens/reference/contents.ts'
import { dangerOf } from '../../src/screens/reference/danger.ts'
import { bodyOf, draftOf } from '../../src/screens/reference/draft.ts'
import { answerExample } from '../../src/screens/reference/example.ts'
import { literal, pathOf, typescriptSample } from '../../src/screens/reference/samples.ts'
import { type Shape, shapeOf } from '../../src/screens/reference/shape.ts'

const DOCUMENT = openApi as unknown as ApiDocument
const GROUPS = contentsOf(DOCUMENT)
const ALL = GROUPS.flatMap(({ entries }) => entries)

function entryOf(id: string): Entry {
  const found = ALL.find((one) => one.id === id)
  if (!found) throw new Error(`There is no operation ${id}.`)
  return found
}

test('lists every operation with its scope and its method of the SDK', () => {
  const operations = ALL.filter(({ method }) => method)
  expect(operations).toHaveLength(59)
  for (const { scope, sdk } of operations) {
    expect(scope).toMatch(/^[a-z]+:(read|write)$/)
    expect(sdk).toMatch(/^[A-Za-z0-9.]+( list| stream)?$/)
  }
  expect(GROUPS.at(-1)?.name).toBe('Events')
  expect(ALL.length).toBeGreaterThan(70)
})

test('finds an operation by words, path or method of the SDK', () => {
  const found = (text: string) =>
    findEntries(GROUPS, text).flatMap(({ entries }) => entries.map(({ id }) => id))
  expect(found('gateway.evaluate')).toEqual(['evaluate'])
  expect(found('post settle')).toContain('settleTransaction')
  expect(found('transaction.approved')).toContain('onTransactionApproved')
  expect(found('no such thing')).toEqual([])
})

test('shows every field of every operation, down to the third level', () => {
  const walk = (shape: Shape, depth: number): number => {
    expect(shape.type).not.toBe('')
    expect(shape.type).not.toContain('undefined')
    const inner = [...(shape.fields ?? []), ...(shape.variants ?? [])]
    if (depth === 3) return inner.length
    return inner.reduce((sum, { schema }) => sum + walk(shapeOf(DOCUMENT, schema), depth + 1), 1)
  }
  for (const { operation } of ALL) {
    const schema = operation.requestBody?.content['application/json']?.schema
    if (schema) expect(walk(shapeOf(DOCUMENT, schema), 0)).toBeGreaterThan(1)
  }
})

test('names the variants of a rule by their type', () => {
  const rules = shapeOf(DOCUMENT, { $ref: '#/components/schemas/RuleInput' })
  expect(rules.variants?.map(({ name }) => name)).toContain('price_drift')
  const input = shapeOf(DOCUMENT, { $ref: '#/components/schemas/SimulationInput' })
  const field = input.fields?.find(({ name }) => name === 'rules')
  const shape = shapeOf(DOCUMENT, field?.schema ?? {})
  expect(shape).toMatchObject({ type: 'array of RuleInput', notes: ['at most 64 entries'] })
  expect(shape.variants).toHaveLength(11)
})

test('has an example of the answer for every operation but exports', () => {
  const without = ALL.filter((one) => one.method && answerExample(DOCUMENT, one) === null)
  expect(without.map(({ id }) => id)).toEqual([])
})

test('fills in the path and the query of a call', () => {
  const entry = entryOf('listMandateVersions')
  const { params } = draftOf(DOCUMENT, entry)
  expect(params['id']).toMatch(/^mnd_/)
  const input = { params: { id: 'mnd_1' }, query: 'limit=10', body: undefined }
  expect(pathOf(entry, input)).toBe('/api/v1/mandates/mnd_1/versions?limit=10')
})

test('writes the call of the SDK', () => {
  const evaluate = entryOf('evaluate')
  const draft = draftOf(DOCUMENT, evaluate)
  const code = typescriptSample(evaluate, { ...draft, body: bodyOf(draft.body) })
  expect(code).toContain("await purser.gateway.evaluate({\n  agentId: '")
  const list = { params: {}, query: 'limit=10&status=held', body: undefined }
  expect(typescriptSample(entryOf('listTransactions'), list)).toContain(
    "for await (const entry of purser.transactions.list({\n  limit: 10,\n  status: 'held',\n}))",
  )
  expect(literal({ 'a-b': "it's", list: [1, 2], none: null })).toBe(
    "{\n  'a-b': 'it\\'s',\n  list: [1, 2],\n  none: null,\n}",
  )
})

test('asks for intent before money moves', () => {
  expect(dangerOf('evaluate', 'POST').needsIntent).toBe(true)
  expect(dangerOf('refundTransaction', 'POST').needsIntent).toBe(true)
  expect(dangerOf('deleteAgent', 'DELETE').needsIntent).toBe(true)
  expect(dangerOf('simulate', 'POST')).toEqual({ sentence: undefined, needsIntent: false })
  expect(dangerOf('updateAgent', 'PATCH').needsIntent).toBe(false)
  expect(dangerOf('listAgents', 'GET').sentence).toBeUndefined()
})
