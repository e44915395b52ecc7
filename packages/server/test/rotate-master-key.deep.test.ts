import { readdir, readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { rotateMasterKey } from '../src/operator/rotate-master-key.ts'
import { readConfig } from '../src/process/config.ts'
import { openStorage } from '../src/process/open-storage.ts'
import { createOrganization } from '../src/process/setup.ts'
import type { Database } from '../src/storage/engine/database.ts'
import type { Sealer } from '../src/storage/secrets/sealed.ts'
import { copyEmbeddedTemplate, createTemporaryFolder } from './support/database.ts'
import { silentLog } from './support/silent-log.ts'

/** The webhook secrets of all organizations, opened with this sealer. */
async function openAll(db: Database, sealer: Sealer): Promise<string[]> {
  const rows = await db.query<{ id: string; secret: Buffer }>({
    text: 'select id, webhook_secret as secret from organizations order by id',
  })
  return rows.map(({ id, secret }) => sealer.open(id, 'webhook-secret', secret))
}

describe('rotating the master key', () => {
  let folder: Awaited<ReturnType<typeof createTemporaryFolder>>
  let dataDir: string
  beforeEach(async () => {
    folder = await createTemporaryFolder()
    dataDir = join(folder.path, 'data')
  })
  afterEach(() => folder.remove())

  test('on the embedded engine creates a new key and keeps the old one in a file', async () => {
    copyEmbeddedTemplate(dataDir)
    const config = readConfig({ PURSER_DATA_DIR: dataDir })
    const before = await openStorage(config, silentLog)
    await createOrganization(before, config, 'Acme')
    await before.db.close()

    const rotation = await rotateMasterKey(config, false, silentLog)
    expect(rotation).toMatchObject({ resealed: 1, isFinished: true })
    expect(rotation.retiredFile).toMatch(/master\.key\.[0-9a-f]{16}$/)
    const files = (await readdir(dataDir)).filter((name) => name.startsWith('master.key'))
    expect(files).toHaveLength(2)
    const after = await openStorage(config, silentLog)
    expect(await openAll(after.db, after.sealer)).toHaveLength(1)
    await after.db.close()
  })

  test('on the embedded engine refuses to finish a rotation that was not started', async () => {
    copyEmbeddedTemplate(dataDir)
    const config = readConfig({ PURSER_DATA_DIR: dataDir })
    await (await openStorage(config, silentLog)).db.close()
    const keyOf = () => readFile(join(dataDir, 'master.key'), 'utf8')
    await rotateMasterKey(config, false, silentLog)
    const key = await keyOf()
    await expect(rotateMasterKey(config, true, silentLog)).rejects.toThrow('Nothing was changed')
    expect(await keyOf()).toBe(key)
  })
})
