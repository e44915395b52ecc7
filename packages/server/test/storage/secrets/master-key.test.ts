import { existsSync } from 'node:fs'
import { readdir, readFile, rm, stat, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import type { Database } from '../../../src/storage/engine/database.ts'
import { adoptNextKey, makeKeyFile, nextKeyFileIn } from '../../../src/storage/secrets/key-files.ts'
import {
  beginRotation,
  endRotation,
  findKeyChecks,
  loadMasterKeys,
  openSealer,
} from '../../../src/storage/secrets/master-key.ts'
import {
  createTemporaryFolder,
  createTestDatabase,
  type TestDatabase,
} from '../../support/database.ts'

let folder: Awaited<ReturnType<typeof createTemporaryFolder>>
let dataDir: string

beforeEach(async () => {
  folder = await createTemporaryFolder()
  dataDir = join(folder.path, 'not', 'there', 'yet')
})
afterEach(() => folder.remove())

const inFolder = (dir = dataDir) => ({ given: undefined, previous: undefined, dataDir: dir })
const given = (key: Buffer, previous?: Buffer) => ({ given: key, previous, dataDir })
const make = async (dir = dataDir) => (await loadMasterKeys(inFolder(dir), true))[0]

describe('the master key', () => {
  test('is made once, in a file and a folder for this user alone, and found again', async () => {
    const key = await make()
    expect(key).toHaveLength(32)
    expect(await make()).toEqual(key)
    expect(await readdir(dataDir)).toEqual(['master.key'])
    expect((await stat(join(dataDir, 'master.key'))).mode & 0o777).toBe(0o600)
    expect((await stat(dataDir)).mode & 0o777).toBe(0o700)
    expect(await readFile(join(dataDir, 'master.key'), 'utf8')).toBe(`${key?.toString('base64')}\n`)
  })

  test('is another one in every data folder', async () => {
    expect(await make()).not.toEqual(await make(join(folder.path, 'other')))
  })

  test('is the same for all who start at once on one data folder', async () => {
    const keys = await Promise.all(Array.from({ length: 20 }, () => make()))
    expect(new Set(keys.map((key) => key?.toString('hex'))).size).toBe(1)
    expect(await readdir(dataDir)).toEqual(['master.key'])
  })

  test('that is given is used, and nothing is written', async () => {
    const [key, previous] = [Buffer.alloc(32, 5), Buffer.alloc(32, 4)]
    expect(await loadMasterKeys(given(key), true)).toEqual([key])
    expect(await loadMasterKeys(given(key, previous), true)).toEqual([key, previous])
    expect(existsSync(dataDir)).toBe(false)
  })

  test.each([
    '',
    'short',
    Buffer.alloc(31).toString('base64'),
    Buffer.alloc(33).toString('base64'),
  ])('is refused, and not replaced, when its file holds %j', async (text) => {
    await make()
    await writeFile(join(dataDir, 'master.key'), text)
    await expect(make()).rejects.toThrow(/damaged.*backup/)
    expect(await readFile(join(dataDir, 'master.key'), 'utf8')).toBe(text)
  })

  test('that follows is read beside the one that is there, and takes its place in one step', async () => {
    const before = await make()
    await makeKeyFile(nextKeyFileIn(dataDir))
    const [first, next] = await loadMasterKeys(inFolder(), false)
    expect(first).toEqual(before)
    const retired = await adoptNextKey(dataDir, 'old')
    expect(await loadMasterKeys(inFolder(), false)).toEqual([next])
    expect(await readFile(retired, 'utf8')).toBe(`${before?.toString('base64')}\n`)
  })
})

describe('a database', () => {
  let database: TestDatabase
  const [first, other] = [Buffer.alloc(32, 1), Buffer.alloc(32, 2)]
  beforeEach(async () => {
    database = await createTestDatabase()
  })
  afterEach(() => database.drop())

  test('takes the first master key for good, and refuses any other', async () => {
    const { db } = database
    const sealed = (await openSealer(db, given(first))).seal('org', 'test', 'secret')
    await expect(openSealer(db, given(other))).rejects.toThrow(/not the one this database/)
    expect((await openSealer(db, given(first))).open('org', 'test', sealed)).toBe('secret')
  })

  test('that has a master key gets no other when the file of it is lost', async () => {
    await openSealer(database.db, inFolder())
    await rm(join(dataDir, 'master.key'))
    await expect(openSealer(database.db, inFolder())).rejects.toThrow(/is missing.*backup/)
    expect(await readdir(dataDir)).toEqual([])
  })

  test('says which of two keys seals, and needs both until the change is finished', async () => {
    const { db } = database
    const before = await openSealer(db, given(first))
    // Gateways that know the next key already still seal under the first: others may not know it.
    const early = await openSealer(db, given(other, first))
    expect(before.open('org', 'test', early.seal('org', 'test', 'secret'))).toBe('secret')

    const check = await beginRotation(db, await knownOf(db), other)
    const late = await openSealer(db, given(other, first))
    expect(() => before.open('org', 'test', late.seal('org', 'test', 'secret'))).toThrow()
    expect(late.open('org', 'test', before.seal('org', 'test', 'secret'))).toBe('secret')
    await expect(openSealer(db, given(other))).rejects.toThrow(/not finished.*_PREVIOUS/)
    await expect(openSealer(db, given(first))).rejects.toThrow(/not the one this database/)

    await endRotation(db, check)
    const sealed = (await openSealer(db, given(other))).seal('org', 'test', 'secret')
    expect(late.open('org', 'test', sealed)).toBe('secret')
  })

  test('is moved to one key alone, though two runs with different ones begin at once', async () => {
    const { db } = database
    await openSealer(db, given(first))
    const known = await knownOf(db)
    const check = await beginRotation(db, known, other)
    await expect(beginRotation(db, known, Buffer.alloc(32, 9))).rejects.toThrow('Another run')
    await endRotation(db, known.current)
    await expect(openSealer(db, given(other))).rejects.toThrow(/not finished/)
    await endRotation(db, check)
    await openSealer(db, given(other))
  })

  async function knownOf(db: Database) {
    return (await findKeyChecks(db)) ?? { current: Buffer.of(), previous: null }
  }
})
