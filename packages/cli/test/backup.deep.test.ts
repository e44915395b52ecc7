import { readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, test } from 'vitest'
import {
  copyEmbeddedTemplate,
  createEmptyPostgresDatabase,
  createTemporaryFolder,
  describeOnPostgres,
  type TestDatabase,
} from '../../server/test/support/database.ts'
import { killPrograms, startProgram } from '../../server/test/support/program.ts'
import { waitUntil } from '../../server/test/support/wait-until.ts'
import { killPursers, startPurser } from './support/purser.ts'

describeOnPostgres('a store that goes from the embedded database to PostgreSQL', () => {
  let folder: Awaited<ReturnType<typeof createTemporaryFolder>>
  let database: TestDatabase
  beforeEach(async () => {
    folder = await createTemporaryFolder()
    database = await createEmptyPostgresDatabase()
  })
  afterEach(async () => {
    killPursers()
    await killPrograms()
    await database.drop()
    await folder.remove()
  })
  const inFolder = (name: string) => join(folder.path, name)

  async function purser(env: Readonly<Record<string, string>>, ...args: readonly string[]) {
    const command = await startPurser(args, env)
    const code = await command.exited()
    expect([code, command.told.join('\n')]).toEqual([0, expect.any(String)])
    return command.lines.join('\n')
  }

  test('answers repeated requests with the same bytes, and its audit log verifies', async () => {
    const embedded = { PURSER_DATA_DIR: inFolder('data') }
    copyEmbeddedTemplate(embedded.PURSER_DATA_DIR)
    const original = await startProgram(embedded)
    const from = await original.url()
    const key = (await readFile(inFolder('data/initial-api-key'), 'utf8')).trim()
    const headers = { authorization: `Bearer ${key}`, 'content-type': 'application/json' }
    const post = async (url: string, path: string, body: object, idempotencyKey: string) => {
      const answer = await fetch(`${url}/api/v1${path}`, {
        method: 'POST',
        headers: { ...headers, 'idempotency-key': idempotencyKey },
        body: JSON.stringify(body),
      })
      return { status: answer.status, text: await answer.text(), headers: answer.headers }
    }
    const get = async (url: string, path: string, accept = 'application/json') => {
      const answer = await fetch(`${url}/api/v1${path}`, { headers: { ...headers, accept } })
      expect(answer.status).toBe(200)
      return answer.text()
    }
    const agent = JSON.parse((await post(from, '/agents', { name: 'Buyer' }, 'agent')).text)
    const terms = { agentId: agent.id, budgetTotal: 100 }
    const mandate = JSON.parse((await post(from, '/mandates', terms, 'mandate')).text)
    await post(from, `/mandates/${mandate.id}/activate`, {}, 'activate')
    const spend = { agentId: agent.id, amount: 30, vendor: 'shop.example.com', category: 'llm' }
    const decided = await post(from, '/gateway/evaluate', spend, 'purchase')
    expect(JSON.parse(decided.text)).toMatchObject({ decision: 'approved' })

    const file = inFolder('backup.gz')
    expect(await purser(embedded, 'backup', file)).toMatch(/Decisions waited \d+ ms for the copy/)
    const master = await readFile(inFolder('data/master.key'), 'utf8')
    const there = {
      DATABASE_URL: database.url,
      PURSER_MASTER_KEY: master.trim(),
      PURSER_DATA_DIR: inFolder('other'),
    }
    await purser(there, 'restore', file)

    const restored = await startProgram(there)
    const to = await restored.url()
    const refused = await post(to, '/gateway/evaluate', spend, 'another purchase')
    expect([refused.status, JSON.parse(refused.text).code]).toEqual([503, 'store_restored'])
    original.signal('SIGTERM')
    await original.exited()
    await purser(there, 'restore', '--finish', '--original-stopped')
    await waitUntil(
      async () => (await post(to, '/gateway/evaluate', spend, 'another purchase')).status === 200,
    )

    const repeated = await post(to, '/gateway/evaluate', spend, 'purchase')
    expect(repeated.text).toBe(decided.text)
    expect(repeated.headers.get('idempotent-replayed')).toBe('true')
    expect(JSON.parse(await get(to, `/mandates/${mandate.id}`))).toMatchObject({ budgetSpent: 60 })

    await writeFile(inFolder('receipts.ndjson'), `${decided.text}\n`)
    const { leaf } = JSON.parse(decided.text).evaluationDetails.receipt
    const ofLeaf = `${to}/api/v1/audit-log/proof?leaf=${encodeURIComponent(leaf)}`
    await waitUntil(async () => (await fetch(ofLeaf, { headers })).status === 200)
    const { keys, checkpoint } = JSON.parse(await get(to, '/audit-log/proof'))
    await writeFile(inFolder('log.vkey'), [keys].flat().join('\n'))
    await writeFile(inFolder('head.note'), checkpoint)
    await writeFile(inFolder('export.ndjson'), await get(to, '/audit-log', 'application/x-ndjson'))
    const options = ['--key', inFolder('log.vkey'), '--head', inFolder('head.note')]
    const receipts = ['--receipts', inFolder('receipts.ndjson')]
    // It fails by its exit code.
    await purser({}, 'verify', inFolder('export.ndjson'), ...options, ...receipts)
  })
})
