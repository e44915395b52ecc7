import { mkdirSync, readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, beforeAll, beforeEach, describe, expect, inject, test } from 'vitest'
import { openEmbedded } from '../../../../src/storage/engine/embedded/open.ts'
import {
  preparedFileIn,
  readPrepared,
  writePrepared,
} from '../../../../src/storage/engine/embedded/prepared.ts'
import { migrate } from '../../../../src/storage/engine/migrate.ts'
import { createTemporaryFolder } from '../../../support/database.ts'
import { recordLog } from '../../../support/recorded-log.ts'

let folder: Awaited<ReturnType<typeof createTemporaryFolder>>
let preparedFolder: string
let file: string
let whole: Buffer

beforeAll(async () => {
  folder = await createTemporaryFolder()
  preparedFolder = join(folder.path, 'prepared')
  file = await preparedFileIn(preparedFolder)
  await writePrepared(join(inject('embeddedTemplate'), 'db'), file)
  whole = readFileSync(file)
})
beforeEach(() => writeFileSync(file, whole))
afterAll(() => folder.remove())

/** Opens a new data folder, and says which database it began with. */
async function openNew(name: string) {
  const { log, lines } = recordLog()
  const dataDir = join(folder.path, name)
  const db = await openEmbedded({ dataDir, preparedFolder }, log)
  // Each run of initdb makes another number.
  const [row] = await db.query<{ id: bigint }>({
    text: 'select system_identifier as id from pg_control_system()',
  })
  return { db, dataDir, id: row?.id, lines }
}

describe('a new data folder', () => {
  test('begins with the prepared database, which lacks no migration and holds no key', async () => {
    const first = await openNew('first')
    expect(await migrate(first.db)).toBe(0)
    for (const table of ['installation', 'organizations', 'api_keys']) {
      expect(await first.db.query({ text: `select 1 from ${table}` })).toEqual([])
    }
    await first.db.close()
    const second = await openNew('second')
    await second.db.close()
    expect(second.id).toBe(first.id)
    expect(readdirSync(first.dataDir)).toEqual(['db'])
    for (const path of ['db', 'db/base', 'db/global/pg_control']) {
      expect(statSync(join(first.dataDir, path)).mode & 0o077).toBe(0)
    }
  })

  test('is created without it where its file is cut off', async () => {
    const good = await openNew('good')
    await good.db.close()
    writeFileSync(file, whole.subarray(0, whole.length - 100))
    const { db, id, lines } = await openNew('bad')
    await db.close()
    expect(id).not.toBe(good.id)
    expect(lines).toEqual([expect.objectContaining({ event: 'storage.prepared_damaged' })])
  })

  test('passes over a database that other migrations or another engine have made', async () => {
    const others = join(folder.path, 'others')
    mkdirSync(others)
    writeFileSync(join(others, 'database-0123456789abcdef.gz'), whole)
    expect(await readPrepared(others)).toBeUndefined()
  })
})

test('a prepared file in which one bit has turned is refused', async () => {
  const bytes = Buffer.from(whole)
  const middle = bytes.length >> 1
  bytes.writeUInt8(bytes.readUInt8(middle) ^ 0x10, middle)
  writeFileSync(file, bytes)
  await expect(readPrepared(preparedFolder)).rejects.toThrow()
})
