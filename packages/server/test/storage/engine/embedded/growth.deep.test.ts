import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { openEmbedded } from '../../../../src/storage/engine/embedded/open.ts'
import { copyEmbeddedTemplate, createTemporaryFolder } from '../../../support/database.ts'
import { silentLog } from '../../../support/silent-log.ts'
import { grow } from './grow.ts'

const MB = 1024 * 1024

/** What is alive is some 50 MB; the rest is the log between checkpoints and rows not yet cleaned. */
const BOUND = 160 * MB
const WRITTEN = 400 * MB

describe('the embedded engine', () => {
  let folder: Awaited<ReturnType<typeof createTemporaryFolder>>
  let dataDir: string
  let db: Awaited<ReturnType<typeof openEmbedded>>
  beforeAll(async () => {
    folder = await createTemporaryFolder()
    dataDir = join(folder.path, 'data')
    copyEmbeddedTemplate(dataDir)
    const maintenance = { checkEveryMs: 50, vacuumEveryMs: 500, walBytesMax: 16 * MB }
    db = await openEmbedded({ dataDir, maintenance }, silentLog)
  })
  afterAll(async () => {
    await db.close()
    await folder.remove()
  })

  it('keeps its folder smaller than the log it writes', async () => {
    const growth = await grow({ db, dataDir, walBytes: WRITTEN })
    expect(growth.walBytes).toBeGreaterThanOrEqual(WRITTEN)
    expect(growth.peakBytes).toBeLessThan(BOUND)
  })
})
