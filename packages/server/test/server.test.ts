import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, inject, test } from 'vitest'
import { readConfig } from '../src/process/config.ts'
import { startServer } from '../src/process/server.ts'
import type { Database } from '../src/storage/engine/database.ts'
import { openPostgres } from '../src/storage/engine/postgres.ts'
import {
  copyEmbeddedTemplate,
  createTemporaryFolder,
  createTestDatabase,
  describeOnPostgres,
  type TestDatabase,
} from './support/database.ts'
import { openConnection } from './support/raw-connection.ts'
import { STAYS_OPEN } from './support/row-lock.ts'
import { silentLog } from './support/silent-log.ts'
import { waitUntil } from './support/wait-until.ts'

type Gateway = Awaited<ReturnType<typeof startServer>>

function requestText(method: string, path: string, key = '', body = ''): string {
  return [
    `${method} ${path} HTTP/1.1`,
    'host: purser',
    `authorization: Bearer ${key}`,
    ...(body ? ['content-type: application/json', `content-length: ${body.length}`] : []),
    '',
    body,
  ].join('\r\n')
}

const isRefused = (url: string) =>
  openConnection(url).then(
    (connection) => {
      connection.end()
      return false
    },
    () => true,
  )

describeOnPostgres('the gateway on PostgreSQL', () => {
  let database: TestDatabase
  let folder: Awaited<ReturnType<typeof createTemporaryFolder>>
  let gateway: Gateway
  let apiKey: string

  beforeEach(async () => {
    database = await createTestDatabase('postgres')
    folder = await createTemporaryFolder()
    gateway = await startServer(
      readConfig({
        PURSER_PORT: '0',
        PURSER_LOG_LEVEL: 'silent',
        PURSER_DATA_DIR: folder.path,
        DATABASE_URL: database.url,
        PURSER_INIT_ORG: 'Acme',
      }),
    )
    apiKey = (await readFile(gateway.firstKeyFile ?? '', 'utf8')).trim()
  })
  afterEach(async () => {
    await gateway.stop()
    await database.drop()
    await folder.remove()
  })

  /** Runs while a request that creates an agent waits for a lock that this test holds. */
  async function whileSlow(
    run: (slow: Awaited<ReturnType<typeof openConnection>>) => Promise<void>,
  ) {
    const slow = await openConnection(gateway.url)
    await database.db.transaction(async (tx) => {
      await tx.query(STAYS_OPEN)
      await tx.query({ text: 'select 1 from organizations for update' })
      slow.write(requestText('POST', '/api/v1/agents', apiKey, '{"name":"Slow"}'))
      await waitUntil(() => isWaiting(database.db))
      await run(slow)
    })
    return slow
  }

  async function isWaiting(db: Database): Promise<boolean> {
    const rows = await db.query({
      text: `select 1 from pg_stat_activity
             where datname = current_database() and wait_event_type = 'Lock'`,
    })
    return rows.length > 0
  }

  test('answers accepted requests before it stops, and accepts no more', async () => {
    let stopped: Promise<void> | undefined
    const slow = await whileSlow(async () => {
      stopped = gateway.stop()
      await waitUntil(() => isRefused(gateway.url))
    })
    await stopped
    expect(slow.statuses()).toEqual(['200'])
    expect(slow.received.text).toContain('"name":"Slow"')
    const rows = await database.db.query({ text: `select 1 from agents where name = 'Slow'` })
    expect(rows).toHaveLength(1)
  })

  test('answers a request on an open connection while it stops, then closes the connection', async () => {
    let stopped: Promise<void> | undefined
    const slow = await whileSlow(async (connection) => {
      stopped = gateway.stop()
      await waitUntil(() => isRefused(gateway.url))
      connection.write(requestText('GET', '/readyz'))
    })
    await stopped
    await waitUntil(() => slow.received.isOver)
    expect(slow.statuses()).toEqual(['200', '503'])
    expect(slow.received.text).toContain('"stopping":true')
    expect(slow.received.text.toLowerCase()).toContain('connection: close')
  })

  test('does not wait for idle connections', async () => {
    const idle = await openConnection(gateway.url)
    idle.write(requestText('GET', '/healthz'))
    await waitUntil(() => idle.statuses().length === 1)
    await gateway.stop()
    await waitUntil(() => idle.received.isOver)
    expect(await isRefused(gateway.url)).toBe(true)
  })

  test('can be stopped twice, at once or later', async () => {
    await Promise.all([gateway.stop(), gateway.stop()])
    await gateway.stop()
  })

  test('closes the database connections if a part fails to start', async () => {
    await gateway.stop()
    const connections = async (): Promise<number> => {
      const rows = await database.db.query({
        text: 'select 1 from pg_stat_activity where datname = current_database()',
      })
      return rows.length
    }
    const before = await connections()
    const unknownChain = { PURSER_X402_NETWORKS: 'eip155:987654321' }
    const place = { PURSER_DATA_DIR: folder.path, DATABASE_URL: database.url }
    const env = { PURSER_LOG_LEVEL: 'silent', ...place, ...unknownChain }
    await expect(startServer(readConfig(env))).rejects.toThrow('eip155:987654321')
    // Connections that were closing when they were counted may be gone by now.
    await waitUntil(async () => (await connections()) <= before)
  })

  test('is not ready while the database is unreachable, and recovers by itself', async () => {
    const name = new URL(database.url).pathname.slice(1)
    const server = await openPostgres({ url: inject('postgresUrl'), connectionsMax: 1 }, silentLog)
    const status = async (path: string, headers = {}) =>
      (await fetch(`${gateway.url}${path}`, { headers })).status
    expect(await status('/readyz')).toBe(200)

    await server.query({ text: `alter database ${name} with allow_connections false` })
    await server.query({
      text: 'select pg_terminate_backend(pid) from pg_stat_activity where datname = $1',
      values: [name],
    })
    await waitUntil(async () => (await status('/readyz')) === 503)
    const body = await (await fetch(`${gateway.url}/readyz`)).json()
    expect(body).toEqual({
      status: 'not_ready',
      database: false,
      stopping: false,
      sealing: false,
      storageFull: false,
      store: 'open',
    })
    expect(await status('/healthz')).toBe(200)
    const answer = await fetch(`${gateway.url}/api/v1/agents`, {
      headers: { authorization: `Bearer ${apiKey}` },
    })
    expect(answer.status).toBe(503)
    expect(answer.headers.get('retry-after')).toBe('1')
    expect(await answer.json()).toMatchObject({ code: 'storage_unavailable' })

    await server.query({ text: `alter database ${name} with allow_connections true` })
    await server.close()
    await waitUntil(async () => (await status('/readyz')) === 200)
    expect(await status('/api/v1/agents', { authorization: `Bearer ${apiKey}` })).toBe(200)
  })
})

