import fc, { type Arbitrary } from 'fast-check'
import { expect, onTestFinished, test } from 'vitest'
import { type Answer, createTestApp, type Owner, type TestApp } from '../support/app.ts'
import { aDraft, aKey, anActiveMandate, NO_AGENT, NO_MANDATE } from '../support/builders.ts'
import {
  listOperations,
  type Operation,
  parametersOf,
  readDocument,
} from '../support/operations.ts'
import { dumpTables } from '../support/tables.ts'
import { arbitraryValues } from './arbitrary-values.ts'

/** Some requests turn webhooks on, and what is delivered changes these tables at its leisure. */
const DELIVERED = /^webhook_(queue|deliveries|attempts)/

/*
 * Requests made at random from the OpenAPI document. What is created is used by later requests. A
 * failure names its seed: repeat it with PURSER_FUZZ_SEED=… , and ask for more with PURSER_FUZZ_RUNS=….
 */

/** So many requests meet every status. */
const LONG = 500

const seed = Number(process.env['PURSER_FUZZ_SEED'] ?? Date.now() % 2 ** 31)
const asked = process.env['PURSER_FUZZ_RUNS']

/** Defines the test, with so many requests unless PURSER_FUZZ_RUNS says how many. */
export function describeRandomRequests(requests: number): void {
  const numRuns = Number(asked ?? requests)
  test(`${numRuns} requests made at random are answered as documented, and refused ones change nothing`, async () => {
    const app = await createTestApp()
    onTestFinished(() => app.stop())
    await proveAnswers(app, numRuns)
  })
}

async function proveAnswers(app: TestApp, numRuns: number): Promise<void> {
  const acme = await app.organization()
  const ids = await firstIds(app, acme, await app.organization('Globex'))
  const document = await readDocument(app.app)
  const { arbitraryOf, hostile } = arbitraryValues(document, () => ids)

  function requestOf(operation: Operation): Arbitrary<FuzzRequest> {
    const query = Object.fromEntries(
      parametersOf(operation, 'query').map(({ name, schema }) => [name, arbitraryOf(schema)]),
    )
    return fc.record({
      operation: fc.constant(operation),
      id: fc.nat(),
      query: fc.record(query, { requiredKeys: [] }),
      body: operation.body
        ? arbitraryOf(operation.body)
        : fc.oneof(fc.constant(undefined), hostile),
    })
  }

  function send({ operation, id, query, body }: FuzzRequest): Promise<Answer> {
    const path = operation.path.replace('/api/v1', '').replace('{id}', idFor(ids, operation, id))
    const pairs: [string, string][] = Object.entries(query).map(([name, value]) => [
      name,
      typeof value === 'object' ? JSON.stringify(value) : String(value),
    ])
    const url = `${path}?${new URLSearchParams(pairs)}`
    if (operation.method === 'GET' || body === undefined) return acme.send(operation.method, url)
    const headers = { 'content-type': 'application/json' }
    return acme.send(operation.method, url, { payload: JSON.stringify(body), headers })
  }

  const statuses = new Map<number, number>()
  let before = await dumpTables(app.database.db, { leaveOut: DELIVERED })

  await fc.assert(
    fc.asyncProperty(fc.oneof(...listOperations(document).map(requestOf)), async (request) => {
      // The client holds status, content type and body against the document.
      const { status, body, text } = await send(request)
      statuses.set(status, (statuses.get(status) ?? 0) + 1)
      expect(status, text).toBeLessThan(500)
      expect(text).not.toMatch(/node_modules|\.ts:\d|SQLSTATE|violates|syntax error/)
      const after = await dumpTables(app.database.db, { leaveOut: DELIVERED })
      if (status >= 400) expect(after).toBe(before)
      else if (request.operation.method === 'POST') ids.push(body.id)
      before = after
    }),
    { numRuns, seed, endOnFailure: true },
  )
  if (numRuns < LONG) return
  // Otherwise it would be a test of the first check alone.
  for (const status of [200, 400, 404]) expect(statuses.get(status)).toBeGreaterThan(5)
  // Conflicts need two fitting requests, so a run of this length meets only a handful.
  expect(statuses.get(409)).toBeGreaterThan(0)
}

/** Own ones, one of another organization, one that nothing has, and one of no form at all. */
async function firstIds(app: TestApp, acme: Owner, globex: Owner): Promise<string[]> {
  const [draft, active, foreign] = [
    await aDraft(acme),
    await anActiveMandate(acme),
    await aDraft(globex),
  ]
  const { key } = await aKey(app, acme)
  const own = [draft.id, draft.agentId, active.id, active.agentId, key.id]
  return [...own, foreign.id, foreign.agentId, NO_AGENT, NO_MANDATE, 'no-id']
}

interface FuzzRequest {
  readonly operation: Operation
  readonly id: number
  readonly query: Readonly<Record<string, unknown>>
  readonly body: unknown
}

/** One of the right kind twice out of three times, so that requests get past the form of their id. */
function idFor(ids: readonly string[], operation: Operation, dice: number): string {
  const [parameter] = parametersOf(operation, 'path')
  const form = new RegExp(parameter?.schema.pattern ?? '^[0-9a-f]{8}-')
  const fitting = ids.filter((id) => form.test(id))
  const from = dice % 3 === 0 ? ids : fitting
  return from[dice % from.length] ?? ''
}
