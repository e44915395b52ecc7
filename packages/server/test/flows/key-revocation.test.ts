import { afterAll, beforeAll, expect, test } from 'vitest'
import { createTestApp, joinTestApp, type Owner, type TestApp } from '../support/app.ts'
import { aKey, anAgent } from '../support/builders.ts'
import { describeOnPostgres } from '../support/database.ts'
import { waitUntil } from '../support/wait-until.ts'

/** Each of the two processes hears of keys, and of sessions. */
const LISTENERS = 4
/** By the last statement of a connection: after a while that is a sign of life. */
const IS_LISTENING = `query ilike any (array['listen%', 'select 1'])`

describeOnPostgres('a revocation', () => {
  let first: TestApp
  let second: TestApp
  let acme: Owner

  beforeAll(async () => {
    first = await createTestApp('postgres')
    second = await joinTestApp(first)
    acme = await first.organization()
    // Nothing that is cached becomes too old: what ends it is that it is told of.
    first.clock.now = second.clock.now = Date.now()
  })
  afterAll(async () => {
    await second.stop()
    await first.stop()
  })

  /** A key that both processes have in their caches. */
  async function aCachedKey() {
    const { key } = await aKey(first, acme)
    const clients = [first.client(key.apiKey), second.client(key.apiKey)]
    for (const client of clients) expect((await client.get('/agents')).status).toBe(200)
    return { key, refusedBy: (index: 0 | 1) => isRefused(clients[index]) }
  }

  const isRefused = async (client: ReturnType<TestApp['client']> | undefined) =>
    (await client?.get('/agents'))?.status === 401

  test('reaches every process at once', async () => {
    const { key, refusedBy } = await aCachedKey()
    expect((await acme.delete(`/api-keys/${key.id}`)).status).toBe(200)
    await waitUntil(() => refusedBy(1))
    await waitUntil(() => refusedBy(0))
  })

  test('by deleting the agent of a key reaches every process at once', async () => {
    const { id } = await anAgent(acme)
    const { key } = await aKey(first, acme, { agentIds: [id] })
    const client = second.client(key.apiKey)
    expect((await client.get('/agents')).status).toBe(200)
    await acme.delete(`/agents/${id}`)
    await waitUntil(() => isRefused(client))
  })

  test('reaches every process at once after the listening connections were lost', async () => {
    const { key, refusedBy } = await aCachedKey()
    const ended = await first.rows<{ ended: boolean }>(
      `select pg_terminate_backend(pid) as ended from pg_stat_activity
       where datname = current_database() and ${IS_LISTENING}`,
    )
    expect(ended).toHaveLength(LISTENERS)
    expect((await acme.delete(`/api-keys/${key.id}`)).status).toBe(200)
    await waitUntil(() => refusedBy(1))
    await waitUntil(() => refusedBy(0))
  })

  test('reaches every process at once when the listeners are back', async () => {
    const listening = () =>
      first.rows(
        `select 1 from pg_stat_activity where datname = current_database()
         and ${IS_LISTENING} and state = 'idle'`,
      )
    await waitUntil(async () => (await listening()).length === LISTENERS)
    const { key, refusedBy } = await aCachedKey()
    await acme.delete(`/api-keys/${key.id}`)
    await waitUntil(() => refusedBy(1))
  })
})
