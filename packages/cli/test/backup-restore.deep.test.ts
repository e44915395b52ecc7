import { statSync } from 'node:fs'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, test } from 'vitest'
import {
  createEmptyPostgresDatabase,
  createTemporaryFolder,
  describeOnPostgres,
} from '../../server/test/support/database.ts'
import { aroundInstallation } from './support/installation.ts'

const KEY = { PURSER_MASTER_KEY: Buffer.alloc(32, 1).toString('base64') }

describeOnPostgres('purser backup and purser restore', () => {
  const purser = aroundInstallation()
  let folder: Awaited<ReturnType<typeof createTemporaryFolder>>
  beforeEach(async () => {
    folder = await createTemporaryFolder()
  })
  afterEach(() => folder.remove())

  test('copy an installation from one database to another', async () => {
    const made = await purser(['init', '--org', 'Acme', '--json'], KEY)
    expect(made.code).toBe(0)
    const file = join(folder.path, 'backup.gz')
    const backedUp = await purser.process(['backup', file], KEY)
    expect(backedUp.code).toBe(0)
    expect(backedUp.stdout).toContain('1 organization, 0 transactions')
    expect(statSync(file).mode & 0o777).toBe(0o600)
    const empty = await createEmptyPostgresDatabase()
    try {
      const there = { ...KEY, DATABASE_URL: empty.url }
      const restored = await purser.process(['restore', file], there)
      expect(restored.code).toBe(0)
      expect(restored.stdout).toContain('The store is restored and closed.')
      const refused = await purser(['init', '--org', 'More'], there)
      expect([refused.code, refused.stderr]).toEqual([
        1,
        expect.stringContaining('restored from a backup'),
      ])
      const unsure = await purser(['restore', '--finish'], there)
      expect([unsure.code, unsure.stderr]).toEqual([1, expect.stringContaining('stays closed')])
      const finished = await purser(['restore', '--finish', '--original-stopped', '--json'], there)
      expect(JSON.parse(finished.stdout)).toMatchObject({
        ...{ state: 'open', pending: { deliveries: 0 } },
      })
      const orgs = await purser(['orgs', 'list'], there)
      expect(orgs.stdout).toContain('Acme')
    } finally {
      await empty.drop()
    }
  })

  test('say in one line what is wrong', async () => {
    const missing = await purser(['restore', join(folder.path, 'none.gz')], KEY)
    expect([missing.code, missing.stderr]).toEqual([1, expect.stringContaining('There is no file')])
    const none = await purser(['backup', join(folder.path, 'x.gz')], { DATABASE_URL: '' })
    expect([none.code, none.stderr]).toEqual([1, expect.stringContaining('There is no database')])
    for (const [options, mistake] of [
      [[], 'name the file of a backup'],
      [['x.gz', '--hold-deliveries'], 'need --finish'],
      [['x.gz', '--original-stopped'], 'need --finish'],
      [['x.gz', '--finish'], 'take no file'],
      [['x.gz', '--release-deliveries'], 'take no file'],
      [['--finish', '--release-deliveries'], '--finish first'],
    ] as const) {
      const wrong = await purser(['restore', ...options], KEY)
      expect([wrong.code, wrong.stderr]).toEqual([2, expect.stringContaining(mistake)])
    }
  })
})
