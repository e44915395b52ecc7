import {
  commitTo,
  openCheckpoint,
  parseHash,
  parseVerifierKey,
  verifyConsistency,
  verifyInclusion,
} from '@purser/audit'
import { sha256, verifySignature } from '@purser/audit/node'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { type Client, createTestApp, type Owner, type TestApp } from '../../support/app.ts'
import { leavesOf, rootOf, sealAll } from '../../support/audit-log.ts'
import { aKey, anActiveMandate, anAgent, bodyOf } from '../../support/builders.ts'
import { aMember } from '../../support/people.ts'
import { type Evaluated, evaluate } from '../../support/spends.ts'

let app: TestApp
let acme: Owner
let spent: Evaluated

beforeAll(async () => {
  app = await createTestApp()
  acme = await app.organization()
  const { agentId } = await anActiveMandate(acme)
  spent = await evaluate(acme, agentId)
  for (let count = 0; count < 9; count++) await evaluate(acme, agentId, { amount: 1 })
  await sealAll(app)
})
afterAll(() => app.stop())

const leaf = () => spent.evaluationDetails.receipt?.leaf ?? ''
const hashesOf = (texts: readonly string[]) => texts.map((text) => parseHash(text) ?? Buffer.of())

const textOf = (_key: string, value: unknown) => (typeof value === 'bigint' ? `${value}` : value)
const NDJSON = 'application/x-ndjson'
const DAY = '2026-11-16T00:00:00Z'

interface LogPage {
  readonly log: string
  readonly size: number
  readonly data: readonly {
    readonly index: number
    readonly kind: string
    readonly commitment: string
    readonly salt: string | null
    readonly payload: object | null
  }[]
  readonly hasMore: boolean
  readonly nextCursor: number | null
}

async function readLog(client: Client, query = ''): Promise<LogPage> {
  const { status, text } = await client.get(`/audit-log?${query}`)
  expect(status).toBe(200)
  return JSON.parse(text)
}

