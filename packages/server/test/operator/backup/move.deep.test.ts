import { expect, test } from 'vitest'
import { backUpStore, cancelStoreMove } from '../../../src/operator/backup/source.ts'
import { readConfig } from '../../../src/process/config.ts'
import { openStorage } from '../../../src/process/open-storage.ts'
import { closeForMove } from '../../../src/storage/backup/move.ts'
import { findStoreState } from '../../../src/storage/backup/store-state.ts'
import { anActiveMandate } from '../../support/builders.ts'
import { describeOnPostgres } from '../../support/database.ts'
import { silentLog } from '../../support/silent-log.ts'
import { aSpend } from '../../support/spends.ts'
import { waitUntil } from '../../support/wait-until.ts'
import { aroundStores, KEY, restoreInto } from './stores.ts'

describeOnPostgres('a move', () => {
  const { aStore, anEmptyTarget, inFolder, onEnd } = aroundStores()
  const configOf = (url: string) =>
    readConfig({ DATABASE_URL: url, PURSER_MASTER_KEY: KEY.toString('base64') })

  test('takes every answered spend along, closes the source, and opens the new store', async () => {
    const { app, owner } = await aStore('postgres')
    const { agentId } = await anActiveMandate(owner, { budgetTotal: 1_000_000 })
    const answered: string[] = []
    const refused: string[] = []
    const spend = async (): Promise<void> => {
      while (refused.length < 8) {
        const { status, body } = await owner.post('/gateway/evaluate', aSpend(agentId))
        if (status === 200) answered.push(String(body['transactionId']))
        else refused.push(String(body['code']))
      }
    }
    const spending = [spend(), spend(), spend(), spend()]
    await waitUntil(() => answered.length > 50)
    const file = inFolder('move.gz')
    const config = configOf(app.database.url)
    const { manifest } = await backUpStore(config, { file, isMove: true }, silentLog)
    await Promise.all(spending)
    expect(manifest.isMove).toBe(true)
    expect(new Set(refused)).toEqual(new Set(['store_moved']))
    const again = backUpStore(config, { file: inFolder('b.gz'), isMove: true }, silentLog)
    await expect(again).rejects.toThrow('moved already')
    await expect(cancelStoreMove(config, silentLog)).rejects.toThrow('stays closed')
    const target = await anEmptyTarget('postgres')
    await restoreInto(target, file)
    const storage = await openStorage(readConfig(target.env), silentLog)
    onEnd(() => storage.db.close())
    expect(await findStoreState(storage.db)).toBeUndefined()
    const rows = await storage.db.query<{ id: string }>({ text: 'select id from transactions' })
    const stored = new Set(rows.map(({ id }) => `txn_${id.replaceAll('-', '')}`))
    expect(answered.filter((id) => !stored.has(id))).toEqual([])
  })

  test('that fails leaves the source open, and one that was cut off can be cancelled', async () => {
    const { app, owner } = await aStore('postgres')
    const { agentId } = await anActiveMandate(owner)
    const config = configOf(app.database.url)
    const failing = backUpStore(config, { file: inFolder('no/x.gz'), isMove: true }, silentLog)
    await expect(failing).rejects.toThrow('There is no folder')
    const spend = () => owner.post('/gateway/evaluate', aSpend(agentId))
    // The gate looks once per second, so it may have seen the closed store.
    await waitUntil(async () => (await spend()).status === 200)
    await closeForMove(app.database.db)
    expect((await spend()).status).toBe(503)
    await cancelStoreMove(config, silentLog)
    await waitUntil(async () => (await owner.post('/agents', { name: 'New' })).status === 200)
    await expect(cancelStoreMove(config, silentLog)).rejects.toThrow('not being moved')
  })
})
