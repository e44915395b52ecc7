import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { readEffective } from '../../src/process/config/effective.ts'
import { hideUrls } from '../../src/process/config/hide-urls.ts'
import { listSettings } from '../../src/process/config/settings.ts'

const KEY = Buffer.alloc(32, 9).toString('hex')

let folder: string
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'purser-config-'))
})
afterAll(() => rm(folder, { recursive: true }))

function settingOf(env: Record<string, string>, name: string) {
  const all = readEffective(env).groups.flatMap(({ settings }) => settings)
  return all.find((setting) => setting.name === name)
}

/** The other settings that one needs. */
const BESIDE: Readonly<Record<string, Readonly<Record<string, string>>>> = {
  PURSER_MASTER_KEY_PREVIOUS: { PURSER_MASTER_KEY: KEY },
  PURSER_SMTP_URL: { PURSER_MAIL_FROM: 'purser@example.com' },
}

describe('the effective settings', () => {
  test('say whether a value is the default, or comes from the environment or a file', async () => {
    const file = join(folder, 'url')
    await writeFile(file, 'postgres://ada:secret@db:5432/purser\n')
    const env = { PURSER_PORT: '8080', DATABASE_URL_FILE: file }
    const values = readEffective(env).groups.flatMap(({ settings }) => settings)
    expect(values).toContainEqual({
      ...{ name: 'PURSER_HOST', value: '127.0.0.1', source: 'default' },
      ...{ file: null, isHidden: false },
    })
    expect(settingOf(env, 'PURSER_PORT')).toMatchObject({ value: '8080', source: 'environment' })
    expect(settingOf(env, 'DATABASE_URL')).toEqual({
      ...{ name: 'DATABASE_URL', value: 'postgres://***@db:5432/purser', source: 'file' },
      ...{ file, isHidden: true },
    })
  })

  test('list every setting once, and a start with the same values has the same settings', () => {
    const names = listSettings().flatMap(({ settings }) => Object.keys(settings))
    // The usual data folder may be there, with a key that was made at a start.
    const own = { PURSER_DATA_DIR: folder }
    const shown = readEffective(own).groups.flatMap(({ settings }) => settings)
    expect(shown.map(({ name }) => name)).toEqual(names)
    const values = shown.flatMap(({ name, value }) => (value === null ? [] : [[name, value]]))
    const again = readEffective(Object.fromEntries(values))
    const valuesOf = ({ groups }: typeof again) =>
      groups.flatMap(({ settings }) => settings.map(({ name, value }) => [name, value]))
    expect(valuesOf(again)).toEqual(valuesOf(readEffective(own)))
  })

  test('show the defaults that depend on other settings', () => {
    const production = { PURSER_ENV: 'production', PURSER_MASTER_KEY: KEY }
    expect(settingOf(production, 'PURSER_ALLOW_LOOPBACK')?.value).toBe('false')
    expect(settingOf({}, 'PURSER_ALLOW_LOOPBACK')?.value).toBe('true')
    expect(settingOf(production, 'PURSER_PUBLIC_URL')?.value).toBeNull()
    expect(settingOf({ PURSER_PORT: '81' }, 'PURSER_PUBLIC_URL')?.value).toBe('http://localhost:81')
    expect(settingOf(production, 'PURSER_INIT_ORG')?.value).toBeNull()
  })

  test('never contain a secret, in whatever way it is set', async () => {
    const secret = 'hunter2hunter2'
    const secrets = listSettings()
      .flatMap(({ settings }) => Object.entries(settings))
      .filter(([, { isSecret }]) => isSecret)
    expect(secrets.length).toBeGreaterThan(4)
    const values: Readonly<Record<string, string>> = {
      DATABASE_URL: `postgres://ada:${secret}@db/purser?password=${secret}`,
      PURSER_X402_NETWORKS: `eip155:1=https://node.example/v2/${secret}?key=${secret}`,
      PURSER_SMTP_URL: `smtp://ada:${secret}@mail.example`,
      OTEL_EXPORTER_OTLP_ENDPOINT: `http://ada:${secret}@traces.example?token=${secret}`,
      PURSER_INIT_ADMIN_PASSWORD: secret,
      PURSER_INIT_API_KEY: secret,
    }
    for (const [name] of secrets) {
      const value = values[name] ?? KEY
      const file = join(folder, name)
      await writeFile(file, value)
      const beside = BESIDE[name] ?? {}
      for (const env of [{ [name]: value }, { [`${name}_FILE`]: file }]) {
        const text = JSON.stringify(readEffective({ ...beside, ...env }))
        expect(text).toContain('***')
        expect(text).not.toContain(secret)
        expect(text).not.toContain(KEY)
      }
    }
  })

  test('of the first start may name a file that is gone', () => {
    const env = { PURSER_INIT_ADMIN_PASSWORD_FILE: join(folder, 'gone') }
    expect(settingOf(env, 'PURSER_INIT_ADMIN_PASSWORD')).toMatchObject({
      value: null,
      source: 'file',
    })
  })
})

describe('a URL in a setting', () => {
  test.each([
    ['postgres://ada:s3cret@db:5432/purser?sslmode=require', 'postgres://***@db:5432/purser?***'],
    ['postgres://:s3cret@db/purser', 'postgres://***@db/purser'],
    ['postgres://db/purser#s3cret', 'postgres://db/purser#***'],
    ['postgres://db/purser', 'postgres://db/purser'],
    // "/", "?" and "#" should be encoded in a password.
    ['postgres://ada:12/s3cret@db/purser', '***'],
    ['postgres://ada:12?s3cret@db/purser', '***'],
    ['postgres://ada:12#s3cret@db/purser', '***'],
    ['postgres://ada:s3c@ret@db/purser', 'postgres://***@db/purser'],
    ['postgres://ada:12,s3cret@db/purser', 'postgres://***@db/purser'],
    ['postgres://ada:s3cret@one:5432,two:5432/purser', '***'],
  ])('%s is shown as %s', (text, shown) => {
    expect(hideUrls(text, 'path')).toBe(shown)
  })

  test('of a list keeps its name and its host', () => {
    const text =
      'eip155:1=https://u:p@node.example:8545/v2/key?a=b, eip155:2, eip155:3=http://n s3cret'
    expect(hideUrls(text, 'hosts')).toBe(
      'eip155:1=https://***@node.example:8545/***?***, eip155:2, eip155:3=http://n/ ***',
    )
  })
})
