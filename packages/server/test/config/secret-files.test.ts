import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { listSettings } from '../../src/process/config/settings.ts'
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

  test('is refused with one line that says what is wrong with its file', async () => {
    const files = {
      'names a file that cannot be read (ENOENT)': join(folder, 'missing'),
      'names a file that cannot be read (EISDIR)': folder,
      'names an empty file': await aFile('empty', '\n'),
      'names a file that is not text': await aFile('binary', 'a\0b'),
      'names a file of more than 64 KiB': await aFile('large', 'a'.repeat(65_537)),
    }
    const secrets = listSettings()
      .flatMap(({ settings }) => Object.entries(settings))
      .flatMap(([name, { isSecret, isInitial }]) => (isSecret && !isInitial ? name : []))
    expect(secrets.length).toBeGreaterThan(3)
    // Production needs a master key, and the final block needs its network.
    const beside = {
      ...{ PURSER_ENV: 'production', PURSER_MASTER_KEY: KEY.toString('hex') },
      ...{ PURSER_X402_NETWORKS: 'eip155:1', PURSER_X402_FINALITY: 'eip155:1=safe' },
    }
    for (const name of secrets) {
      for (const [reason, path] of Object.entries(files)) {
        const message = mistakesOf({ ...beside, [name]: '', [`${name}_FILE`]: path })
        expect(message).toContain(`The configuration is not valid: ${name}_FILE ${reason}`)
      }
    }
  })

  test('is refused by the rules of its setting, without its text', async () => {
    const path = await aFile('nonsense', 'not a key')
    expect(mistakesOf({ PURSER_MASTER_KEY_FILE: path })).toBe(
      'The configuration is not valid: PURSER_MASTER_KEY must be 32 bytes, as base64 or as 64 hexadecimal digits.',
    )
    expect(mistakesOf({ DATABASE_URL_FILE: path })).toMatch(/valid: DATABASE_URL must look like/)
  })

  test('does not hide the mistakes in other settings', () => {
    const env = { PURSER_MASTER_KEY_FILE: join(folder, 'missing'), PURSER_PORT: 'x' }
    expect(mistakesOf(env)).toMatch(/PURSER_MASTER_KEY_FILE names .*\n.*PURSER_PORT must be/)
  })
})
