import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { createTestApp, joinTestApp, type Owner, type TestApp } from '../support/app.ts'
import { aKey, anActiveMandate } from '../support/builders.ts'
import { describeOnPostgres } from '../support/database.ts'
import { type EventStream, openEventStream } from '../support/event-stream.ts'
import { evaluate } from '../support/spends.ts'
import { waitUntil } from '../support/wait-until.ts'

const STREAMS_MAX = 500
const STREAMS_PER_ORGANIZATION_MAX = 50
const STREAMS_PER_KEY_MAX = 20

const listen = ({ app }: TestApp) => app.listen({ port: 0, host: '127.0.0.1' })

describe('a stream of events that lasts', () => {
  let app: TestApp
  let url: string
  let quiet: Owner
  let busy: Owner
  let agentId: string

  beforeAll(async () => {
    app = await createTestApp()
    url = await listen(app)
    quiet = await app.organization()
    busy = await app.organization()
    agentId = (await anActiveMandate(busy, { budgetTotal: 1_000 })).agentId
  })
  afterAll(() => app.stop())

  async function openWithKey(owner: Owner, fields = {}) {
    const { key } = await aKey(app, owner, fields)
    const stream = await openEventStream(url, key.apiKey)
    return { key, stream }
  }

  /** Something happens again and again, until it is over. */
  async function keepBusy(until: () => boolean): Promise<void> {
    await waitUntil(async () => {
      await evaluate(busy, agentId, { amount: 0.01 })
      return until()
    })
  }

  // One test, because each of these takes fifteen seconds and more.
  test('says that it is there, and ends once its key is revoked or has expired, busy or not', async () => {
    const live = await openEventStream(url, quiet.apiKey)
    const revoked = await openWithKey(quiet)
    const revokedBusy = await openWithKey(busy)
    const expiresAt = new Date(Date.now() + 10_000).toISOString()
    const expired = await openWithKey(quiet, { expiresAt })
    await waitUntil(() => revokedBusy.stream.text !== '')
    for (const [owner, { key }] of [
      [quiet, revoked],
      [busy, revokedBusy],
    ] as const) {
      expect((await owner.delete(`/api-keys/${key.id}`)).status).toBe(200)
    }
    await keepBusy(() => revokedBusy.stream.end !== undefined)
    await waitUntil(() => live.text.includes(': still here\n\n'))
    const ending = [revoked, expired]
    await waitUntil(() => ending.every(({ stream }) => stream.end !== undefined))
    expect({
      live: live.end,
      revoked: revoked.stream.end,
      expired: expired.stream.end,
      revokedBusy: revokedBusy.stream.end,
    }).toEqual({ live: undefined, revoked: 'ended', expired: 'ended', revokedBusy: 'ended' })
  })
})

describe('a gateway that stops', () => {
  test('ends its streams in good order and does not wait for their clients', async () => {
    const app = await createTestApp()
    const url = await listen(app)
    const acme = await app.organization()
    const streams = await Promise.all(
      Array.from({ length: 5 }, () => openEventStream(url, acme.apiKey)),
    )
    await waitUntil(() => streams.every(({ text }) => text !== ''))
    // The clients stay: would it wait for them, it would wait for ever.
    await app.stop()
    await waitUntil(() => streams.every(({ end }) => end !== undefined))
    expect(streams.map(({ end }) => end)).toEqual(Array(5).fill('ended'))
  })
})

describeOnPostgres('streams of events', () => {
  let app: TestApp
  let url: string
  let acme: Owner

  // An app for each: a stream that its client has left keeps its place for up to a second.
  beforeEach(async () => {
    app = await createTestApp('postgres')
    url = await listen(app)
    acme = await app.organization()
  })
  afterEach(() => app.stop())

  test('tell of what another process has decided', async () => {
    const other = await joinTestApp(app)
    const stream = await openEventStream(url, acme.apiKey)
    await waitUntil(() => stream.text !== '')
    const { agentId } = await anActiveMandate(acme)
    const { transactionId } = await evaluate(other.client(acme.apiKey) as Owner, agentId)
    await waitUntil(() => stream.events.length === 1)
    expect(stream.events[0]?.data).toContain(transactionId)
    stream.close()
    await other.stop()
  })

  /** With as many keys as are needed: one key may open fewer than its organization. */
  async function openMany(owner: Owner, count: number): Promise<EventStream[]> {
    const keys = [owner.apiKey]
    while (keys.length * STREAMS_PER_KEY_MAX < count) {
      const { key } = await aKey(app, owner)
      keys.push(key.apiKey)
    }
    return Promise.all(
      Array.from({ length: count }, (_, place) =>
        openEventStream(url, keys[Math.floor(place / STREAMS_PER_KEY_MAX)] ?? owner.apiKey),
      ),
    )
  }

  test('are fifty at most for an organization; a place that is freed is given away', async () => {
    const streams = await openMany(acme, STREAMS_PER_ORGANIZATION_MAX)
    expect(new Set(streams.map(({ status }) => status))).toEqual(new Set([200]))
    const refused = await openEventStream(url, acme.apiKey)
    expect([refused.status, refused.headers['retry-after']]).toEqual([503, '5'])
    const globex = await openEventStream(url, (await app.organization('Globex')).apiKey)
    expect(globex.status).toBe(200)
    streams.shift()?.close()
    await waitUntil(async () => {
      const stream = await openEventStream(url, acme.apiKey)
      streams.push(stream)
      return stream.status === 200
    })
    for (const stream of [...streams, globex]) stream.close()
  })

  test('are five hundred at most in all', async () => {
    const streams: EventStream[] = []
    while (streams.length < STREAMS_MAX) {
      streams.push(...(await openMany(await app.organization(), STREAMS_PER_ORGANIZATION_MAX)))
    }
    expect(new Set(streams.map(({ status }) => status))).toEqual(new Set([200]))
    expect((await openEventStream(url, acme.apiKey)).status).toBe(503)
    for (const stream of streams) stream.close()
  })
})
