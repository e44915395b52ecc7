import { afterEach, beforeEach, expect, test } from 'vitest'
import {
  createTemporaryFolder,
  createTestDatabase,
  describeOnPostgres,
  type TestDatabase,
} from '../../server/test/support/database.ts'
import { waitUntil } from '../../server/test/support/wait-until.ts'
import { callPurser } from './support/in-process.ts'
import { killPursers, startPurser } from './support/purser.ts'

describeOnPostgres('purser serve --workers', () => {
  let database: TestDatabase
  let folder: Awaited<ReturnType<typeof createTemporaryFolder>>
  beforeEach(async () => {
    database = await createTestDatabase('postgres')
    folder = await createTemporaryFolder()
  })
  afterEach(async () => {
    killPursers()
    await database.drop()
    await folder.remove()
  })

  test('serves with several processes, and Ctrl-C ends all of them', async () => {
    const command = await startPurser(['serve', '--workers', '2'], {
      ...{ PURSER_DATA_DIR: folder.path, DATABASE_URL: database.url, PURSER_PORT: '0' },
      ...{ PURSER_CONSOLE: 'off', PURSER_DRAIN_SECONDS: '0' },
    })
    const url = () => /listens on (http:\S+)/.exec(command.lines.join('\n'))?.[1]
    await waitUntil(() => url() !== undefined)
    expect((await fetch(`${url()}/readyz`)).status).toBe(200)
    expect(await command.interrupt()).toBe(0)
    const stopped = command.lines.filter((line) => line.includes('process.stopped'))
    expect(stopped).toHaveLength(2)
  })
})

test('purser serve --workers refuses a wrong number', async () => {
  const { told, exited } = await callPurser(['serve', '--workers', '0'])
  expect(await exited()).toBe(1)
  expect(told).toEqual(['purser: --workers must be a number from 1 to 64.'])
})
