import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { toUuid } from '../../src/core/id.ts'
import { mintApiKey } from '../../src/storage/secrets/api-key-secret.ts'
import { type Client, createTestApp, type Owner, type TestApp } from '../support/app.ts'
import { askFor } from '../support/approvals.ts'
import { aDraft, aKey, anActiveMandate, anAgent, DAY_MS } from '../support/builders.ts'
import { aCard } from '../support/cards.ts'
import {
  exampleBody,
  listOperations,
  type Operation,
  parametersOf,
  readDocument,
  resolveSchema,
} from '../support/operations.ts'
import { dumpTables } from '../support/tables.ts'

/* Made from the OpenAPI document, over every operation. */

const app: TestApp = await createTestApp()
const document = await readDocument(app.app)
const operations = listOperations(document)
const named = operations.map((operation) => [operation.operationId, operation] as const)

const ASKS = { rules: [{ type: 'approval' }] }

let acme: Owner
/** Ids of everything a path can name, by the beginning of the path. */
let foreign: Readonly<Record<string, string>>
/** The same of an agent of our own, and a key that is bound to another agent. */
let others: Readonly<Record<string, string>>
let bound: Client
let refused: readonly (readonly [string, Record<string, string>])[]

beforeAll(async () => {
  acme = await app.organization()
  const globex = await app.organization('Globex')
  const draft = await aDraft(globex)
  const spend = { agentId: draft.agentId, amount: 1, vendor: 'a.example.com', category: 'test' }
  const { transactionId } = (await globex.post('/gateway/evaluate', spend)).body
  // As if it had been delivered: a real delivery would change the tables while they are compared.
  await app.rows(
    `insert into webhook_deliveries (organization_id, id, kind, body, status, attempts, created_at)
     select organization_id, id, kind, '{}', 'succeeded', 1, now() from webhook_events where id = $1`,
    [toUuid('txn', transactionId)],
  )
  const card = await aCard(globex)
  const asking = await anActiveMandate(globex, ASKS)
  foreign = {
    cards: card.id,
    'card-connections': card.connectionId,
    transactions: transactionId,
    approvals: await askFor(globex, asking.agentId),
    webhooks: transactionId.replace('txn_', 'dlv_'),
    agents: draft.agentId,
    mandates: draft.id,
    vendors: (await globex.post('/vendors', { host: 'vendor.example' })).body.id,
    'api-keys': (await aKey(app, globex)).key.id,
  }
  refused = await refusedHeaders()
  const theirs = await aDraft(acme)
  const theirSpend = await acme.post('/gateway/evaluate', { ...spend, agentId: theirs.agentId })
  others = {
    agents: theirs.agentId,
    mandates: theirs.id,
    transactions: theirSpend.body.transactionId,
    approvals: await askFor(acme, (await anActiveMandate(acme, ASKS)).agentId),
  }
  const agentIds = [(await anAgent(acme)).id]
  const scopes = ['gateway:write', 'transactions:write']
  bound = (await aKey(app, acme, { agentIds, scopes })).client
})
afterAll(() => app.stop())

async function refusedHeaders() {
  const bearer = (key: string) => ({ authorization: `Bearer ${key}` })
  const { apiKey: live } = acme
  const revoked = await aKey(app, acme)
  await acme.delete(`/api-keys/${revoked.key.id}`)
  const expiresAt = new Date(Date.now() + DAY_MS).toISOString()
  const expired = await aKey(app, acme, { expiresAt })
  await app.rows(`update api_keys set expires_at = now() - interval '1 s' where public_id = $1`, [
    expired.key.prefix,
  ])
  return [
    ['no key', { authorization: '' }],
    ['an expired key', bearer(expired.key.apiKey)],
    ['a revoked key', bearer(revoked.key.apiKey)],
    ['a key that never was', bearer(mintApiKey('test').token)],
    ['a garbled key', bearer(live.slice(0, 25) + (live[25] === 'x' ? 'y' : 'x') + live.slice(26))],
    ['half a key', bearer(live.slice(0, 30))],
    ['a key and more', bearer(`${live}x`)],
    ['two keys', bearer(`${live}, Bearer ${live}`)],
    ['a key after two blanks', bearer(` ${live}`)],
    ['another scheme', { authorization: `Basic ${Buffer.from(`${live}:`).toString('base64')}` }],
    ['the key alone', { authorization: live }],
    ['a key of 10,000 characters', bearer('x'.repeat(10_000))],
    ['a key with a NUL', bearer('psr_test_\u0000')],
    ['a key in the wrong case', bearer(live.toUpperCase())],
  ] as const
}

