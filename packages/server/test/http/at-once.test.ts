import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest'
import { createTestApp, type Owner, type TestApp } from '../support/app.ts'
import { aKey, anActiveMandate } from '../support/builders.ts'
import { usualEngine } from '../support/database.ts'
import { type EventStream, openEventStream } from '../support/event-stream.ts'
import { headOf, openConnection, type RawConnection } from '../support/raw-connection.ts'
import { STAYS_OPEN } from '../support/row-lock.ts'
import { waitUntil } from '../support/wait-until.ts'

let app: TestApp
let acme: Owner
let url: string
const open: { close(): void }[] = []

beforeAll(async () => {
  app = await createTestApp()
  acme = await app.organization()
  url = await app.app.listen({ port: 0, host: '127.0.0.1' })
})
afterAll(() => app.stop())
afterEach(() => {
  for (const one of open.splice(0)) one.close()
})

describe('a key may have under way at a time', () => {
  test('20 event streams; another key has its own, and one that ends makes room', async () => {
    const { key } = await aKey(app, acme)
    const stream = async (apiKey = acme.apiKey): Promise<EventStream> => {
      const opened = await openEventStream(url, apiKey)
      open.push(opened)
      return opened
    }
    const streams: EventStream[] = []
    for (let count = 0; count < 20; count++) streams.push(await stream())
    expect(streams.map(({ status }) => status)).toEqual(Array(20).fill(200))
    const refused = await stream()
    expect([refused.status, refused.headers['retry-after']]).toEqual([429, '1'])
    await waitUntil(() => refused.text.includes('"rate_limited"'))
    expect(refused.text).toContain('"limited":"event_streams","limit":20')
    expect((await stream(key.apiKey)).status).toBe(200)
    streams[0]?.close()
    await waitUntil(async () => (await stream()).status === 200)
  })

  // On the embedded engine a transaction holds everybody up, also those who are to be refused.
  test.runIf(usualEngine() === 'postgres')('4 exports', async () => {
    const head = headOf(
      'GET',
      '/api/v1/transactions/export?format=ndjson',
      `authorization: Bearer ${acme.apiKey}`,
    )
    // Not one answer can be finished before the database gives what it is asked for.
    const connections: RawConnection[] = []
    await app.database.db.transaction(async (tx) => {
      await tx.query(STAYS_OPEN)
      await tx.query({ text: 'lock table transactions in access exclusive mode' })
      for (let count = 0; count < 5; count++) {
        const connection = await openConnection(url)
        open.push({ close: connection.end })
        connections.push(connection)
        connection.write(head)
      }
      await waitUntil(() => connections.some((one) => one.statuses().includes('429')))
    })
    const statuses = () => connections.flatMap((one) => one.statuses()).sort()
    await waitUntil(() => statuses().length === 5)
    expect(statuses()).toEqual(['200', '200', '200', '200', '429'])
  })

  test('16 simulations, and as many again after them', async () => {
    const { agentId } = await anActiveMandate(acme)
    const spend = { agentId, amount: 1, vendor: 'example.com', category: 'data' }
    const simulate = (count: number) =>
      Promise.all(Array.from({ length: count }, () => acme.post('/gateway/simulate', spend)))
    for (let round = 0; round < 2; round++) {
      const statuses = (await simulate(16)).map(({ status }) => status)
      expect(statuses).toEqual(Array(16).fill(200))
    }
    const answers = await simulate(40)
    const refused = answers.filter(({ status }) => status === 429)
    expect(refused.length).toBeGreaterThan(0)
    const which = { code: 'rate_limited', limited: 'simulations', limit: 16 }
    expect(refused[0]?.body).toMatchObject(which)
    expect(refused[0]?.headers['retry-after']).toBe('1')
  })
})
