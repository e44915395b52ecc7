import { get } from 'node:http'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { createMetering, type Metering } from '../../src/process/observation/metering.ts'
import type { Database } from '../../src/storage/engine/database.ts'
import { openPostgres } from '../../src/storage/engine/postgres.ts'
import {
  type Answer,
  type Client,
  createTestApp,
  createTestAppOn,
  type Owner,
  TEST_CONFIG,
  type TestApp,
} from '../support/app.ts'
import { aKey, anActiveMandate } from '../support/builders.ts'
import { createTestDatabase, describeOnPostgres } from '../support/database.ts'
import { countLockWaits, lockMandateRow } from '../support/row-lock.ts'
import { silentLog } from '../support/silent-log.ts'
import { waitUntil } from '../support/wait-until.ts'

const LIMITS = { inFlight: { perOrganization: 5, perKey: 3 }, requestsPerMinute: null }

describeOnPostgres('requests in flight', () => {
  let app: TestApp
  let metering: Metering
  let outside: Database
  let acme: Owner
  let stuck: { readonly id: string; readonly agentId: string }
  let release: () => Promise<void>

  beforeEach(async () => {
    metering = createMetering()
    app = await createTestApp('postgres', { limits: LIMITS }, undefined, metering)
    outside = await openPostgres({ url: app.database.url, connectionsMax: 2 }, silentLog)
    acme = await app.organization()
    stuck = await anActiveMandate(acme)
    release = (await lockMandateRow(outside, stuck.id)).release
  })
  afterEach(async () => {
    await release()
    await outside.close()
    await metering.stop()
    await app.stop()
  })

  const aSpend = () => ({
    agentId: stuck.agentId,
    amount: 0.1,
    vendor: 'a.example',
    category: 'test',
  })
  const evaluate = (client: Client): Promise<Answer> => client.post('/gateway/evaluate', aSpend())
  /** Requests that wait until the row is released. */
  async function aFlood(client: Client, count: number): Promise<readonly Promise<Answer>[]> {
    const flood = Array.from({ length: count }, () => evaluate(client))
    await waitUntil(async () => (await countLockWaits(outside)) > 0)
    return flood
  }

  const countRefusals = async () => (await metering.read()).purser_ratelimited_total

  test('of one key are refused beyond its limit, and those of another key are not', async () => {
    const { client: other } = await aKey(app, acme)
    const flood = await aFlood(acme, 3)
    const refused = await acme.get('/agents')
    expect([refused.status, refused.headers['retry-after'], refused.body]).toEqual([
      429,
      '1',
      expect.objectContaining({ code: 'rate_limited', limited: 'in_flight_per_key', limit: 3 }),
    ])
    expect(await countRefusals()).toEqual([{ labels: ['in_flight_per_key'], value: 1 }])
    expect((await other.get('/agents')).status).toBe(200)
    await release()
    expect((await Promise.all(flood)).map(({ status }) => status)).toEqual([200, 200, 200])
    expect((await acme.get('/agents')).status).toBe(200)
  })

  test('of all keys of an organization are refused beyond its limit, and nobody else is', async () => {
    const { client: other } = await aKey(app, acme)
    const globex = await app.organization('Globex')
    const flood = [...(await aFlood(acme, 3)), ...(await aFlood(other, 2))]
    const refused = await other.get('/agents')
    expect([refused.status, refused.headers['retry-after'], refused.body]).toEqual([
      503,
      '1',
      expect.objectContaining({ code: 'overloaded', limit: 5 }),
    ])
    // This problem names no limit, so the metric knows it by its absence.
    expect(await countRefusals()).toEqual([{ labels: ['in_flight_per_organization'], value: 1 }])
    expect((await globex.get('/agents')).status).toBe(200)
    await release()
    await Promise.all(flood)
    expect((await other.get('/agents')).status).toBe(200)
  })

  test('are counted out when they end in an error', async () => {
    const statuses: number[] = []
    for (let count = 0; count < 8; count += 1) {
      statuses.push((await acme.post('/agents', { name: 1 })).status)
      statuses.push((await acme.get('/nowhere')).status)
    }
    expect(new Set(statuses)).toEqual(new Set([400, 404]))
    expect((await acme.get('/agents')).status).toBe(200)
  })

  test('are counted out when their client has gone, and streams are not counted at all', async () => {
    const url = await app.app.listen({ port: 0, host: '127.0.0.1' })
    const headers = { authorization: `Bearer ${acme.apiKey}` }
    const accept = 'text/event-stream'
    const streams = Array.from({ length: 6 }, () =>
      get(`${url}/api/v1/events`, { headers: { ...headers, accept } }),
    )
    const opened = streams.map(
      (stream) =>
        new Promise<number>((resolve) => stream.on('response', (r) => resolve(r.statusCode ?? 0))),
    )
    expect(await Promise.all(opened)).toEqual([200, 200, 200, 200, 200, 200])

    const body = JSON.stringify(aSpend())
    const ending = new AbortController()
    let refused = 0
    const sent = Array.from({ length: 6 }, async () => {
      const request = { method: 'POST', body, signal: ending.signal }
      const type = { 'content-type': 'application/json' }
      const answer = await fetch(`${url}/api/v1/gateway/evaluate`, {
        ...request,
        headers: { ...headers, ...type },
      })
      refused += Number(answer.status === 429)
    })
    const gone = Promise.allSettled(sent)
    await waitUntil(() => refused === 3)
    ending.abort()
    await gone
    await waitUntil(async () => (await acme.get('/agents')).status === 200)
    for (const stream of streams) stream.destroy()
  })
})

describe('requests a minute on the plan self_hosted', () => {
  test('are limited if the operator says so, and shown', async () => {
    const database = await createTestDatabase()
    const limits = { ...TEST_CONFIG.limits, requestsPerMinute: 3 }
    const app = await createTestAppOn(database, database.db, { limits })
    const acme = await app.organization()
    const usage = await acme.get('/organization/usage')
    expect(usage.body).toMatchObject({ plan: 'self_hosted', requestsPerMinute: { limit: 3 } })
    expect(usage.headers['ratelimit-remaining']).toBe('2')
    await acme.get('/agents')
    await acme.get('/agents')
    expect(await acme.get('/agents')).toMatchObject({ status: 429, body: { code: 'rate_limited' } })
    await app.stop()
  })
})
