import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { readConfig } from '../../src/process/config.ts'

const KEY = Buffer.alloc(32, 9)

let folder: string
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'purser-config-'))
})
afterAll(() => rm(folder, { recursive: true }))

async function aFile(name: string, text: string): Promise<string> {
  const path = join(folder, name)
  await writeFile(path, text)
  return path
}

function mistakesOf(env: Record<string, string>): string {
  try {
    readConfig(env)
  } catch (error) {
    return error instanceof Error ? error.message : String(error)
  }
  return 'none'
}

describe('a secret in a file', () => {
  test('is read from there, without the line break at its end', async () => {
    const url = 'postgres://purser@db/purser'
    const config = readConfig({
      PURSER_ENV: 'production',
      PURSER_MASTER_KEY_FILE: await aFile('key', `${KEY.toString('base64')}\n`),
      DATABASE_URL_FILE: await aFile('url', `${url}\n`),
    })
    expect(config.masterKeys.given).toEqual(KEY)
    expect(config.storage.databaseUrl).toBe(url)
  })

  test('is refused together with the variable itself', async () => {
    const file = await aFile('both', KEY.toString('base64'))
    const env = { PURSER_MASTER_KEY: KEY.toString('base64'), PURSER_MASTER_KEY_FILE: file }
    expect(mistakesOf(env)).toMatch(/PURSER_MASTER_KEY and PURSER_MASTER_KEY_FILE are both set/)
  })

  test('is refused when the file is missing, empty, a folder, or holds nonsense', async () => {
    const paths = [
      join(folder, 'missing'),
      folder,
      await aFile('empty', '\n'),
      await aFile('nonsense', 'not a key'),
    ]
    for (const path of paths) {
      expect(mistakesOf({ PURSER_MASTER_KEY_FILE: path })).toContain('PURSER_MASTER_KEY')
      expect(mistakesOf({ DATABASE_URL_FILE: path })).toContain('DATABASE_URL')
    }
  })
})