describe('the gateway on the embedded engine', () => {
  test('listens on the loopback, is healthy and ready, and releases everything when stopped', async () => {
    const folder = await createTemporaryFolder()
    const dataDir = join(folder.path, 'data')
    await copyEmbeddedTemplate(dataDir)
    const env = { PURSER_PORT: '0', PURSER_LOG_LEVEL: 'silent', PURSER_DATA_DIR: dataDir }
    const gateway = await startServer(readConfig(env))
    expect(gateway.url).toMatch(/^http:\/\/127\.0\.0\.1:\d+$/)
    expect(gateway).toMatchObject({ keptKeyFile: undefined, hasOrganization: true })
    const health = await fetch(`${gateway.url}/healthz`)
    expect([health.status, await health.json()]).toEqual([200, { status: 'ok' }])
    const ready = await fetch(`${gateway.url}/readyz`)
    expect([ready.status, await ready.json()]).toEqual([
      200,
      {
        status: 'ready',
        database: true,
        stopping: false,
        sealing: true,
        storageFull: false,
        store: 'open',
      },
    ])

    // The address is in use, so a second gateway must fail and release its own data folder.
    const otherDir = join(folder.path, 'other')
    await copyEmbeddedTemplate(otherDir)
    const { port } = new URL(gateway.url)
    const other = { ...env, PURSER_PORT: port, PURSER_DATA_DIR: otherDir }
    await expect(startServer(readConfig(other))).rejects.toThrow(/is already in use/)
    await gateway.stop()
    const again = await startServer(readConfig({ ...other, PURSER_PORT: '0' }))
    await again.stop()
    await folder.remove()
  })
})
