import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { readConfig } from '../../src/process/config.ts'
import { sealedValues } from '../../src/process/sealed-values.ts'
import { resealAll } from '../../src/storage/secrets/reseal.ts'
import { createSealer } from '../../src/storage/secrets/sealed.ts'
import { startUrlSealing } from '../../src/webhooks/seal-urls.ts'
import { createTestApp, type Owner, type TestApp } from '../support/app.ts'
import { bodyOf } from '../support/builders.ts'
import { type Receiver, startReceiver } from '../support/receiver.ts'
import { silentLog } from '../support/silent-log.ts'
import { dumpTables } from '../support/tables.ts'
import { waitUntil } from '../support/wait-until.ts'
import { aTestEvent, settled, subscribe } from '../support/webhooks.ts'

const PATH = 'T0-path-of-the-receiver'
const QUERY = 'token-of-the-receiver'

let app: TestApp
let receiver: Receiver
let acme: Owner
let url: string
beforeAll(async () => {
  app = await createTestApp()
  receiver = await startReceiver()
})
afterAll(async () => {
  await receiver.close()
  await app.stop()
})
beforeEach(async () => {
  acme = await app.organization()
  url = `${receiver.url}/${PATH}?key=${QUERY}`
})

const sealer = createSealer(Buffer.alloc(32, 7))
const urlOf = async () => bodyOf(await acme.get('/organization')).webhookUrl

async function isAnywhere(...texts: readonly string[]): Promise<boolean> {
  const dump = await dumpTables(app.database.db)
  return texts.some((text) => dump.includes(text))
}

async function aDelivery(): Promise<string> {
  const { id } = await aTestEvent(acme)
  expect((await settled(acme, id)).status).toBe('succeeded')
  return id
}

/** Where the attempts of a delivery went; the log shows the values in the query not at all. */
async function sentTo(id: string): Promise<string[]> {
  const { attemptLog } = bodyOf(await acme.get(`/webhooks/deliveries/${id}`))
  return attemptLog.map(({ request }) => request.url)
}

function copies() {
  const text = 'select id, replaced_at from webhook_urls where organization_id = $1 order by id'
  return app.rows<{ id: string; replaced_at: number | null }>(text, [acme.organizationId])
}

describe('a webhook URL', () => {
  test('is stored sealed, in one copy, and used and shown whole', async () => {
    await subscribe(acme, url)
    const [first, second] = [await aDelivery(), await aDelivery()]
    expect(await urlOf()).toBe(url)
    expect((await sentTo(first))[0]).toContain(PATH)
    expect(await sentTo(second)).toEqual(await sentTo(first))
    expect(await isAnywhere(PATH, QUERY)).toBe(false)
    // The same one again is no other copy.
    await subscribe(acme, url)
    expect(await copies()).toEqual([{ id: expect.any(String), replaced_at: null }])
    const named = await app.rows<{ url: string; urlId: string }>(
      'select distinct url, url_id as "urlId" from webhook_attempts where organization_id = $1',
      [acme.organizationId],
    )
    const { protocol, host } = new URL(url)
    expect(named).toEqual([{ url: `${protocol}//${host}/…`, urlId: (await copies())[0]?.id }])
  })

  test('that is replaced is still shown where something was sent to it', async () => {
    await subscribe(acme, url)
    const id = await aDelivery()
    await subscribe(acme, receiver.url)
    await subscribe(acme, null)
    expect(await urlOf()).toBe(null)
    expect((await sentTo(id))[0]).toContain(PATH)
    expect((await copies()).map((copy) => copy.replaced_at !== null)).toEqual([true, true])
  })

  test('does not open as the one of another row', async () => {
    await subscribe(acme, url)
    await subscribe(acme, receiver.url)
    const [first, second] = await copies()
    await app.rows(
      `update webhook_urls set sealed = (select u.sealed from webhook_urls u where u.id = $1)
       where id = $2`,
      [first?.id, second?.id],
    )
    expect((await acme.get('/organization')).status).toBe(500)
    await app.rows('update organizations set webhook_url_id = null where id = $1', [
      acme.organizationId,
    ])
    await app.rows('delete from webhook_urls where organization_id = $1', [acme.organizationId])
  })

  test('moves to another master key', async () => {
    await subscribe(acme, url)
    const [old, next] = [Buffer.alloc(32, 7), Buffer.alloc(32, 9)]
    const kinds = sealedValues(readConfig({}))
    const { db } = app.database
    const sealed = async () =>
      (await app.rows<{ sealed: Buffer }>('select sealed from webhook_urls')).map((row) =>
        row.sealed.subarray(0, sealer.mark.length).equals(createSealer(next).mark),
      )
    expect((await resealAll({ db, sealer: createSealer(next, [old]), kinds })).unreadable).toBe(0)
    expect(new Set(await sealed())).toEqual(new Set([true]))
    expect((await resealAll({ db, sealer: createSealer(old, [next]), kinds })).unreadable).toBe(0)
    expect(await urlOf()).toBe(url)
  })
})

describe('webhook URLs from before', () => {
  /** As an older version has left them. */
  async function putBack(organizationId: string, others: readonly string[]): Promise<void> {
    await app.rows('delete from webhook_urls where organization_id = $1', [organizationId])
    await app.rows(
      'update organizations set webhook_url = $2, webhook_url_id = null where id = $1',
      [organizationId, url],
    )
    await app.rows(
      'update webhook_attempts set url = $2, url_id = null where organization_id = $1',
      [organizationId, url],
    )
    for (const other of others) {
      await app.rows(
        `insert into webhook_attempts (organization_id, id, delivery_id, is_manual, outcome, url,
                                       request_headers, started_at)
         select $1, gen_random_uuid(), gen_random_uuid(), false, 'succeeded', $2, '{}', now()
         from generate_series(1, 700)`,
        [organizationId, other],
      )
    }
    await app.rows(
      `insert into webhook_url_sealings (organization_id, after_id)
       values ($1, '00000000-0000-0000-0000-000000000000')`,
      [organizationId],
    )
  }

  let sealing: ReturnType<typeof startUrlSealing> | undefined
  afterEach(() => sealing?.stop())

  test('are used as they are, and sealed in steps after the start', async () => {
    await subscribe(acme, url)
    const id = await aDelivery()
    const others = [`${url}&older=1`, `${receiver.url}/${PATH}/oldest`]
    await putBack(acme.organizationId, others)
    expect(await urlOf()).toBe(url)
    const meanwhile = await aDelivery()
    expect(await isAnywhere(PATH, QUERY)).toBe(true)

    const { db } = app.database
    sealing = startUrlSealing({ db, sealer, clock: app.time.read, log: silentLog })
    await waitUntil(async () => (await app.rows('select 1 from webhook_url_sealings')).length === 0)
    expect(await isAnywhere(PATH, QUERY)).toBe(false)
    expect(await urlOf()).toBe(url)
    expect((await sentTo(id))[0]).toContain(PATH)
    // Sent before its URL had a copy.
    expect((await sentTo(meanwhile))[0]).not.toContain(PATH)
    // The organization uses the first one.
    const kept = await copies()
    expect(kept.map((copy) => copy.replaced_at === null)).toEqual([true, false, false])
    const unnamed = await app.rows(
      `select 1 from webhook_attempts where organization_id = $1 and url_id is null`,
      [acme.organizationId],
    )
    expect(unnamed).toHaveLength(1)
    await aDelivery()
  })
})
