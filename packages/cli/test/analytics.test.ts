import { join } from 'node:path'
import { afterAll, afterEach, beforeAll, expect, test } from 'vitest'
import { copyEmbeddedTemplate, createTemporaryFolder } from '../../server/test/support/database.ts'
import { killPursers, startPurser } from './support/purser.ts'

let dataDir: string
let folder: Awaited<ReturnType<typeof createTemporaryFolder>>

beforeAll(async () => {
  folder = await createTemporaryFolder()
  dataDir = join(folder.path, 'data')
  copyEmbeddedTemplate(dataDir)
})
afterEach(killPursers)
afterAll(() => folder.remove())

async function purser(...args: readonly string[]) {
  const process = await startPurser(args, { PURSER_DATA_DIR: dataDir })
  const code = await process.exited()
  return { code, stdout: process.lines.join('\n'), stderr: process.told.join('\n') }
}

test('purser analytics rebuild counts anew, and says from how many transactions', async () => {
  const none = await purser('analytics', 'rebuild')
  expect([none.code, none.stderr]).toEqual([1, expect.stringContaining('no organization yet')])
  const made = JSON.parse((await purser('init', '--org', 'Acme', '--json')).stdout)
  expect(await purser('analytics', 'rebuild')).toMatchObject({
    code: 0,
    stdout: `The sums of ${made.organizationId} are counted anew from 0 transactions.`,
  })
})