describe('the list', () => {
  test('has every entry with what its leaf commits to, newest first', async () => {
    const { data, size, hasMore, nextCursor, log } = await readLog(acme)
    const leaves = await leavesOf(app, acme)
    expect(size).toBe(leaves.length)
    expect(data.map(({ index }) => index)).toEqual(
      leaves.map(({ index }) => Number(index)).reverse(),
    )
    expect({ hasMore, nextCursor }).toEqual({ hasMore: false, nextCursor: null })
    expect(log).toBe(spent.evaluationDetails.receipt?.log)
    for (const { salt, payload, commitment } of data) {
      expect(commitTo(payload, Buffer.from(String(salt), 'hex'), sha256)).toBe(commitment)
    }
  })

  test('goes on behind a cursor', async () => {
    const first = await readLog(acme, 'limit=4')
    expect(first).toMatchObject({ hasMore: true })
    const second = await readLog(acme, `limit=4&cursor=${first.nextCursor}`)
    const indexes = [...first.data, ...second.data].map(({ index }) => index)
    const { size } = first
    expect(indexes).toEqual(Array.from({ length: 8 }, (_, place) => size - 1 - place))
  })

  test('has pages of 50 where nobody says otherwise', async () => {
    const globex = await app.organization()
    const agents = Array.from({ length: 55 }, (_, n) => anAgent(globex, { name: `Agent ${n}` }))
    await Promise.all(agents)
    await sealAll(app)
    const { data, size, nextCursor } = await readLog(globex)
    expect([data.length, nextCursor]).toEqual([50, size - 50])
  })

  test.each([
    ['kind=change.mandate.activated', ['change.mandate.activated']],
    ['kind=log.begun', ['log.begun']],
    ['kind=change.vendor.updated', []],
    ['kind=change.mandate.activated,log.begun', ['change.mandate.activated', 'log.begun']],
    ['kind=log.', ['log.begun']],
    ['kind=log.*', ['log.begun']],
    ['kind=change.vendor.*,log.begun', ['log.begun']],
    ['to=2020-01-01T00:00:00Z', []],
  ])('finds %s', async (query, kinds) => {
    const { data } = await readLog(acme, query)
    expect(data.map(({ kind }) => kind)).toEqual(kinds)
  })

  test('finds what is about one thing, and what one agent did', async () => {
    const about = await readLog(acme, `subject=${spent.transactionId}`)
    expect(about.data).toMatchObject([{ leaf: leaf(), payload: { amountMicros: '10000000' } }])
    const by = await readLog(acme, `actor=${spent.agentId}&from=2020-01-01T00:00:00Z`)
    expect(by.data).toHaveLength(10)
  })

  test('names people in payloads only, which can be removed', async () => {
    const globex = await app.organization()
    const ada = await aMember(app, globex, { email: 'ada.lovelace@example.com' })
    bodyOf(await ada.post('/api/v1/agents', { name: 'Agent of Ada' }))
    await sealAll(app)
    const { data } = await readLog(globex)
    const by = data.filter(({ payload }) => JSON.stringify(payload).includes(ada.email))
    expect(by.map(({ kind }) => kind)).toEqual(
      expect.arrayContaining(['change.member.joined', 'change.agent.created']),
    )
    const leaves = JSON.stringify(await leavesOf(app, globex), textOf)
    expect(leaves).toContain(ada.id)
    expect(leaves.toLowerCase()).not.toMatch(/lovelace|@/)
  })

  test('has nothing of another organization', async () => {
    const globex = await app.organization()
    await sealAll(app)
    const { data } = await readLog(globex, `subject=${spent.transactionId}`)
    expect(data).toEqual([])
    expect((await globex.get(`/audit-log/proof?leaf=${leaf()}`)).body.code).toBe('leaf_not_found')
  })

  test.each(['/audit-log', '/audit-log/proof'])('is for keys that may read it: %s', async (url) => {
    const { client } = await aKey(app, acme, { scopes: ['transactions:read'] })
    expect((await client.get(url)).body.code).toBe('insufficient_scope')
    const bound = await aKey(app, acme, { agentIds: [spent.agentId] })
    expect((await bound.client.get(url)).status).toBe(403)
    expect((await app.client('nothing').get(url)).status).toBe(401)
  })

  test.each(['kind=log.begun', 'subject=x', 'actor=cli', `from=${DAY}`, `to=${DAY}`, 'limit=5'])(
    'takes no filter for an export, which would not hold all leaves: %s',
    async (query) => {
      const name = query.split('=')[0]
      const { status, body } = await acme.get(`/audit-log?${query}`, { accept: NDJSON })
      expect({ status, code: body.code }).toEqual({ status: 400, code: 'validation_failed' })
      expect(body.detail).toContain(`/${name} is not allowed for an export`)
    },
  )

  test('is not asked for a time that ends before it begins', async () => {
    const { status, body } = await acme.get(`/audit-log?from=${DAY}&to=2020-01-01T00:00:00Z`)
    expect([status, body.code]).toEqual([400, 'validation_failed'])
    expect(body.detail).toBe('In the query, /to must not be before from.')
  })

  test('is not asked for a kind that there is not', async () => {
    const { status, body } = await acme.get('/audit-log?kind=mandate.activated')
    expect([status, body.code]).toEqual([400, 'validation_failed'])
    expect(body.detail).toMatch(
      /^In the query, \/kind is not one of the \d+ values .* \(did you mean change\.mandate\.activated\?\)/,
    )
  })

  test('knows no place behind its end', async () => {
    expect((await acme.get('/audit-log?cursor=1000')).body.code).toBe('log_shorter')
  })
})

