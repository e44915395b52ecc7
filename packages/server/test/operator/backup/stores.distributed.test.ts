import { afterAll, beforeAll, describe, expect, onTestFinished, test } from 'vitest'
import { readSnapshot } from '../../../src/storage/backup/dump.ts'
import { createTestApp, type Owner, type TestApp } from '../../support/app.ts'
import { anActiveMandate } from '../../support/builders.ts'
import { createTestDatabase } from '../../support/database.ts'
import { evaluate } from '../../support/spends.ts'
import { aroundStores, backUp, KEY, restoreInto } from './stores.ts'

/* Backups of a store on two workers (ADR 64). */

interface Spender {
  readonly owner: Owner
  readonly agentId: string
}

describe('a distributed store', () => {
  const { inFolder } = aroundStores()
  let app: TestApp
  const spenders: Spender[] = []
  beforeAll(async () => {
    app = await createTestApp('postgres')
    for (const name of ['A', 'B', 'C', 'D', 'E', 'F', 'G', 'H']) {
      const owner = await app.organization(name)
      spenders.push({ owner, agentId: (await anActiveMandate(owner)).agentId })
    }
  })
  afterAll(() => app?.stop())

  test('is read from one snapshot of each worker', async () => {
    await readSnapshot(app.database.db, async (tx) => {
      await tx.query({ text: 'select count(*) from organizations' })
      for (const { owner, agentId } of spenders) await evaluate(owner, agentId)
      // Citus opens further connections for a statement that takes long, and each has a later snapshot.
      const rows = await tx.query<{ id: string | null }>({
        text: `select t.id from organizations o left join transactions t on t.organization_id = o.id
               where pg_sleep(0.05)::text is not null`,
      })
      expect(rows).toHaveLength(spenders.length)
      expect(rows.filter(({ id }) => id !== null)).toEqual([])
    })
  })

  test('is no place to restore a backup into', async () => {
    const file = inFolder('backup.gz')
    await backUp(app, file)
    const empty = await createTestDatabase('postgres')
    onTestFinished(() => empty.drop())
    const env = { DATABASE_URL: empty.url ?? '', PURSER_MASTER_KEY: KEY.toString('base64') }
    await expect(restoreInto({ env }, file)).rejects.toThrow(/purser migrate --distributed/)
    expect(await empty.db.query({ text: 'select 1 from organizations' })).toEqual([])
  })
})
