import { afterEach, beforeEach, expect, test } from 'vitest'
import type { Database } from '../../src/storage/engine/database.ts'
import { openPostgres } from '../../src/storage/engine/postgres.ts'
import { createTestApp, type Owner, TEST_CONFIG, type TestApp } from '../support/app.ts'
import { aKey, anActiveMandate } from '../support/builders.ts'
import { describeOnPostgres } from '../support/database.ts'
import { type EventStream, openEventStream } from '../support/event-stream.ts'
import { headOf, openConnection } from '../support/raw-connection.ts'
import { countLockWaits, holdLocks, lockMandateRow } from '../support/row-lock.ts'
import { silentLog } from '../support/silent-log.ts'
import { waitUntil } from '../support/wait-until.ts'

const LIMITS = { inFlight: { perOrganization: 30, perKey: 3 }, requestsPerMinute: null }
const STREAMS_PER_KEY = 20

describeOnPostgres('a place is given back', () => {
  let app: TestApp
  let outside: Database
  let acme: Owner
  let url: string
  const streams: EventStream[] = []

  beforeEach(async () => {
    app = await createTestApp('postgres', { ...TEST_CONFIG, limits: LIMITS })
    outside = await openPostgres({ url: app.database.url, connectionsMax: 2 }, silentLog)
    acme = await app.organization()
    url = await app.app.listen({ port: 0, host: '127.0.0.1' })
  })
  afterEach(async () => {
    for (const stream of streams.splice(0)) stream.close()
    await outside.close()
    await app.stop()
  })

  const toStream = (): string =>
    headOf(
      'GET',
      '/api/v1/events',
      `authorization: Bearer ${acme.apiKey}`,
      'accept: text/event-stream',
    )

  /** Whether the key can have as many streams as it may. */
  async function hasAllStreams(): Promise<boolean> {
    for (const stream of streams.splice(0)) stream.close()
    for (let count = 0; count < STREAMS_PER_KEY; count++) {
      streams.push(await openEventStream(url, acme.apiKey))
    }
    return streams.every(({ status }) => status === 200)
  }

  test('by requests that waited behind another answer on a connection that closes', async () => {
    const { id, agentId } = await anActiveMandate(acme)
    const { key } = await aKey(app, acme)
    const { release } = await lockMandateRow(outside, id)
    const body = JSON.stringify({ agentId, amount: 0.1, vendor: 'a.example', category: 'test' })
    const toEvaluate = (apiKey: string): string =>
      headOf(
        'POST',
        '/api/v1/gateway/evaluate',
        `authorization: Bearer ${apiKey}`,
        'content-type: application/json',
        `content-length: ${Buffer.byteLength(body)}`,
      ) + body
    const connection = await openConnection(url)
    connection.write(toEvaluate(key.apiKey) + toEvaluate(acme.apiKey).repeat(3))
    await waitUntil(async () => (await countLockWaits(outside)) > 0)
    await waitUntil(async () => (await acme.get('/agents')).status === 429)
    connection.end()
    await waitUntil(async () => (await acme.get('/agents')).status === 200)
    await release()
  })

  test('by event streams that waited behind another on a connection that closes', async () => {
    const connection = await openConnection(url)
    connection.write(toStream().repeat(STREAMS_PER_KEY))
    await waitUntil(() => connection.statuses().length > 0)
    // Each stays open: one that came before a waiting stream has its place, and would be free again.
    await waitUntil(async () => {
      streams.push(await openEventStream(url, acme.apiKey))
      return streams.at(-1)?.status === 429
    })
    connection.end()
    await waitUntil(hasAllStreams)
  })

  test('by event streams whose client has gone before they could begin', async () => {
    await acme.get('/events')
    const lock = { text: 'lock table webhook_events in access exclusive mode' }
    const { release } = await holdLocks(outside, lock)
    const before = await Promise.all(Array.from({ length: 4 }, () => openConnection(url)))
    for (const connection of before) connection.write(toStream())
    await waitUntil(async () => (await countLockWaits(outside)) > 0)
    for (const connection of before) connection.end()
    await waitUntil(() => before.every(({ received }) => received.isOver))
    await release()
    await waitUntil(hasAllStreams)
    expect(streams).toHaveLength(STREAMS_PER_KEY)
  })
})