describe('a proof', () => {
  async function checkpointOf(body: { keys: string[]; checkpoint: string }) {
    const keys = body.keys.flatMap((text) => parseVerifierKey(text, sha256) ?? [])
    const checkpoint = openCheckpoint(body.checkpoint, keys, verifySignature)
    if (typeof checkpoint === 'string') throw new Error(checkpoint)
    return checkpoint
  }

  test('is the signed state where nothing else is asked for', async () => {
    const body = JSON.parse((await acme.get('/audit-log/proof')).text)
    const leaves = await leavesOf(app, acme)
    expect(await checkpointOf(body)).toMatchObject({ size: leaves.length, root: rootOf(leaves) })
    expect(body).toMatchObject({ inclusion: null, consistency: null })
  })

  test('shows that the leaf of a receipt is in the log, of each size that has it', async () => {
    const { length } = await leavesOf(app, acme)
    const first = JSON.parse((await acme.get(`/audit-log/proof?leaf=${leaf()}`)).text)
    for (let size = first.inclusion.index + 1; size <= length; size++) {
      const url = `/audit-log/proof?index=${first.inclusion.index}&size=${size}`
      const body = JSON.parse((await acme.get(url)).text)
      const { root } = await checkpointOf(body)
      const { index, hashes } = body.inclusion
      const leafHash = parseHash(leaf()) ?? Buffer.of()
      const claim = { leafHash, index, size, root, hashes: hashesOf(hashes) }
      expect(verifyInclusion(claim, sha256)).toBe(true)
    }
  })

  test('shows that the log went on from each of its earlier states', async () => {
    const leaves = await leavesOf(app, acme)
    for (let from = 0; from <= leaves.length; from++) {
      const body = JSON.parse((await acme.get(`/audit-log/proof?from=${from}`)).text)
      const { root, size } = await checkpointOf(body)
      const firstRoot = parseHash(body.consistency.root) ?? Buffer.of()
      expect(firstRoot).toEqual(rootOf(leaves.slice(0, from)))
      const hashes = hashesOf(body.consistency.hashes)
      const claim = { first: from, firstRoot, second: size, secondRoot: root, hashes }
      expect(verifyConsistency(claim, sha256)).toBe(true)
    }
  })

  test('shows both for one state, if both are requested', async () => {
    const leaves = await leavesOf(app, acme)
    const size = leaves.length - 1
    for (const end of [`size=${size}`, `to=${size}`, `size=${size}&to=${size}`]) {
      const url = `/audit-log/proof?index=1&from=2&${end}`
      const body = JSON.parse((await acme.get(url)).text)
      const { root } = await checkpointOf(body)
      expect(body.size).toBe(size)
      const inclusion = { leafHash: parseHash(body.inclusion.leaf) ?? Buffer.of(), index: 1 }
      const hashes = hashesOf(body.inclusion.hashes)
      expect(verifyInclusion({ ...inclusion, size, root, hashes }, sha256)).toBe(true)
      const firstRoot = parseHash(body.consistency.root) ?? Buffer.of()
      const growth = { first: 2, firstRoot, second: size, secondRoot: root }
      const grown = { ...growth, hashes: hashesOf(body.consistency.hashes) }
      expect(verifyConsistency(grown, sha256)).toBe(true)
    }
  })

  test.each([
    [`leaf=${'0'.repeat(64)}`, 'leaf_not_found'],
    ['index=0&size=0', 'leaf_not_found'],
    ['index=5&size=3', 'leaf_not_found'],
    ['size=1000', 'log_shorter'],
    ['from=5&to=3', 'validation_failed'],
    ['from=1000', 'log_shorter'],
    ['index=1&size=3&to=2', 'validation_failed'],
    ['index=1&size=1&from=2', 'validation_failed'],
    [`index=1&leaf=${'0'.repeat(64)}`, 'validation_failed'],
  ])('of %s is refused with %s', async (query, code) => {
    expect((await acme.get(`/audit-log/proof?${query}`)).body.code).toBe(code)
  })

  test('waits for the first signature of a log', async () => {
    const other = await createTestApp()
    try {
      const owner = await other.organization()
      await anAgent(owner)
      expect((await owner.get('/audit-log/proof')).body.code).toBe('log_shorter')
      const ndjson = await owner.get('/audit-log', { accept: NDJSON })
      expect(ndjson.body.code).toBe('log_shorter')
      expect(await readLog(owner)).toMatchObject({ size: 0, data: [] })
    } finally {
      await other.stop()
    }
  })
})
