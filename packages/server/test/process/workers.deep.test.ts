import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { createCaller } from '../support/caller.ts'
import {
  createEmptyPostgresDatabase,
  createTemporaryFolder,
  describeOnPostgres,
  type TestDatabase,
} from '../support/database.ts'
import { killPrograms, type Program, startProgram } from '../support/program.ts'
import { waitUntil } from '../support/wait-until.ts'

describeOnPostgres('a gateway with workers', () => {
  let database: TestDatabase
  let folder: Awaited<ReturnType<typeof createTemporaryFolder>>
  beforeEach(async () => {
    database = await createEmptyPostgresDatabase()
    folder = await createTemporaryFolder()
  })
  afterEach(async () => {
    await killPrograms()
    await database.drop()
    await folder.remove()
  })

  const start = (count: number, env = {}) =>
    startProgram(
      { PURSER_DATA_DIR: folder.path, DATABASE_URL: database.url, ...env },
      { args: ['--workers', String(count)] },
    )
  const eventsOf = ({ lines }: Program) =>
    lines.map((line) => JSON.parse(line) as Readonly<Record<string, string | number>>)
  const listed = (program: Program, event: string) =>
    eventsOf(program).filter((line) => line['event'] === event)

  test('migrates and prints once, and every worker decides', async () => {
    const program = await start(2, { PURSER_LOG_LEVEL: 'debug' })
    const url = await program.url()
    expect(program.told).toEqual([])
    // This line follows the one with the URL.
    await waitUntil(() => listed(program, 'process.organization_created').length > 0)
    for (const event of ['starting', 'listening', 'organization_created']) {
      expect(listed(program, `process.${event}`)).toHaveLength(1)
    }
    const apiKey = (await readFile(join(folder.path, 'initial-api-key'), 'utf8')).trim()
    const caller = createCaller(apiKey)
    const post = (path: string, body: unknown) => caller.post(url, { path, body })
    const agent = JSON.parse((await post('/agents', { name: 'Buyer' })).text)
    const terms = { agentId: agent.id, budgetTotal: 50, budgetPeriod: 'monthly' }
    const mandate = JSON.parse((await post('/mandates', terms)).text)
    await post(`/mandates/${mandate.id}/activate`, undefined)
    const spend = { agentId: agent.id, amount: 1, vendor: 'a.com', category: 'llm' }
    const answers = await Promise.all(
      Array.from({ length: 80 }, () => post('/gateway/evaluate', spend)),
    )
    const approved = answers.filter(({ text }) => JSON.parse(text).decision === 'approved')
    expect(approved).toHaveLength(50)
    caller.close()
    // At the level debug, each request has a line with the pid of its process. The primary names the
    // path too, in the commands for a first spend.
    const deciding = eventsOf(program).filter(
      (line) =>
        line['event'] !== 'process.first_steps' && JSON.stringify(line).includes('/evaluate'),
    )
    expect(new Set(deciding.map((line) => line['pid'])).size).toBe(2)
    program.signal('SIGTERM')
    expect(await program.exited()).toEqual({ code: 0, signal: null })
    expect(listed(program, 'process.stopped')).toHaveLength(2)
  })

  test('serves one page of metrics for all workers, also for one that died', async () => {
    const program = await start(2, { PURSER_METRICS_PORT: '0' })
    const url = await program.url()
    const [listening] = listed(program, 'process.metrics_listening')
    // Each connection goes to the next worker.
    for (let n = 0; n < 6; n += 1) {
      await fetch(`${url}/healthz`, { headers: { connection: 'close' } })
    }
    const readPage = async () => (await fetch(String(listening?.['url']))).text()
    const counted = 'purser_api_requests_total{route="GET /healthz",status="200"} 6'
    const page = await readPage()
    expect(page.match(/^purser_build_info/gm)).toHaveLength(1)
    expect(page).toContain(counted)
    const [died] = await workerPids(program)
    process.kill(died ?? 0, 'SIGKILL')
    await waitUntil(() => listed(program, 'process.worker_ended').length === 1)
    expect(await readPage()).toContain(counted)
    program.signal('SIGTERM')
    expect(await program.exited()).toEqual({ code: 0, signal: null })
  })

  test('replaces a worker that died, while the other one serves', async () => {
    const program = await start(2)
    const url = await program.url()
    const [died] = await workerPids(program)
    process.kill(died ?? 0, 'SIGKILL')
    await waitUntil(() => listed(program, 'process.worker_ended').length === 1)
    expect(listed(program, 'process.worker_ended')[0]).toMatchObject({
      ...{ worker: String(died), reason: 'SIGKILL', seconds: 1 },
    })
    expect((await fetch(`${url}/readyz`)).status).toBe(200)
    await waitUntil(() => listed(program, 'process.worker_replaced').length === 1)
    expect(await workerPids(program)).toHaveLength(2)
    program.signal('SIGTERM')
    expect(await program.exited()).toEqual({ code: 0, signal: null })
  })

  test('answers during the drain time, and leaves no process behind', async () => {
    const program = await start(2, { PURSER_DRAIN_SECONDS: '2' })
    const url = await program.url()
    const pids = await workerPids(program)
    program.signal('SIGINT')
    await waitUntil(async () => (await fetch(`${url}/readyz`)).status === 503)
    expect((await fetch(`${url}/healthz`)).status).toBe(200)
    expect(await program.exited()).toEqual({ code: 0, signal: null })
    for (const pid of pids) expect(() => process.kill(pid, 0)).toThrow('ESRCH')
  })

  test('ends its workers when it is killed', async () => {
    const program = await start(2)
    await program.url()
    const pids = await workerPids(program)
    program.signal('SIGKILL')
    await waitUntil(() => pids.every((pid) => !isAlive(pid)))
  })

  test('refuses more workers than the server has connections for', async () => {
    const program = await start(64)
    expect((await program.exited()).code).toBe(1)
    expect(program.told.join('\n')).toMatch(
      /64 workers can open up to 2048 connections, and PostgreSQL allows \d+\. Raise max_connections, or start/,
    )
  })

  async function workerPids(program: Program): Promise<number[]> {
    const { pid } = eventsOf(program)[0] ?? {}
    const children = await readFile(`/proc/${pid}/task/${pid}/children`, 'utf8')
    return children.trim().split(/\s+/).map(Number)
  }
})

function isAlive(pid: number): boolean {
  try {
    return process.kill(pid, 0)
  } catch {
    return false
  }
}
