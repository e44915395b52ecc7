import { join } from 'node:path'
import { afterEach, beforeEach } from 'vitest'
import { writeBackup } from '../../../src/operator/backup/backup.ts'
import type { Manifest } from '../../../src/operator/backup/format.ts'
import { restoreBackup } from '../../../src/operator/backup/restore.ts'
import { readConfig } from '../../../src/process/config.ts'
import { openDatabase } from '../../../src/storage/engine/database.ts'
import { openSealer } from '../../../src/storage/secrets/master-key.ts'
import { createTestApp, type Owner, type TestApp } from '../../support/app.ts'
import { sealAll } from '../../support/audit-log.ts'
import { anActiveMandate } from '../../support/builders.ts'
import {
  copyEmbeddedTemplate,
  createEmptyPostgresDatabase,
  createTemporaryFolder,
  type Engine,
} from '../../support/database.ts'
import { NO_SMTP } from '../../support/messages.ts'
import { silentLog } from '../../support/silent-log.ts'
import { evaluate } from '../../support/spends.ts'
import { dumpTables } from '../../support/tables.ts'
import { waitUntil } from '../../support/wait-until.ts'
import { deliveriesOf } from '../../support/webhooks.ts'

/** The master key of the tests' apps. */
export const KEY = Buffer.alloc(32, 7)

const AN_HOUR_MS = 3_600_000

/** A store that a backup can be restored into. */
export interface Target {
  readonly env: Readonly<Record<string, string>>
}

/** Stores for backups and restores, which end with each test. */
export function aroundStores() {
  let folder: Awaited<ReturnType<typeof createTemporaryFolder>>
  let ends: (() => Promise<void>)[]
  let count = 0
  beforeEach(async () => {
    folder = await createTemporaryFolder()
    ends = []
  })
  afterEach(async () => {
    for (const end of ends.reverse()) await end()
    await folder.remove()
  })
  const inFolder = (name: string): string => join(folder.path, name)
  return {
    inFolder,
    onEnd: (end: () => Promise<void>) => void ends.push(end),

    /** An app with spends, holds, sealed values and a webhook queue of two organizations. */
    async aStore(engine: Engine): Promise<{ readonly app: TestApp; readonly owner: Owner }> {
      const webhooks = { retryDelaysMs: [AN_HOUR_MS] }
      const app = await createTestApp(engine, { webhooks, smtp: NO_SMTP })
      ends.push(() => app.stop())
      const masterKeys = { given: KEY, previous: undefined, dataDir: '' }
      await openSealer(app.database.db, masterKeys)
      const [owner, other] = [await app.organization('Acme'), await app.organization('Other')]
      for (const one of [owner, other]) await spendOf(one)
      await sealAll(app, app.database.db)
      return { app, owner }
    },

    /** Without tables on PostgreSQL; with tables and no rows on the embedded engine, which is faster. */
    async anEmptyTarget(engine: Engine): Promise<Target> {
      count += 1
      const dataDir = inFolder(`target-${count}`)
      const env = { PURSER_DATA_DIR: dataDir, PURSER_MASTER_KEY: KEY.toString('base64') }
      if (engine === 'embedded') {
        copyEmbeddedTemplate(dataDir)
        return { env }
      }
      const database = await createEmptyPostgresDatabase()
      ends.push(() => database.drop())
      return { env: { ...env, DATABASE_URL: database.url } }
    },
  }
}

async function spendOf(owner: Owner): Promise<void> {
  const rules = [{ type: 'limit', maxCount: 9, window: 'day' }]
  const parent = await anActiveMandate(owner, { rules })
  const child = await anActiveMandate(owner, { parentMandateId: parent.id })
  await evaluate(owner, child.agentId, {}, { 'idempotency-key': 'first' })
  await evaluate(owner, parent.agentId, { hold: { expiresIn: '1h' } })
  await owner.patch('/organization', { webhookUrl: 'http://127.0.0.1:9/never' })
  await evaluate(owner, child.agentId, { amount: 1_000_000 })
  // The rows are compared with a backup, so no delivery may change them in between.
  await waitUntil(async () => (await deliveriesOf(owner)).every(({ attempts }) => attempts === 1))
}

export function backUp(app: TestApp, file: string): Promise<Manifest> {
  return writeBackup(app.database.db, { file })
}

export function restoreInto({ env }: Target, file: string): Promise<Manifest> {
  return restoreBackup(readConfig(env), { file }, silentLog)
}

const OF_THE_STORE = /^(schema_migrations|store_backup|store_state)$/

/** All rows of an app's store, as text. */
export function rowsOf({ database }: TestApp): Promise<string> {
  return dumpTables(database.db, { leaveOut: OF_THE_STORE })
}

/** All rows of a restored store, as text. */
export async function rowsIn({ env }: Target): Promise<string> {
  const db = await openDatabase(readConfig(env).storage, silentLog)
  try {
    return await dumpTables(db, { leaveOut: OF_THE_STORE })
  } finally {
    await db.close()
  }
}
