import { pino } from 'pino'
import { afterEach, beforeEach, expect, inject, test } from 'vitest'
import { buildApp } from '../../src/process/server.ts'
import type { Database } from '../../src/storage/engine/database.ts'
import { openPostgres } from '../../src/storage/engine/postgres.ts'
import { createSealer } from '../../src/storage/secrets/sealed.ts'
import { createTestApp, type Owner, TEST_CONFIG, type TestApp } from '../support/app.ts'
import { audit } from '../support/audit.ts'
import { anActiveMandate } from '../support/builders.ts'
import { describeOnPostgres } from '../support/database.ts'
import { silentLog } from '../support/silent-log.ts'
import { aSpend, budgetOf, evaluate } from '../support/spends.ts'
import { startTcpProxy, type TcpProxy } from '../support/tcp-proxy.ts'
import { waitUntil } from '../support/wait-until.ts'

/** The gateway under test reaches the database through a proxy that can cut it off. */
describeOnPostgres('a gateway that loses its database', () => {
  let straight: TestApp
  let acme: Owner
  let proxy: TcpProxy
  let db: Database
  let gateway: Awaited<ReturnType<typeof buildApp>>

  beforeEach(async () => {
    straight = await createTestApp('postgres')
    acme = await straight.organization()
    proxy = await startTcpProxy(straight.database.url)
    db = await openPostgres({ url: proxy.url }, silentLog)
    const storage = { db, sealer: createSealer(Buffer.alloc(32, 7)) }
    gateway = await buildApp(storage, TEST_CONFIG, pino({ level: 'silent' }))
  })
  afterEach(async () => {
    await gateway.stop()
    await db.close()
    await proxy.close()
    await straight.stop()
  })

  async function send(agentId: string, key: string, fields = {}) {
    const answer = await gateway.app.inject({
      method: 'POST',
      url: '/api/v1/gateway/evaluate',
      headers: {
        authorization: `Bearer ${acme.apiKey}`,
        'content-type': 'application/json',
        'idempotency-key': key,
      },
      payload: JSON.stringify(aSpend(agentId, fields)),
    })
    return {
      status: answer.statusCode,
      text: answer.body,
      code: answer.json<{ code: string }>().code,
      retryAfter: answer.headers['retry-after'],
      isReplay: answer.headers['idempotent-replayed'] === 'true',
    }
  }

  const UNKNOWN = { status: 503, code: 'storage_unavailable', retryAfter: '1' }

  const countOf = async () =>
    (await straight.rows('select count(*)::int as n from transactions'))[0]?.['n']

  test('after the commit was sent says that it does not know, and a repeat finds out', async () => {
    const { agentId, id } = await anActiveMandate(acme)
    await send(agentId, 'warm up')
    proxy.cutAnswerTo('commit')
    expect(await send(agentId, 'unknown', { amount: 30 })).toMatchObject(UNKNOWN)
    await waitUntil(async () => (await countOf()) === 2)

    const repeated = await send(agentId, 'unknown', { amount: 30 })
    expect(repeated).toMatchObject({ status: 200, isReplay: true })
    expect(JSON.parse(repeated.text)).toMatchObject({ decision: 'approved', remainingBudget: 60 })
    expect([await countOf(), await budgetOf(acme, id)]).toEqual([2, [40, 0, 60]])
    expect(await audit(straight.database.db)).toEqual([])
  })

  test('before the commit has stored nothing, and a repeat decides', async () => {
    const { agentId, id } = await anActiveMandate(acme)
    await send(agentId, 'warm up')
    proxy.cutAnswerTo('lock-line-of')
    expect(await send(agentId, 'lost', { amount: 30 })).toMatchObject(UNKNOWN)
    const repeated = await send(agentId, 'lost', { amount: 30 })
    expect(repeated).toMatchObject({ status: 200, isReplay: false })
    expect(await budgetOf(acme, id)).toEqual([40, 0, 60])
  })

  test('in the middle of a batch tells all of it, and nobody else', async () => {
    const { agentId, id } = await anActiveMandate(acme)
    await send(agentId, 'warm up', { amount: 1 })
    proxy.cutAnswerTo('commit')
    const batch = Array.from({ length: 10 }, (_, n) => send(agentId, `batch ${n}`, { amount: 1 }))
    const answers = await Promise.all(batch)
    const lost = answers.filter(({ status }) => status === 503)
    expect(lost.length).toBeGreaterThan(0)
    expect(answers.every(({ status }) => status === 200 || status === 503)).toBe(true)
    const repeats = await Promise.all(
      answers.map((_, n) => send(agentId, `batch ${n}`, { amount: 1 })),
    )
    expect(repeats.map(({ status }) => status)).toEqual(Array(10).fill(200))
    expect(await budgetOf(acme, id)).toEqual([11, 0, 89])
    expect(await countOf()).toBe(11)
  })

  test('for a while answers 503 meanwhile, and decides again as soon as it is back', async () => {
    const { agentId } = await anActiveMandate(acme)
    await send(agentId, 'before')
    const name = new URL(straight.database.url).pathname.slice(1)
    const server = await openPostgres({ url: inject('postgresUrl'), connectionsMax: 1 }, silentLog)
    await server.query({ text: `alter database ${name} with allow_connections false` })
    await server.query({
      text: 'select pg_terminate_backend(pid) from pg_stat_activity where datname = $1',
      values: [name],
    })
    await waitUntil(async () => (await send(agentId, 'meanwhile')).status === 503)
    expect(await send(agentId, 'meanwhile')).toMatchObject(UNKNOWN)
    await server.query({ text: `alter database ${name} with allow_connections true` })
    await server.close()
    await waitUntil(async () => (await send(agentId, 'meanwhile')).status === 200)
    expect(await send(agentId, 'meanwhile')).toMatchObject({ status: 200, isReplay: true })
    await waitUntil(async () => (await straight.app.inject('/readyz')).statusCode === 200)
    expect((await evaluate(acme, agentId)).remainingBudget).toBe(70)
  })
})
