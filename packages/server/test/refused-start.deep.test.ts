import { readdir, writeFile } from 'node:fs/promises'
import { createServer } from 'node:net'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { createTemporaryFolder } from './support/database.ts'
import { killPrograms, startProgram } from './support/program.ts'

let folder: Awaited<ReturnType<typeof createTemporaryFolder>>
let dataDir: string
beforeEach(async () => {
  folder = await createTemporaryFolder()
  dataDir = join(folder.path, 'data')
})
afterEach(async () => {
  await killPrograms()
  await folder.remove()
})

/** The message of a start that fails: it exits with 1 and shows no stack trace. */
async function refusalOf(env: Record<string, string>): Promise<string> {
  const program = await startProgram({ PURSER_DATA_DIR: dataDir, ...env })
  const { code } = await program.exited()
  const said = program.told.join('\n')
  expect({ code, said }).toMatchObject({ code: 1 })
  expect(said).not.toMatch(/^ {4}at /m)
  return said
}

describe('a start says what to do', () => {
  test('when the data folder is a file', async () => {
    await writeFile(dataDir, 'not a folder')
    expect(await refusalOf({})).toMatch(/data folder .* is a file.*PURSER_DATA_DIR/)
  })

  test('when the port is in use, before it creates a database', async () => {
    const other = createServer()
    await new Promise<void>((resolve) => other.listen(0, '127.0.0.1', resolve))
    const address = other.address()
    const port = typeof address === 'object' ? String(address?.port) : ''
    expect(await refusalOf({ PURSER_PORT: port })).toMatch(/is already in use.*PURSER_PORT/)
    expect(await readdir(folder.path)).toEqual([])
    other.close()
  })

  test('when the machine does not have the address', async () => {
    const host = { PURSER_HOST: '203.0.113.9' }
    expect(await refusalOf(host)).toMatch(/no address "203\.0\.113\.9".*PURSER_HOST/)
    expect(await readdir(folder.path)).toEqual([])
  })
})
