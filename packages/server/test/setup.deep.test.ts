import { readFile, rm, stat, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import type { PaymentPath } from '../src/paths/path.ts'
import { type Config, readConfig } from '../src/process/config.ts'
import { openStorage } from '../src/process/open-storage.ts'
import { startServer } from '../src/process/server.ts'
import { createFirstOrganization, readScopes } from '../src/process/setup.ts'
import { countOrganizations } from '../src/storage/organizations.ts'
import { mintApiKey } from '../src/storage/secrets/api-key-secret.ts'
import {
  copyEmbeddedTemplate,
  createEmptyPostgresDatabase,
  createTemporaryFolder,
  describeOnPostgres,
  type TestDatabase,
} from './support/database.ts'
import { silentLog } from './support/silent-log.ts'

type Gateway = Awaited<ReturnType<typeof startServer>>

const KEY = Buffer.alloc(32, 3).toString('base64')

let folder: Awaited<ReturnType<typeof createTemporaryFolder>>
beforeEach(async () => {
  folder = await createTemporaryFolder()
})
afterEach(() => folder.remove())

function configOf(env: Record<string, string>): Config {
  return readConfig({
    PURSER_PORT: '0',
    PURSER_LOG_LEVEL: 'silent',
    PURSER_DATA_DIR: join(folder.path, 'data'),
    ...env,
  })
}

async function keyIn(gateway: Gateway): Promise<string> {
  return (await readFile(gateway.firstKeyFile ?? '', 'utf8')).trim()
}

async function statusWith(gateway: Gateway, key: string): Promise<number> {
  const headers = { authorization: `Bearer ${key}` }
  return (await fetch(`${gateway.url}/api/v1/organization`, { headers })).status
}

const OWNER = { email: 'ada@example.com', password: 'correct horse battery' }

/** A production gateway sets its cookie over plain HTTP too; only browsers refuse it there. */
function signInAt(gateway: Gateway): Promise<Response> {
  const headers = { 'content-type': 'application/json' }
  const body = JSON.stringify(OWNER)
  return fetch(`${gateway.url}/console/api/sign-in`, { method: 'POST', headers, body })
}

describe('the first start with PURSER_INIT_ORG', () => {
  test('creates the organization once and writes its key to a file that only this user can read', async () => {
    const config = configOf({ PURSER_INIT_ORG: 'Acme' })
    await copyEmbeddedTemplate(config.storage.dataDir)
    const first = await startServer(config)
    const key = await keyIn(first)
    expect(first.hasOrganization).toBe(true)
    expect(first.firstKeyFile).toBe(join(config.storage.dataDir, 'initial-api-key'))
    expect((await stat(first.firstKeyFile ?? '')).mode & 0o777).toBe(0o600)
    expect(await statusWith(first, key)).toBe(200)
    await first.stop()

    // An older version accepted names with invisible characters.
    const second = await startServer(configOf({ PURSER_INIT_ORG: 'Ac\u00adme' }))
    const kept = { firstKeyFile: undefined, keptKeyFile: first.firstKeyFile }
    expect(second).toMatchObject({ ...kept, hasOrganization: true })
    expect(await statusWith(second, key)).toBe(200)
    await second.stop()
  })

  test('refuses a name with invisible characters', async () => {
    const config = configOf({ PURSER_INIT_ORG: 'Ac\u00adme' })
    await copyEmbeddedTemplate(config.storage.dataDir)
    await expect(startServer(config)).rejects.toThrow(
      /PURSER_INIT_ORG contains invisible characters/,
    )
  })
})

describeOnPostgres('setting up on PostgreSQL', () => {
  let database: TestDatabase
  beforeEach(async () => {
    database = await createEmptyPostgresDatabase()
  })
  afterEach(() => database.drop())

  const onDatabase = (env: Record<string, string> = {}) =>
    configOf({ DATABASE_URL: database.url, ...env })

  test('works with a configured master key and a data folder that does not exist yet', async () => {
    const gateway = await startServer(
      onDatabase({ PURSER_ENV: 'production', PURSER_MASTER_KEY: KEY, PURSER_INIT_ORG: 'Acme' }),
    )
    const key = await keyIn(gateway)
    expect(key).toMatch(/^psr_live_/)
    expect(await statusWith(gateway, key)).toBe(200)
    await gateway.stop()
  })

  test('creates nothing by itself in production', async () => {
    const gateway = await startServer(
      onDatabase({ PURSER_ENV: 'production', PURSER_MASTER_KEY: KEY }),
    )
    expect(gateway).toMatchObject({ firstKeyFile: undefined, hasOrganization: false })
    await gateway.stop()
  })

  test('creates one organization when two processes start at once on an empty database', async () => {
    const configs = ['one', 'two'].map((name) =>
      onDatabase({ PURSER_MASTER_KEY: KEY, PURSER_DATA_DIR: join(folder.path, name) }),
    )
    const gateways = await Promise.all(configs.map((config) => startServer(config)))
    const made = gateways.filter(({ firstKeyFile }) => firstKeyFile !== undefined)
    expect(made).toHaveLength(1)
    expect(await countOrganizations(database.db)).toBe(1)
    const key = await keyIn(made[0] as Gateway)
    for (const gateway of gateways) expect(await statusWith(gateway, key)).toBe(200)
    await Promise.all(gateways.map((gateway) => gateway.stop()))
  })

  test('sets up without a browser: once, with the owner and the key that the operator chose', async () => {
    const { token } = mintApiKey('live')
    const passwordFile = join(folder.path, 'password')
    await writeFile(passwordFile, `${OWNER.password}\n`, { mode: 0o600 })
    const env = {
      ...{ PURSER_ENV: 'production', PURSER_MASTER_KEY: KEY, PURSER_INIT_ORG: 'Acme' },
      ...{ PURSER_INIT_ADMIN_EMAIL: OWNER.email, PURSER_INIT_ADMIN_PASSWORD_FILE: passwordFile },
      ...{ PURSER_INIT_API_KEY: token, PURSER_DATA_DIR: join(folder.path, 'headless') },
    }
    const gateways = await Promise.all([env, env].map((each) => startServer(onDatabase(each))))
    const none = { firstKeyFile: undefined, setupFile: undefined, hasOrganization: true }
    for (const gateway of gateways) {
      expect(gateway).toMatchObject(none)
      expect(await statusWith(gateway, token)).toBe(200)
      const answer = await signInAt(gateway)
      expect(await answer.json()).toMatchObject({
        member: { email: OWNER.email, role: 'owner', createdBy: 'cli' },
        organization: { name: 'Acme' },
      })
    }
    await Promise.all(gateways.map((gateway) => gateway.stop()))
    expect(await countOrganizations(database.db)).toBe(1)
    const members = await database.db.query({ text: 'select 1 from members' })
    expect(members).toHaveLength(1)

    // Later starts do not read these settings, so their files may be gone and their values wrong.
    await rm(passwordFile)
    const later = await startServer(onDatabase({ ...env, PURSER_INIT_API_KEY: 'wrong' }))
    expect(await statusWith(later, token)).toBe(200)
    await later.stop()
  })

  test('creates nothing if the password of the first owner is too weak, and does not show it', async () => {
    const weak = 'password1234'
    const env = {
      ...{ PURSER_MASTER_KEY: KEY, PURSER_INIT_ADMIN_EMAIL: OWNER.email },
      PURSER_INIT_ADMIN_PASSWORD: weak,
    }
    const failure = await startServer(onDatabase(env)).catch((error: unknown) => error)
    expect(String(failure)).toMatch(/PURSER_INIT_ADMIN_PASSWORD is one of the most common/)
    expect(String(failure)).not.toContain(weak)
    expect(await countOrganizations(database.db)).toBe(0)
  })

  test('refuses a different master key, and works again with the right one', async () => {
    const right = onDatabase({ PURSER_MASTER_KEY: KEY })
    const wrong = onDatabase({ PURSER_MASTER_KEY: Buffer.alloc(32, 4).toString('base64') })
    await (await openStorage(right, silentLog)).db.close()
    await expect(startServer(wrong)).rejects.toThrow(/master key is not the one/)
    const gateway = await startServer(right)
    await gateway.stop()
  })

  test('refuses a data folder that lost its master key', async () => {
    await (await openStorage(onDatabase(), silentLog)).db.close()
    const elsewhere = onDatabase({ PURSER_DATA_DIR: join(folder.path, 'new') })
    await expect(openStorage(elsewhere, silentLog)).rejects.toThrow(/master\.key is missing/)
  })

  test('does not leave the key in an old file that others can read', async () => {
    const config = onDatabase({ PURSER_INIT_ORG: 'Acme' })
    const storage = await openStorage(config, silentLog)
    const path = join(config.storage.dataDir, 'initial-api-key')
    await writeFile(path, 'an old key\n', { mode: 0o644 })
    expect(await createFirstOrganization(storage, config)).toEqual({ keyFile: path })
    expect((await stat(path)).mode & 0o777).toBe(0o600)
    expect(await readFile(path, 'utf8')).toMatch(/^psr_test_/)
    await storage.db.close()
  })

  test('creates no organization if the file for its key cannot be written', async () => {
    const config = onDatabase({ PURSER_MASTER_KEY: KEY, PURSER_INIT_ORG: 'Acme' })
    const storage = await openStorage(config, silentLog)
    await writeFile(config.storage.dataDir, 'a file where the folder should be')
    await expect(createFirstOrganization(storage, config)).rejects.toThrow()
    expect(await countOrganizations(storage.db)).toBe(0)
    await storage.db.close()
  })
})

test('the opened storage answers a violated constraint with the problem that its path declares', async () => {
  const problem = { code: 'till_known', status: 409, title: 'The till is known' }
  const till: PaymentPath = {
    name: 'card',
    refusals: new Map([['organizations_pkey', { problem, detail: 'Use the till that is there.' }]]),
    open: () => ({}),
  }
  const dataDir = join(folder.path, 'data')
  copyEmbeddedTemplate(dataDir)
  const config = readConfig({ PURSER_DATA_DIR: dataDir }, { paths: [till] })
  const storage = await openStorage(config, silentLog)
  await createFirstOrganization(storage, config)
  const again = { text: 'insert into organizations select * from organizations' }
  await expect(storage.db.query(again)).rejects.toMatchObject({ code: 'till_known', status: 409 })
  await storage.db.close()
})

describe('scopes on the command line', () => {
  test('are separated by commas, and duplicates are dropped', () => {
    expect(readScopes('gateway:write, keys:read,gateway:write')).toEqual([
      'gateway:write',
      'keys:read',
    ])
  })

  test.each([
    ['gateway:wirte', '"gateway:wirte" is not a scope: did you mean gateway:write? The scopes are'],
    ['keys:read,KEYS:WRITE', '"KEYS:WRITE" is not a scope: did you mean keys:write?'],
    ['everything', '"everything" is not a scope. The scopes are gateway:read, gateway:write,'],
    ['keys:read,', '"" is not a scope. The scopes are'],
    ['\u001b[2J', '"\\u001b[2J" is not a scope.'],
  ])('are refused if one is unknown: %j', (text, sentence) => {
    expect(() => readScopes(text)).toThrow(sentence)
  })
})
