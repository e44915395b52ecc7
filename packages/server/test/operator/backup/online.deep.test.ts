import { readdir } from 'node:fs/promises'
import { afterEach, expect, test } from 'vitest'
import {
  findClosedStore,
  finishRestore,
  releaseDeliveries,
} from '../../../src/operator/backup/finish.ts'
import { backUpStore } from '../../../src/operator/backup/source.ts'
import { reconcile } from '../../../src/operator/reconcile.ts'
import { readConfig } from '../../../src/process/config.ts'
import { openStorage } from '../../../src/process/open-storage.ts'
import { findStoreState } from '../../../src/storage/backup/store-state.ts'
import { createCaller } from '../../support/caller.ts'
import { copyEmbeddedTemplate, usualEngine } from '../../support/database.ts'
import { addMandate, openSite } from '../../support/gateway-cluster.ts'
import { silentLog } from '../../support/silent-log.ts'
import { waitUntil } from '../../support/wait-until.ts'
import { aroundStores, KEY, restoreInto } from './stores.ts'

const { inFolder, onEnd, anEmptyTarget } = aroundStores()
const env = (dataDir: string) => ({
  PURSER_DATA_DIR: dataDir,
  PURSER_MASTER_KEY: KEY.toString('base64'),
})
let isOver = false
afterEach(() => {
  isOver = true
})

test('a backup of the embedded engine is whole while its gateway decides', async () => {
  const dataDir = inFolder('data')
  copyEmbeddedTemplate(dataDir)
  const { site, first } = await openSite({ dataDir })
  onEnd(() => first.kill())
  onEnd(() => site.close())
  const { agentId } = await addMandate(site, first, { budgetTotal: 1_000_000 })
  const caller = createCaller(site.apiKey)
  onEnd(async () => caller.close())
  const answered: string[] = []
  const spend = async (): Promise<void> => {
    const body = { agentId, amount: 1, vendor: 'shop.example', category: 'llm' }
    while (!isOver) {
      const { status, text } = await caller.post(first.url, { path: '/gateway/evaluate', body })
      if (status !== 200) throw new Error(text)
      answered.push(JSON.parse(text).transactionId)
    }
  }
  const spending = [spend(), spend(), spend(), spend()]
  await Promise.race([waitUntil(() => answered.length > 200), ...spending])
  const before = [...answered]
  const file = inFolder('backup.gz')
  const { manifest, waitedMs } = await backUpStore(readConfig(env(dataDir)), { file }, silentLog)
  console.info(`Decisions waited ${waitedMs} ms for the copy.`)
  expect(waitedMs).toBeGreaterThan(0)
  const after = answered.length
  await Promise.race([waitUntil(() => answered.length > after + 20), ...spending])
  isOver = true
  await Promise.all(spending)
  await waitUntil(async () => !(await readdir(dataDir)).some((name) => name.startsWith('copy-')))
  const target = await anEmptyTarget('embedded')
  await restoreInto(target, file)
  const storage = await openStorage(readConfig(target.env), silentLog)
  onEnd(() => storage.db.close())
  const rows = await storage.db.query<{ id: string }>({ text: 'select id from transactions' })
  const stored = new Set(rows.map(({ id }) => `txn_${id.replaceAll('-', '')}`))
  expect(before.filter((id) => !stored.has(id))).toEqual([])
  expect(rows).toHaveLength(manifest.tables.find(({ name }) => name === 'transactions')?.rows ?? -1)
  const [mandate] = await storage.db.query<{ spent: bigint }>({
    text: 'select budget_spent as spent from mandates',
  })
  expect(mandate?.spent).toBe(BigInt(rows.length) * 1_000_000n)
  expect(await reconcile(storage, undefined)).toMatchObject({ kind: 'agrees' })
})

test('a move closes the embedded store under its running gateway, and opens on the usual engine', async () => {
  const dataDir = inFolder('data')
  copyEmbeddedTemplate(dataDir)
  const { site, first } = await openSite({ dataDir })
  onEnd(() => first.kill())
  onEnd(() => site.close())
  const { agentId } = await addMandate(site, first, { budgetTotal: 100 })
  const caller = createCaller(site.apiKey)
  onEnd(async () => caller.close())
  const body = { agentId, amount: 1, vendor: 'shop.example', category: 'llm' }
  const spend = () => caller.post(first.url, { path: '/gateway/evaluate', body })
  expect((await spend()).status).toBe(200)
  const config = readConfig(env(dataDir))
  const failing = backUpStore(config, { file: inFolder('no/x.gz'), isMove: true }, silentLog)
  await expect(failing).rejects.toThrow('There is no folder')
  await waitUntil(async () => (await spend()).status === 200)
  const file = inFolder('move.gz')
  await backUpStore(config, { file, isMove: true }, silentLog)
  const { status, text } = await spend()
  expect([status, JSON.parse(text).code]).toEqual([503, 'store_moved'])
  const target = await anEmptyTarget(usualEngine())
  await restoreInto(target, file)
  const storage = await openStorage(readConfig(target.env), silentLog)
  onEnd(() => storage.db.close())
  expect(await findStoreState(storage.db)).toBeUndefined()
})

test('a restored store opens under its running gateway', async () => {
  const dataDir = inFolder('data')
  copyEmbeddedTemplate(dataDir)
  const source = await openSite({ dataDir })
  onEnd(() => source.site.close())
  const { agentId } = await addMandate(source.site, source.first, { budgetTotal: 100 })
  await source.first.kill()
  const file = inFolder('backup.gz')
  await backUpStore(readConfig(env(dataDir)), { file }, silentLog)
  const target = await anEmptyTarget('embedded')
  await restoreInto(target, file)
  const gateway = await source.site.start(target.env)
  onEnd(() => gateway.kill())
  const caller = createCaller(source.site.apiKey)
  onEnd(async () => caller.close())
  const body = { agentId, amount: 1, vendor: 'shop.example', category: 'llm' }
  const spend = () => caller.post(gateway.url, { path: '/gateway/evaluate', body })
  expect(JSON.parse((await spend()).text).code).toBe('store_restored')
  const config = readConfig(target.env)
  const { note, pending } = await findClosedStore(config, silentLog)
  expect([note, pending.deliveries]).toEqual([expect.stringContaining('backup'), 0])
  await finishRestore(config, true, silentLog)
  await waitUntil(async () => (await spend()).status === 200)
  await releaseDeliveries(config, silentLog)
  await expect(releaseDeliveries(config, silentLog)).rejects.toThrow('holds no webhook deliveries')
})

test('a backup without a running gateway opens the data folder itself', async () => {
  const dataDir = inFolder('data')
  copyEmbeddedTemplate(dataDir)
  const { site, first } = await openSite({ dataDir })
  onEnd(() => site.close())
  await first.kill()
  const file = inFolder('backup.gz')
  const { manifest, waitedMs } = await backUpStore(readConfig(env(dataDir)), { file }, silentLog)
  expect([manifest.organizations.length, waitedMs]).toEqual([1, undefined])
})
