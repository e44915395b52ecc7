import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { toUuid } from '../src/core/id.ts'
import { rotateMasterKey } from '../src/operator/rotate-master-key.ts'
import { newConnection } from '../src/paths/card/registry/change-connection.ts'
import { createFindConnection } from '../src/paths/card/registry/find-connection.ts'
import { changeSecrets } from '../src/paths/card/registry/secrets.ts'
import { insertConnection } from '../src/paths/card/storage/connections.ts'
import { readConfig } from '../src/process/config.ts'
import { openStorage } from '../src/process/open-storage.ts'
import { sealedValues } from '../src/process/sealed-values.ts'
import { createOrganization } from '../src/process/setup.ts'
import type { Database } from '../src/storage/engine/database.ts'
import { resealAll } from '../src/storage/secrets/reseal.ts'
import { createSealer, type Sealer } from '../src/storage/secrets/sealed.ts'
import {
  createTemporaryFolder,
  createTestDatabase,
  describeOnPostgres,
  type TestDatabase,
} from './support/database.ts'
import { silentLog } from './support/silent-log.ts'

const [OLD, NEW, THIRD] = [Buffer.alloc(32, 1), Buffer.alloc(32, 2), Buffer.alloc(32, 3)]
const NOW = Date.UTC(2026, 0, 1)
const DEVELOPMENT = { environment: 'development' } as const

/** The webhook secrets of all organizations, opened with this sealer. */
async function openAll(db: Database, sealer: Sealer): Promise<string[]> {
  const rows = await db.query<{ id: string; secret: Buffer }>({
    text: 'select id, webhook_secret as secret from organizations order by id',
  })
  return rows.map(({ id, secret }) => sealer.open(id, 'webhook-secret', secret))
}

/** Has a current and a previous secret of each kind. */
async function addConnection(
  db: Database,
  sealer: Sealer,
  organizationId: string,
): Promise<string> {
  const connection = newConnection(undefined, { provider: 'stripe', name: 'Issuer' }, false, NOW)
  const { id } = connection
  return db.transaction(async (tx) => {
    await insertConnection(tx, organizationId, connection)
    for (const secret of ['first', 'second']) {
      const secrets = { authorization: secret, events: secret }
      for (const statement of changeSecrets(sealer, organizationId, { id }, secrets, NOW)) {
        await tx.query(statement)
      }
    }
    return id
  })
}

/** Fails as if the process had been killed before this statement or transaction. */
function killedBefore(db: Database, count: number): Database {
  let left = count
  const step = (): void => {
    left -= 1
    if (left < 0) throw new Error('killed')
  }
  return {
    ...db,
    query: async (statement) => {
      step()
      return db.query(statement)
    },
    transaction: async (...parameters) => {
      step()
      return db.transaction(...parameters)
    },
  }
}

describe('re-encrypting all values', () => {
  let database: TestDatabase
  beforeEach(async () => {
    database = await createTestDatabase()
  })
  afterEach(() => database.drop())

  test('can be killed before any step, loses nothing, and is finished by the next run', async () => {
    const { db } = database
    const old = createSealer(OLD)
    for (const name of ['One', 'Two', 'Three']) {
      await createOrganization({ db, sealer: old }, DEVELOPMENT, name)
    }
    const secrets = await openAll(db, old)
    const sealer = createSealer(NEW, [OLD])
    const kinds = sealedValues(readConfig({}))
    for (let steps = 0; steps < 40; steps += 4) {
      const run = resealAll({ db: killedBefore(db, steps), sealer, kinds })
      await run.catch((error: Error) => expect(error.message).toBe('killed'))
      expect(await openAll(db, sealer)).toEqual(secrets)
    }
    await resealAll({ db, sealer, kinds })
    expect(await openAll(db, createSealer(NEW))).toEqual(secrets)
    expect(await resealAll({ db, sealer, kinds })).toEqual({ count: 0, unreadable: 0 })
  })

  test('reaches both secrets of both kinds of every connection to an issuer', async () => {
    const { db } = database
    const old = createSealer(OLD)
    const { organizationId } = await createOrganization({ db, sealer: old }, DEVELOPMENT, 'One')
    const organization = toUuid('org', organizationId) ?? ''
    const find = (sealer: Sealer) => createFindConnection({ db, sealer, now: () => NOW })
    const ids = [
      await addConnection(db, old, organization),
      await addConnection(db, old, organization),
    ]
    const open = async (sealer: Sealer) =>
      Promise.all(ids.map(async (id) => (await find(sealer).byId(organization, id))?.secrets))
    const secrets = await open(old)
    const both = { authorization: ['second', 'first'], events: ['second', 'first'] }
    expect(secrets).toEqual([both, both])
    const outcome = await resealAll({
      db,
      sealer: createSealer(NEW, [OLD]),
      kinds: sealedValues(readConfig({})),
    })
    expect(outcome).toEqual({ count: 9, unreadable: 0 })
    expect(await open(createSealer(NEW))).toEqual(secrets)
  })

  test('leaves a value unchanged that no key opens, and counts it', async () => {
    const { db } = database
    await createOrganization({ db, sealer: createSealer(OLD) }, DEVELOPMENT, 'One')
    const sealer = createSealer(NEW, [Buffer.alloc(32, 3)])
    const outcome = await resealAll({ db, sealer, kinds: sealedValues(readConfig({})) })
    expect(outcome).toEqual({ count: 0, unreadable: 1 })
    expect(await openAll(db, createSealer(OLD))).toHaveLength(1)
  })
})

