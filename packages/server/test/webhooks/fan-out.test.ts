import { afterAll, beforeAll, expect, test } from 'vitest'
import { resealAll } from '../../src/storage/secrets/reseal.ts'
import { createSealer } from '../../src/storage/secrets/sealed.ts'
import { endpointSecrets } from '../../src/storage/secrets/sealed-values.ts'
import { WEBHOOK_URLS } from '../../src/storage/webhooks/urls.ts'
import { fanOut } from '../../src/webhooks/fan-out.ts'
import { createTestApp, joinTestApp, type TestApp } from '../support/app.ts'
import { anActiveMandate } from '../support/builders.ts'
import { describeOnPostgres } from '../support/database.ts'
import { startReceiver } from '../support/receiver.ts'
import { evaluate } from '../support/spends.ts'
import { waitUntil } from '../support/wait-until.ts'
import { LATER, queueForLater } from '../support/webhook-queue.ts'
import { headerOf } from '../support/webhooks.ts'
import { twoEndpoints } from './endpoint-stage.ts'

const SPENDS = 20

describeOnPostgres('events for several endpoints', () => {
  let app: TestApp
  beforeAll(async () => {
    app = await createTestApp()
  })
  afterAll(() => app.stop())

  async function open() {
    const [first, second] = await Promise.all([startReceiver(), startReceiver()])
    const acme = await app.organization()
    const endpoints = await twoEndpoints({ app, acme, first, second })
    const close = () => Promise.all([first.close(), second.close()])
    return { acme, first, second, ...endpoints, close }
  }

  test('reach each endpoint once, although two gateways divide and send them', async () => {
    const { acme, first, second, close } = await open()
    const other = await joinTestApp(app)
    const { agentId } = await anActiveMandate(acme)
    const spends = Array.from({ length: SPENDS }, () => evaluate(acme, agentId, { amount: 1 }))
    await Promise.all(spends)
    for (const { received } of [first, second]) {
      await waitUntil(() => received.length >= SPENDS)
    }
    const queued = 'select 1 from webhook_queue where organization_id = $1'
    await waitUntil(async () => (await app.rows(queued, [acme.organizationId])).length === 0)
    for (const { received } of [first, second]) {
      const ids = received.map((request) => headerOf(request, 'webhook-id'))
      expect(new Set(ids).size).toBe(SPENDS)
      expect(ids).toHaveLength(SPENDS)
    }
    await other.stop()
    await close()
  })

  test('are not lost by a process that dies while it divides them, nor divided twice', async () => {
    const { acme, other, close } = await open()
    const { organizationId } = acme
    await queueForLater(app, acme)
    const { db } = app.database
    const entries = () =>
      app.rows<{ endpointId: string | null }>(
        `select endpoint_id as "endpointId" from webhook_queue where organization_id = $1`,
        [organizationId],
      )
    const dying = db.transaction(async (tx) => {
      await fanOut(tx, organizationId, LATER)
      throw new Error('killed')
    })
    await expect(dying).rejects.toThrow('killed')
    expect(await entries()).toEqual([{ endpointId: null }])
    const divide = () => db.transaction((tx) => fanOut(tx, organizationId, LATER))
    await Promise.all([divide(), divide(), divide()])
    const ids = (await entries()).map(({ endpointId }) => `whe_${endpointId?.replaceAll('-', '')}`)
    expect(ids.sort()).toEqual([`whe_${organizationId.replaceAll('-', '')}`, other.id].sort())
    await close()
  })

  test('have secrets and URLs that move to a new master key', async () => {
    const { acme, close } = await open()
    const sealer = createSealer(Buffer.alloc(32, 8), [Buffer.alloc(32, 7)])
    const kinds = [...endpointSecrets(), WEBHOOK_URLS]
    const { count, unreadable } = await resealAll({ db: app.database.db, sealer, kinds })
    expect(unreadable).toBe(0)
    expect(count).toBeGreaterThanOrEqual(3)
    const rows = await app.rows<{ secret: Buffer }>(
      'select secret from webhook_endpoints where organization_id = $1 and secret is not null',
      [acme.organizationId],
    )
    for (const { secret } of rows) {
      expect(secret.subarray(0, sealer.mark.length)).toEqual(sealer.mark)
    }
    await close()
  })
})
