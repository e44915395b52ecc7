import { describe, expect, test } from 'vitest'
import { FIELD_ERRORS_MAX } from '../../src/base/errors.ts'
import type { Answer, Owner, TestApp } from '../support/app.ts'
import {
  exampleBody,
  listOperations,
  type Operation,
  parametersOf,
  readDocument,
  resolveSchema,
  type Schema,
} from '../support/operations.ts'

type Document = Awaited<ReturnType<typeof readDocument>>

const ANSWER_BYTES_MAX = 16 * 1_024
export const JSON_TYPE = { 'content-type': 'application/json' }

export function expectBounded({ status, body, text }: Answer, what: string): void {
  expect(status, what).toBeLessThan(500)
  expect(Buffer.byteLength(text), what).toBeLessThan(ANSWER_BYTES_MAX)
  expect(body.errors?.length ?? 0, what).toBeLessThanOrEqual(FIELD_ERRORS_MAX)
}

/** Far more than any list may have. */
export function manyOf(value: unknown): unknown[] {
  const bytes = Buffer.byteLength(JSON.stringify(value)) + 1
  return Array(Math.floor(40_000 / bytes)).fill(value)
}

export const manyFields = (): object =>
  Object.fromEntries(Array.from({ length: 3_000 }, (_, at) => [`f${at}`, 1]))

const BADS: readonly (readonly [what: string, bad: unknown])[] = [
  ['a long list of numbers', manyOf(1)],
  ['a long list of objects', manyOf({ type: 'none' })],
  ['a long list of lists', manyOf([[]])],
  ['many fields', manyFields()],
  ['a long text', 'x'.repeat(40_000)],
  ['a long name', { [`"${'界'.repeat(20_000)}`]: 1 }],
]

/**
 * Replaces each place of each body of the document: by every bad value, or by one of them in turn,
 * which takes a sixth of the time.
 */
export async function describeBoundedBodies(
  app: TestApp,
  acme: Owner,
  values: 'every' | 'one',
): Promise<void> {
  const document = await readDocument(app.app)
  const withBody = listOperations(document).filter(({ body }) => body !== undefined)

  describe('an answer is small and names few mistakes, whatever is in the body of', () => {
    test.each(withBody.map((operation) => [operation.operationId, operation] as const))(
      '%s',
      async (_, operation) => {
        for (const [what, body] of badBodies(document, operation, values)) {
          expectBounded(await send(acme, operation, JSON.stringify(body)), what)
        }
      },
    )
  })
}

function* badBodies(
  document: Document,
  operation: Operation,
  values: 'every' | 'one',
): Generator<readonly [what: string, body: unknown]> {
  const good = exampleBody(document, operation)
  for (const [turn, [what, bad]] of BADS.entries()) {
    // The first place is the whole body, which gets another value in each operation.
    let place = operation.operationId.length
    for (const body of withReplaced(document, operation.body ?? {}, good, bad)) {
      if (values === 'every' || place % BADS.length === turn) yield [what, body]
      place += 1
    }
  }
}

/** Each place of a body, with its value replaced. */
function* withReplaced(
  document: Document,
  given: Schema,
  good: unknown,
  by: unknown,
): Generator<unknown> {
  const schema = resolveSchema(document, given)
  yield by
  for (const variant of schema.anyOf ?? []) yield* withReplaced(document, variant, good, by)
  const fields = typeof good === 'object' && good !== null ? good : {}
  for (const [name, field] of Object.entries(schema.properties ?? {})) {
    const value = Object.entries(fields).find(([key]) => key === name)?.[1]
    for (const replaced of withReplaced(document, field, value, by))
      yield { ...fields, [name]: replaced }
  }
}

function send(acme: Owner, operation: Operation, payload: string): Promise<Answer> {
  const [parameter] = parametersOf(operation, 'path')
  const id = String(parameter?.example ?? parameter?.schema.examples?.[0])
  const url = operation.path.replace('/api/v1', '').replace('{id}', id)
  return acme.send(operation.method, url, { payload, headers: JSON_TYPE })
}