describe('rotating the master key', () => {
  let folder: Awaited<ReturnType<typeof createTemporaryFolder>>
  let dataDir: string
  beforeEach(async () => {
    folder = await createTemporaryFolder()
    dataDir = join(folder.path, 'data')
  })
  afterEach(() => folder.remove())

  describeOnPostgres('on PostgreSQL', () => {
    let database: TestDatabase
    beforeEach(async () => {
      database = await createTestDatabase('postgres')
    })
    afterEach(() => database.drop())

    const configOf = (env: Record<string, string> = {}) =>
      readConfig({ PURSER_DATA_DIR: dataDir, DATABASE_URL: database.url, ...env })
    const WITH_OLD = { PURSER_MASTER_KEY: OLD.toString('base64') }
    const WITH_BOTH = {
      PURSER_MASTER_KEY: NEW.toString('base64'),
      PURSER_MASTER_KEY_PREVIOUS: OLD.toString('base64'),
    }

    test('is finished only when the operator says that no gateway seals with the old key', async () => {
      const running = await openStorage(configOf(WITH_OLD), silentLog)
      await createOrganization(running, DEVELOPMENT, 'Before')
      expect(await rotateMasterKey(configOf(WITH_BOTH), false, silentLog)).toMatchObject({
        resealed: 1,
        isFinished: false,
      })
      // A gateway that was not restarted yet.
      await createOrganization(running, DEVELOPMENT, 'Meanwhile')
      const finished = await rotateMasterKey(configOf(WITH_BOTH), true, silentLog)
      expect(finished).toMatchObject({ resealed: 1, isFinished: true })
      const alone = await openStorage(
        configOf({ PURSER_MASTER_KEY: NEW.toString('base64') }),
        silentLog,
      )
      expect(await openAll(alone.db, alone.sealer)).toHaveLength(2)
      await alone.db.close()
      await running.db.close()
    })

    test('starts no second rotation while values may still have the previous key', async () => {
      const running = await openStorage(configOf(WITH_OLD), silentLog)
      await createOrganization(running, DEVELOPMENT, 'Before')
      await rotateMasterKey(configOf(WITH_BOTH), false, silentLog)
      // A gateway that was not restarted yet.
      await createOrganization(running, DEVELOPMENT, 'Meanwhile')
      const third = {
        PURSER_MASTER_KEY: THIRD.toString('base64'),
        PURSER_MASTER_KEY_PREVIOUS: NEW.toString('base64'),
      }
      await expect(rotateMasterKey(configOf(third), true, silentLog)).rejects.toThrow('--finish')
      // Back to the previous key: every value has one of these two keys.
      const back = {
        PURSER_MASTER_KEY: OLD.toString('base64'),
        PURSER_MASTER_KEY_PREVIOUS: NEW.toString('base64'),
      }
      expect((await rotateMasterKey(configOf(back), false, silentLog)).resealed).toBe(1)
      const both = await openStorage(configOf(WITH_BOTH), silentLog)
      expect(await openAll(both.db, both.sealer)).toHaveLength(2)
      await both.db.close()
      await running.db.close()
    })

    test('changes nothing without both keys or with a wrong one, and says what to set', async () => {
      const { db } = await openStorage(configOf(WITH_OLD), silentLog)
      await db.close()
      const rotate = (env: Record<string, string>) =>
        rotateMasterKey(configOf(env), false, silentLog)
      await expect(rotate(WITH_OLD)).rejects.toThrow('PURSER_MASTER_KEY_PREVIOUS')
      await expect(rotate({})).rejects.toThrow('PURSER_MASTER_KEY_PREVIOUS_FILE')
      const wrong = {
        ...WITH_BOTH,
        PURSER_MASTER_KEY_PREVIOUS: Buffer.alloc(32, 9).toString('hex'),
      }
      await expect(rotate(wrong)).rejects.toThrow('Nothing was changed')
      await (await openStorage(configOf(WITH_OLD), silentLog)).db.close()
    })
  })
})
