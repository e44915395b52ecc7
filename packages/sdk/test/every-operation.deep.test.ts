import { afterAll, describe, expect, test } from 'vitest'
import { EXAMPLE_SCENES } from '../../server/test/http/example-scenes.ts'
import { WITHOUT_NODE } from '../../server/test/paths/x402/payments.ts'
import { answerCheck } from '../../server/test/support/answer-check.ts'
import { createTestApp } from '../../server/test/support/app.ts'
import {
  exampleBody,
  exampleParameter,
  listOperations,
  type Operation,
  parametersOf,
  readDocument,
} from '../../server/test/support/operations.ts'
import type { OperationTree } from '../src/client/build-tree.ts'
import type { Answer, Call, List } from '../src/client/call.ts'
import { OPERATIONS } from '../src/generated/operations.ts'
import { Purser } from '../src/index.ts'

/*
 * Each operation of the document is called through its method, in an organization where the objects
 * of its example exist. The types are written from the schemas that check the answers here.
 */

const app = await createTestApp(undefined, {
  ...WITHOUT_NODE,
  publicUrl: 'https://gateway.example.com',
})
const baseUrl = await app.app.listen({ port: 0, host: '127.0.0.1' })
const document = await readDocument(app.app)
const check = await answerCheck(app.app)
const operations = listOperations(document)
const names = namesByOperation(OPERATIONS)
afterAll(() => app.stop())

type AnyMethod = (...args: unknown[]) => Call<unknown> | List<unknown, unknown>

describe('every operation is called through the client:', () => {
  test.each(operations.map((it) => [it.operationId, it] as const))('%s', async (_, operation) => {
    const acme = await app.organization()
    const { client = acme, stands = {} } =
      (await EXAMPLE_SCENES[operation.operationId]?.({ app, acme })) ?? {}
    const purser = new Purser({ apiKey: client.apiKey, baseUrl })
    const name = names.get(`${operation.method} ${operation.path.replace('/api/v1', '')}`) ?? ''
    const called = methodOf(purser, name)(...argumentsOf(operation, stands))
    if (name === 'transactions.export') {
      for await (const row of called as List<unknown, unknown>) {
        expect(row).toHaveProperty('transactionId')
      }
      return
    }
    const call = 'page' in called ? called.page() : called
    const { data, response }: Answer<unknown> = await call.withResponse()
    expect(response.status).toBe(200)
    const headers = Object.fromEntries(response.headers)
    const path = new URL(response.url).pathname.replace('/api/v1', '')
    check(operation.method, path, { status: 200, body: data as never, headers })
  })

  test('each has one method', () => {
    expect(names.size).toBe(operations.length)
  })
})

/** Each operation as `METHOD /path`, with the name of its method. */
function namesByOperation(tree: OperationTree, prefix = ''): Map<string, string> {
  return new Map(
    Object.entries(tree).flatMap(([name, entry]) =>
      typeof entry === 'string'
        ? [[entry.split(' ').slice(0, 2).join(' '), prefix + name] as const]
        : [...namesByOperation(entry, `${prefix}${name}.`)],
    ),
  )
}

function methodOf(purser: Purser, name: string): AnyMethod {
  const found = name
    .split('.')
    .reduce<unknown>((it, part) => (it as Record<string, unknown>)[part], purser)
  return found as AnyMethod
}

/** The example of the document, with the real ids in place of those that it shows. */
function argumentsOf(operation: Operation, stands: Readonly<Record<string, string>>): unknown[] {
  const real = (value: unknown): unknown =>
    JSON.parse(
      Object.entries(stands).reduce(
        (text, [from, to]) => text.replaceAll(from, to),
        JSON.stringify(value),
      ),
    )
  const ids = parametersOf(operation, 'path').map((it) => real(exampleParameter(it)))
  if (operation.body) return [...ids, real(exampleBody(document, operation) ?? null)]
  const query = parametersOf(operation, 'query')
  if (query.length === 0) return ids
  const required = query.filter((it) => it.required)
  return [...ids, real(Object.fromEntries(required.map((it) => [it.name, exampleParameter(it)])))]
}
