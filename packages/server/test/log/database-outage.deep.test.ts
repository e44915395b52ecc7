import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, test } from 'vitest'
import {
  createTemporaryFolder,
  createTestDatabase,
  describeOnPostgres,
  type TestDatabase,
} from '../support/database.ts'
import { killPrograms, startProgram } from '../support/program.ts'
import { startTcpProxy, type TcpProxy } from '../support/tcp-proxy.ts'
import { waitUntil } from '../support/wait-until.ts'

const LINES_MAX = 8
const BYTES_MAX = 3_000
const REQUESTS = 200

describeOnPostgres('a PostgreSQL that restarts under load', () => {
  let database: TestDatabase
  let proxy: TcpProxy
  let folder: Awaited<ReturnType<typeof createTemporaryFolder>>
  beforeEach(async () => {
    database = await createTestDatabase('postgres')
    proxy = await startTcpProxy(database.url)
    folder = await createTemporaryFolder()
  })
  afterEach(async () => {
    await killPrograms()
    await proxy.close()
    await database.drop()
    await folder.remove()
  })

  test('is told in a few lines: what was down, and that it is back', async () => {
    const gateway = await startProgram({
      PURSER_DATA_DIR: folder.path,
      PURSER_INIT_ORG: 'Acme',
      DATABASE_URL: proxy.url,
    })
    const url = await gateway.url()
    const key = (await readFile(join(folder.path, 'initial-api-key'), 'utf8')).trim()
    const headers = { authorization: `Bearer ${key}`, 'content-type': 'application/json' }
    const create = async (): Promise<number> => {
      const body = JSON.stringify({ name: 'Agent' })
      const answer = await fetch(`${url}/api/v1/agents`, { method: 'POST', headers, body })
      await answer.text()
      return answer.status
    }
    const createMany = () => Promise.all(Array.from({ length: REQUESTS }, create))
    await createMany()
    const before = gateway.lines.length

    const load = createMany()
    await database.db.query({
      text: `select pg_terminate_backend(pid) from pg_stat_activity
             where datname = current_database() and pid <> pg_backend_pid()`,
    })
    proxy.goAway()
    await load
    expect(new Set(await createMany())).toEqual(new Set([503]))
    proxy.comeBack()
    await waitUntil(async () => (await create()) === 200)
    await waitUntil(() => gateway.lines.some((line) => line.includes('storage.recovered')))

    const told = gateway.lines.slice(before)
    expect(told.length).toBeLessThanOrEqual(LINES_MAX)
    expect(told.join('\n').length).toBeLessThan(BYTES_MAX)
    expect(told[0]).toMatch(/"event":"storage\.(connection_failed|notifications_lost)"/)
    expect(told.join('\n')).not.toContain('"stack"')
  })
})
