import { existsSync } from 'node:fs'
import { readdir, readFile, stat, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { createCheckedSealer, loadMasterKey } from '../../../src/storage/secrets/master-key.ts'
import { createTemporaryFolder, createTestDatabase } from '../../support/database.ts'

let folder: Awaited<ReturnType<typeof createTemporaryFolder>>
let dataDir: string

beforeEach(async () => {
  folder = await createTemporaryFolder()
  dataDir = join(folder.path, 'not', 'there', 'yet')
})
afterEach(() => folder.remove())

describe('the master key', () => {
  test('is made once, in a file and a folder for this user alone, and found again', async () => {
    const key = await loadMasterKey(undefined, dataDir)
    expect(key).toHaveLength(32)
    expect(await loadMasterKey(undefined, dataDir)).toEqual(key)
    expect(await readdir(dataDir)).toEqual(['master.key'])
    expect((await stat(join(dataDir, 'master.key'))).mode & 0o777).toBe(0o600)
    expect((await stat(dataDir)).mode & 0o777).toBe(0o700)
    expect(await readFile(join(dataDir, 'master.key'), 'utf8')).toBe(`${key.toString('base64')}\n`)
  })

  test('is another one in every data folder', async () => {
    const other = await loadMasterKey(undefined, join(folder.path, 'other'))
    expect(await loadMasterKey(undefined, dataDir)).not.toEqual(other)
  })

  test('is the same for all who start at once on one data folder', async () => {
    const keys = await Promise.all(
      Array.from({ length: 20 }, () => loadMasterKey(undefined, dataDir)),
    )
    expect(new Set(keys.map((key) => key.toString('hex'))).size).toBe(1)
    expect(await readdir(dataDir)).toEqual(['master.key'])
  })

  test('that is given is used, and nothing is written', async () => {
    const given = Buffer.alloc(32, 5)
    expect(await loadMasterKey(given, dataDir)).toBe(given)
    expect(existsSync(dataDir)).toBe(false)
  })

  test.each([
    '',
    'short',
    Buffer.alloc(31).toString('base64'),
    Buffer.alloc(33).toString('base64'),
  ])('is refused, and not replaced, when its file holds %j', async (text) => {
    await loadMasterKey(undefined, dataDir)
    await writeFile(join(dataDir, 'master.key'), text)
    await expect(loadMasterKey(undefined, dataDir)).rejects.toThrow(/damaged.*backup/)
    expect(await readFile(join(dataDir, 'master.key'), 'utf8')).toBe(text)
  })
})

describe('a database', () => {
  test('takes the first master key for good, and refuses any other', async () => {
    const { db, drop } = await createTestDatabase()
    const [first, other] = [Buffer.alloc(32, 1), Buffer.alloc(32, 2)]
    const sealed = (await createCheckedSealer(db, first)).seal('org', 'test', 'secret')
    await expect(createCheckedSealer(db, other)).rejects.toThrow(/not the one this database/)
    expect((await createCheckedSealer(db, first)).open('org', 'test', sealed)).toBe('secret')
    await drop()
  })
})
