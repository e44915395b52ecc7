import { execFile } from 'node:child_process'
import { chmod, mkdir, stat, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { findExposed } from '../../../src/storage/secrets/exposed-files.ts'
import { createTemporaryFolder } from '../../support/database.ts'

let folder: Awaited<ReturnType<typeof createTemporaryFolder>>
let dataDir: string
beforeEach(async () => {
  folder = await createTemporaryFolder()
  dataDir = join(folder.path, "the operator's data")
  await mkdir(dataDir, { mode: 0o700 })
})
afterEach(() => folder.remove())

async function aFile(name: string, mode: number): Promise<string> {
  const path = join(dataDir, name)
  await writeFile(path, 'secret')
  await chmod(path, mode)
  return path
}

test('names nothing where only this user can read', async () => {
  await aFile('master.key', 0o600)
  expect(await findExposed(dataDir, [await aFile('given', 0o400)])).toEqual([])
  expect(await findExposed(join(dataDir, 'nowhere'), ['/nowhere/at/all'])).toEqual([])
})

test('names what others can read, each with the command that mends it', async () => {
  const files = [
    await aFile('master.key', 0o604),
    await aFile('initial-api-key', 0o640),
    await aFile('given', 0o644),
  ]
  await chmod(dataDir, 0o755)
  const exposed = await findExposed(dataDir, [join(dataDir, 'given')])
  expect(exposed.map(({ path }) => path)).toEqual([dataDir, ...files])
  for (const { mend } of exposed) await promisify(execFile)('/bin/sh', ['-c', mend])
  expect(await findExposed(dataDir, [join(dataDir, 'given')])).toEqual([])
  expect((await stat(dataDir)).mode & 0o777).toBe(0o700)
})
