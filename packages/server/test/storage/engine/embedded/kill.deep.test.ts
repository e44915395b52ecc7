import { join } from 'node:path'
import { describe, it } from 'vitest'
import { copyEmbeddedTemplate, createTemporaryFolder } from '../../../support/database.ts'
import { proveSurvival } from './kill-proof.ts'

describe('a commit of the embedded engine', () => {
  it('survives SIGKILL under load, and the lock of the killed process is no obstacle', async () => {
    const { path, remove } = await createTemporaryFolder()
    const dataDir = join(path, 'data')
    copyEmbeddedTemplate(dataDir)
    await proveSurvival(dataDir, 5)
    await remove()
  })
})
