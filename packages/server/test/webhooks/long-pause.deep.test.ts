import { expect, test } from 'vitest'
import { openPostgres } from '../../src/storage/engine/postgres.ts'
import { describeOnPostgres } from '../support/database.ts'
import { findPostgres, startPostgresServer } from '../support/postgres-server.ts'
import { silentLog } from '../support/silent-log.ts'
import { temporaryRoot } from '../support/temporary-root.ts'
import { waitUntil } from '../support/wait-until.ts'
import { LEASE_MS } from '../support/webhook-queue.ts'
import { openTakeoverStage, TENANTS } from './takeover-stage.ts'

/** Of each organization: enough that attempts are under way all the time. */
const EVENTS = 20
const ANSWER_AFTER_MS = 300

/** A server of its own, because it is paused. */
async function ownDatabase() {
  const binFolder = findPostgres()
  if (binFolder === undefined) throw new Error('There is no PostgreSQL.')
  const server = await startPostgresServer(binFolder, { root: temporaryRoot(), fsync: 'off' })
  const db = await openPostgres({ url: server.url, connectionsMax: 4 }, silentLog)
  const drop = async (): Promise<void> => {
    server.resume()
    await db.close()
    await server.stop()
  }
  return { server, database: { db, url: server.url, drop } }
}

describeOnPostgres('a database that pauses for longer than a lease', () => {
  test('makes no gateway take over what another still has', async () => {
    const { server, database } = await ownDatabase()
    const { receiver, start, store, readLog } = await openTakeoverStage(database)
    await start()
    receiver.behave((response) => setTimeout(() => response.end(), ANSWER_AFTER_MS))
    await store(EVENTS)
    await waitUntil(() => receiver.received.length >= 3 * TENANTS)
    server.pause()
    await new Promise((resolve) => setTimeout(resolve, LEASE_MS + 2_000))
    server.resume()
    await waitUntil(async () => {
      const log = [...(await readLog()).values()]
      return log.length >= EVENTS * TENANTS && log.every(({ status }) => status === 'succeeded')
    })
    // An attempt may be in the log as interrupted only if it was never sent.
    const ids = receiver.received.map(({ headers }) => headers['webhook-id'])
    expect(ids.length - new Set(ids).size).toBe(0)
  })
})
