import assert from 'node:assert/strict'
import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { verifyFile } from '@purser/audit/verify'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { readRecord } from '../../src/demo/record.ts'
import { type RunningDemo, startDemo } from '../../src/demo/run.ts'
import { reconcile } from '../../src/operator/reconcile.ts'
import { readConfig } from '../../src/process/config.ts'
import { openStorage } from '../../src/process/open-storage.ts'
import type { AnswerBody } from '../support/answer-body.ts'
import { createTemporaryFolder } from '../support/database.ts'
import { silentLog } from '../support/silent-log.ts'
import { waitUntil } from '../support/wait-until.ts'

const MINUTES_MS = 60_000

describe('the demo', () => {
  let temporary: Awaited<ReturnType<typeof createTemporaryFolder>>
  let dataDir: string
  let demo: RunningDemo
  let key: string
  const told: string[] = []

  async function ask(path: string, headers: Record<string, string> = {}): Promise<Response> {
    const url = demo.url.replace('localhost', '127.0.0.1')
    return fetch(`${url}${path}`, { headers: { authorization: `Bearer ${key}`, ...headers } })
  }
  async function get(path: string): Promise<AnswerBody> {
    const answer = await ask(`/api/v1${path}`)
    expect(answer.status, path).toBe(200)
    return (await answer.json()) as AnswerBody
  }
  async function start(further: object = {}): Promise<void> {
    demo = await startDemo({}, { dataDir, port: 0, still: true, ...further }, (text) =>
      told.push(text),
    )
    const record = await readRecord(dataDir)
    assert(record)
    key = record.apiKey
  }

  beforeAll(async () => {
    temporary = await createTemporaryFolder()
    dataDir = join(temporary.path, 'demo')
    await start()
  }, 10 * MINUTES_MS)
  afterAll(async () => {
    await demo?.stop()
    await temporary?.remove()
  })

  test('is labelled, and tells how far the start is', async () => {
    expect(await get('/organization')).toMatchObject({ environment: 'demo' })
    const state = await (await ask('/console/api/state')).json()
    expect(state).toMatchObject({ environment: 'demo', needsSetup: false })
    expect(told[0]).toBe('Opening the embedded database …')
    expect(told.at(-1)).toBe('Making 30 days of spends: 100 %')
  })

  test('has three agents at 64 %, 86 % and 100 % of their budgets', async () => {
    const { data } = await get('/mandates?status=active')
    const used = data.map(({ name, percentUsed }: AnswerBody) => [name, percentUsed])
    expect(Object.fromEntries(used)).toEqual({
      'Research agent': 64,
      'Travel booker': 86,
      'Ops runner': 100,
    })
  })

  test('has spends of every path and every end in thirty days', async () => {
    const { data, total } = await get('/transactions?limit=100')
    expect(total).toBeGreaterThan(500)
    const count = async (query: string) => (await get(`/transactions?limit=1&${query}`)).total
    for (const path of ['evaluate', 'x402', 'acp', 'card']) {
      expect(await count(`path=${path}`), path).toBeGreaterThan(5)
    }
    for (const status of ['held', 'voided', 'expired', 'partially_refunded']) {
      expect(await count(`status=${status}`), status).toBeGreaterThan(0)
    }
    expect(await count('flagged=true')).toBeGreaterThan(5)
    expect(data.length).toBe(100)
    const { data: reasons } = await get('/analytics/spend?metric=rejections&groupBy=code')
    expect(reasons.length).toBeGreaterThanOrEqual(10)
  })

  test('has open requests that end at different times, and answered ones', async () => {
    const pending = await get('/approvals?status=pending')
    const ends = pending.data.map(({ expiresAt }: AnswerBody) => String(expiresAt))
    expect(pending.total).toBe(4)
    expect(new Set(ends).size).toBe(4)
    for (const status of ['used', 'rejected', 'expired']) {
      expect((await get(`/approvals?status=${status}`)).total, status).toBeGreaterThan(0)
    }
  })

  test('has a failed delivery, and one that succeeded after retries', async () => {
    const failed = await get('/webhooks/deliveries?status=failed')
    expect(failed.data).toMatchObject([{ attempts: 5, lastStatusCode: 503 }])
    const { data } = await get('/webhooks/deliveries?status=succeeded&limit=100')
    expect(data.filter(({ attempts }: AnswerBody) => Number(attempts) > 1)).toHaveLength(1)
    expect(data.length).toBeGreaterThan(10)
  })

  test('has members, keys, vendors, a wallet with funds and two cards', async () => {
    expect((await get('/api-keys')).data.length).toBeGreaterThanOrEqual(5)
    expect((await get('/vendors')).total).toBeGreaterThan(8)
    expect((await get('/cards')).total).toBe(2)
    const { data } = await get('/wallets')
    expect(data[0]?.['balances']).toMatchObject([{ symbol: 'USDC' }])
  })

  test('signs the owner in by its link, once', async () => {
    const first = await fetch(demo.signInUrl, { redirect: 'manual' })
    expect(first.headers.get('location')).toBe('/')
    const cookie = first.headers.get('set-cookie')?.split(';')[0] ?? ''
    const me = await fetch(`${demo.url}/console/api/me`, { headers: { cookie } })
    expect(await me.json()).toMatchObject({ member: { name: 'Ada Lindqvist', role: 'owner' } })
    const second = await fetch(demo.signInUrl, { redirect: 'manual' })
    expect(second.headers.get('location')).toBe('/sign-in')
    expect(second.headers.get('set-cookie')).toBeNull()
  })

  test('has an audit log that verifies, and rows that agree with it', async () => {
    const proof = await (await ask('/api/v1/audit-log/proof')).json()
    const { keys } = proof as { readonly keys: readonly string[] }
    const file = join(temporary.path, 'export.ndjson')
    const exported = await ask('/api/v1/audit-log', { accept: 'application/x-ndjson' })
    await writeFile(file, await exported.text())
    const keyFile = join(temporary.path, 'log.vkey')
    await writeFile(keyFile, keys.join('\n'))
    const kept = { key: keyFile, heads: [], receipts: undefined }
    expect(await verifyFile(file, kept, () => {})).toMatchObject({ kind: 'fits' })

    await demo.stop()
    const storage = await openStorage(readConfig({ PURSER_DATA_DIR: dataDir }), silentLog)
    const compared = await reconcile(storage, undefined, () => {}).finally(() => storage.db.close())
    expect(compared).toMatchObject({ kind: 'agrees' })
  })

  test('goes on at the next start, and spends in the background', async () => {
    await start({ still: false })
    expect(demo.isContinued).toBe(true)
    const { total } = await get('/transactions?limit=1')
    await waitUntil(async () => (await get('/transactions?limit=1')).total > total)
    const link = await fetch(demo.signInUrl, { redirect: 'manual' })
    expect(link.headers.get('location')).toBe('/')
  })
})
