import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { createOutboundClient, type OutboundClient } from '../../src/outbound/outbound-client.ts'
import { createDnsResolve } from '../../src/outbound/resolver.ts'
import { createOrganization } from '../../src/process/setup.ts'
import { type Dispatcher, startDispatcher } from '../../src/webhooks/dispatcher.ts'
import { type NameServer, startNameServer } from '../outbound/name-server.ts'
import { storeRejections } from '../support/bulk-decisions.ts'
import { createTestDatabase, type TestDatabase } from '../support/database.ts'
import { type Receiver, startReceiver } from '../support/receiver.ts'
import { silentLog } from '../support/silent-log.ts'
import { sealer } from '../support/tenant.ts'
import { waitUntil } from '../support/wait-until.ts'
import { requestTo } from '../support/webhooks.ts'

const NAMES = {
  'A well.test': ['127.0.0.1'],
  'A inside.test': ['10.0.0.1'],
  'A mixed.test': ['127.0.0.1', '169.254.169.254'],
  'A unknown.test': 'unknown',
  'AAAA unknown.test': 'unknown',
  'A broken.test': 'broken',
  'AAAA broken.test': 'broken',
  'A silent.test': 'silent',
  'AAAA silent.test': 'silent',
} as const

/** A dispatcher of its own, which asks a name server of the test. */
describe('a receiver by its name', () => {
  let database: TestDatabase
  let names: NameServer
  let outbound: OutboundClient
  let dispatcher: Dispatcher
  let receiver: Receiver

  beforeEach(async () => {
    database = await createTestDatabase()
    names = await startNameServer(NAMES)
    receiver = await startReceiver()
    const policy = { allowLoopback: true, allowedNetworks: [] }
    outbound = createOutboundClient(policy, { resolve: createDnsResolve([names.address]) })
    dispatcher = startDispatcher({
      db: database.db,
      sealer,
      outbound,
      clock: async () => Date.now(),
      delaysMs: [60_000],
      log: silentLog,
    })
  })
  afterEach(async () => {
    await dispatcher.stop()
    await outbound.close()
    await database.drop()
    await names.close()
    await receiver.close()
  })

  /** An organization with this receiver, and an event for it. Gives what its first attempt came to. */
  async function send(host: string): Promise<() => Promise<Record<string, unknown> | undefined>> {
    const { db } = database
    const config = { environment: 'development' } as const
    await createOrganization({ db, sealer }, config, host)
    const [row] = await db.query<{ id: string }>({
      text: `update organizations set webhook_url = $1 where name = $2 returning id`,
      values: [receiver.url.replace('127.0.0.1', host), host],
    })
    const organizationId = row?.id ?? ''
    await storeRejections(db, organizationId, organizationId, 1)
    dispatcher.wake()
    return async () => {
      const [attempt] = await db.query({
        text: `select outcome, error_class, remote_address from webhook_attempts
               where organization_id = $1 and outcome <> 'started'`,
        values: [organizationId],
      })
      return attempt
    }
  }

  async function attemptFor(host: string) {
    const look = await send(host)
    await waitUntil(async () => (await look()) !== undefined)
    return look()
  }

  test('is called at the address that the name has, under its name', async () => {
    expect(await attemptFor('well.test')).toEqual({
      outcome: 'succeeded',
      error_class: null,
      remote_address: '127.0.0.1',
    })
    const { headers } = await requestTo(receiver, 1)
    expect(headers.host).toMatch(/^well\.test:\d+$/)
  })

  test.each([
    ['unknown.test', 'dns_failed'],
    ['broken.test', 'dns_failed'],
    ['inside.test', 'address_refused'],
    ['mixed.test', 'address_refused'],
  ])('%s fails as %s and is planned again', async (host, errorClass) => {
    const failed = { outcome: 'failed', error_class: errorClass, remote_address: null }
    expect(await attemptFor(host)).toEqual(failed)
    const queue = await database.db.query({ text: 'select failures from webhook_queue' })
    expect(queue).toEqual([{ failures: 1 }])
    expect(receiver.received).toEqual([])
  })

  test('that no name server answers for fails within five seconds, and others are called meanwhile', async () => {
    const silent = await send('silent.test')
    await attemptFor('well.test')
    expect(await silent()).toBe(undefined)
    await waitUntil(async () => (await silent()) !== undefined)
    const attempt = await silent()
    expect(attempt?.['outcome']).toBe('failed')
    expect(['dns_failed', 'timeout']).toContain(attempt?.['error_class'])
  })
})