function urlOf({ path }: Operation, id: string): string {
  return path.replace('/api/v1', '').replace('{id}', id)
}

const example = (operation: Operation): string =>
  JSON.stringify(exampleBody(document, operation) ?? {})

const json = { 'content-type': 'application/json' }

describe('without a live key every operation answers 401 and does nothing', () => {
  test.each(named)('%s', async (_, operation) => {
    const before = await dumpTables(app.database.db)
    const url = urlOf(operation, 'any')
    for (const [what, headers] of refused) {
      const request = { payload: example(operation), headers: { ...json, ...headers } }
      const { status, body, headers: sent } = await acme.send(operation.method, url, request)
      expect([status, body.code], what).toEqual([401, 'unauthenticated'])
      expect(sent['www-authenticate'], what).toBe('Bearer')
    }
    expect(await dumpTables(app.database.db)).toBe(before)
  })

  test('and the key is checked before anything about the body is told', async () => {
    const stranger = app.client('nobody')
    for (const payload of ['{', 'x'.repeat(300_000)]) {
      expect((await stranger.send('POST', '/agents', { payload, headers: json })).status).toBe(401)
    }
  })

  test('a key is found whatever the case of the word Bearer', async () => {
    const headers = { authorization: `bearer ${acme.apiKey}` }
    expect((await acme.get('/agents', headers)).status).toBe(200)
  })
})

describe("another organization's id is answered with 404 by every operation, nothing changed", () => {
  const withId = named.filter(([, operation]) => parametersOf(operation, 'path').length > 0)

  test.each(withId)('%s', async (_, operation) => {
    const kind = operation.path.split('/')[3] ?? ''
    const id = foreign[kind]
    expect(id, `a ${kind} of another organization`).toBeDefined()
    const before = await dumpTables(app.database.db)
    const { status, body } = await acme.send(operation.method, urlOf(operation, id ?? ''), {
      ...(operation.method !== 'GET' && { payload: example(operation), headers: json }),
      ...(operation.body === undefined && { payload: '' }),
    })
    expect([status, body.code]).toEqual([404, expect.stringMatching(/_not_found$/)])
    expect(await dumpTables(app.database.db)).toBe(before)
  })
})

describe("another agent's id with a key that is bound to others is answered with 404", () => {
  const NOT_BOUND = 'Agent-bound keys cannot call it.'
  const namesAgent = (operation: Operation): boolean =>
    [operation.body, ...(operation.body?.anyOf ?? [])].some(
      (schema) => schema && 'agentId' in (resolveSchema(document, schema).properties ?? {}),
    )
  const open = named.filter(([, operation]) => !operation.description?.includes(NOT_BOUND))
  // It answers alike whether or not there is what it names; its own tests look at what it does.
  const ALIKE = 'revokeMandateTokens'
  const withAgent = open.filter(
    ([id, operation]) => id !== ALIKE && (operation.path.includes('{id}') || namesAgent(operation)),
  )

  test('by every operation that lets such keys in and names something of an agent', () => {
    expect(withAgent.length).toBeGreaterThan(0)
    expect(withAgent.length).toBeLessThan(named.length)
  })

  test.each(withAgent)('%s', async (_, operation) => {
    const kind = operation.path.split('/')[3] ?? ''
    const id = others[operation.path.includes('{id}') ? kind : 'agents']
    expect(id, `a ${kind} of another agent`).toBeDefined()
    const stated = exampleBody(document, operation) ?? {}
    const body = namesAgent(operation) ? { ...stated, agentId: others['agents'] } : stated
    const before = await dumpTables(app.database.db)
    const answer = await bound.send(operation.method, urlOf(operation, id ?? ''), {
      ...(operation.body && { payload: JSON.stringify(body), headers: json }),
    })
    expect([answer.status, answer.body.code]).toEqual([404, expect.stringMatching(/_not_found$/)])
    expect(await dumpTables(app.database.db)).toBe(before)
  })
})
