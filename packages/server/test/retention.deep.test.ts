import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { toUuid } from '../src/core/id.ts'
import { ensurePartitions } from '../src/storage/engine/partitions.ts'
import { startRetention } from '../src/upkeep/retention.ts'
import { countAll } from './support/analytics.ts'
import { createTestApp, type Owner, type TestApp } from './support/app.ts'
import { sealAll } from './support/audit-log.ts'
import { anActiveMandate, bodyOf, DAY_MS } from './support/builders.ts'
import { storeRejections } from './support/bulk-decisions.ts'
import { describeOnUsualEngine } from './support/database.ts'
import { type Receiver, startReceiver } from './support/receiver.ts'
import { STAYS_OPEN } from './support/row-lock.ts'
import { evaluate, readTransaction } from './support/spends.ts'
import { waitUntil } from './support/wait-until.ts'
import { aSubscriber, aTestEvent, deliveryOf, settled } from './support/webhooks.ts'

const TEN_YEARS = 3_650

describeOnUsualEngine('retention', (engine) => {
  let app: TestApp
  let receiver: Receiver
  let acme: Owner

  beforeAll(async () => {
    app = await createTestApp(engine)
    receiver = await startReceiver()
  })
  afterAll(async () => {
    await app.stop()
    await receiver.close()
  })
  beforeEach(async () => {
    // Data of earlier tests is kept, as in an organization that is older than retention.
    await app.rows('update organizations set details_kept_days = null, events_kept_days = null')
    acme = await aSubscriber(app, receiver)
  })

  /** Runs one round, this many days from now. Data that is not sealed or counted yet stays. */
  async function sweepIn(days: number, ready = { isSealed: true, isCounted: true }) {
    if (ready.isSealed) await sealAll(app)
    if (ready.isCounted) await countAll(app)
    const lines: object[] = []
    const tell = (fields: object): void => void lines.push(fields)
    const log = { debug: tell, info: tell, warn: tell, error: tell }
    const clock = async () => Date.now() + days * DAY_MS
    const retention = startRetention({ db: app.database.db, clock, log })
    try {
      await retention.round()
    } finally {
      await retention.stop()
    }
    return lines
  }

  const keep = (owner: Owner, retention: object) => owner.patch('/organization', { retention })
  const count = async (owner: Owner, table: string): Promise<number> => {
    const text = `select 1 from ${table} where organization_id = $1`
    return (await app.rows(text, [owner.organizationId])).length
  }

  test.each([
    ['analytics has counted it', { isSealed: true, isCounted: false }],
    ['it is in the audit log', { isSealed: false, isCounted: true }],
  ])('an event stays until %s', async (_, ready) => {
    const quiet = await app.organization()
    const { agentId } = await anActiveMandate(quiet)
    bodyOf(await keep(quiet, { eventsDays: 7, detailsDays: null }))
    await sealAll(app)
    await evaluate(quiet, agentId)
    await sweepIn(TEN_YEARS, ready)
    expect(await count(quiet, 'webhook_events')).toBe(1)
    // Events that were kept are looked at again after an hour.
    await sweepIn(TEN_YEARS + 1)
    expect(await count(quiet, 'webhook_events')).toBe(0)
    expect(bodyOf(await quiet.get('/analytics/spend')).data).toMatchObject([{ count: 1 }])
  })

  test('of a new organization keeps details forever, and events for 400 days', async () => {
    const first = { detailsDays: null, eventsDays: 400 }
    expect(bodyOf(await acme.get('/organization')).retention).toEqual(first)
    bodyOf(await keep(acme, { detailsDays: 90 }))
    bodyOf(await keep(acme, { eventsDays: 7 }))
    const changed = { detailsDays: 90, eventsDays: 7 }
    expect(bodyOf(await acme.get('/organization')).retention).toEqual(changed)
    expect(bodyOf(await keep(acme, { detailsDays: null })).retention).toEqual({
      ...changed,
      detailsDays: null,
    })
  })

  test.each([{ detailsDays: 89 }, { eventsDays: 6 }, { detailsDays: 36_501 }, {}, { days: 90 }])(
    'is refused as %o',
    async (retention) => {
      expect((await keep(acme, retention)).body.code).toBe('validation_failed')
    },
  )

  test('removes the details and metadata of a transaction, and shows that', async () => {
    const { agentId } = await anActiveMandate(acme)
    const { transactionId } = await evaluate(acme, agentId, { metadata: { order: '7' } })
    await keep(acme, { detailsDays: 90 })
    const before = await readTransaction(acme, transactionId)
    await sweepIn(90)
    expect(await readTransaction(acme, transactionId)).toEqual(before)
    await sweepIn(92)
    const { detailsRemovedAt, ...after } = await readTransaction(acme, transactionId)
    expect({ ...after, detailsRemovedAt: null }).toEqual({
      ...before,
      evaluationDetails: null,
      metadata: null,
    })
    expect(Date.parse(String(detailsRemovedAt))).toBeGreaterThan(Date.now() + 91 * DAY_MS)
    bodyOf(await acme.post(`/transactions/${transactionId}/refund`))
  })

  test('keeps a rejection in the feed, without its removed reasons', async () => {
    const { agentId } = await anActiveMandate(acme)
    const { transactionId } = await evaluate(acme, agentId, { amount: 1_000 })
    await keep(acme, { detailsDays: 90, eventsDays: null })
    await sweepIn(92)
    const [event] = bodyOf(await acme.get('/events')).data
    expect(event).toMatchObject({
      data: { transactionId, code: 'budget_exceeded', reason: null, reasons: [] },
    })
  })

  test('removes events with their deliveries and attempts, and the API says so', async () => {
    const { id } = await aTestEvent(acme)
    await settled(acme, id)
    const cursor = id.replace('dlv', 'evt')
    await keep(acme, { eventsDays: 7 })
    const lines = await sweepIn(8)
    const { organizationId } = acme
    const removed = { organizationId, details: 0, attempts: 1, deliveries: 1, events: 1 }
    expect(lines).toContainEqual(expect.objectContaining(removed))
    for (const table of ['webhook_events', 'webhook_deliveries', 'webhook_attempts']) {
      expect(await count(acme, table)).toBe(0)
    }
    for (const url of [`/events?cursor=${cursor}`, `/webhooks/deliveries/${id}`]) {
      const { status, body } = await acme.get(url)
      expect([url, status, body.code]).toEqual([url, 410, 'event_removed'])
      expect((await (await app.organization()).get(url)).status).toBe(404)
    }
    const next = await aTestEvent(acme)
    expect(bodyOf(await acme.get('/events')).data).toMatchObject([
      { id: next.id.replace('dlv', 'evt') },
    ])
    // From this time on, nothing was removed.
    const unknown = `evt_${'f'.repeat(32)}`
    expect((await acme.get(`/events?cursor=${unknown}`)).body.code).toBe('event_not_found')
  })

  test('keeps events that are still to be sent', async () => {
    const { id } = await aTestEvent(acme)
    await settled(acme, id)
    await app.rows(
      `insert into webhook_queue (organization_id, id, event_id, number, is_manual, due_at)
       select organization_id, gen_random_uuid(), id, number, true, 'infinity' from webhook_events
       where organization_id = $1`,
      [acme.organizationId],
    )
    await keep(acme, { eventsDays: 7 })
    await sweepIn(8)
    expect((await deliveryOf(acme, id)).status).toBe('succeeded')
    expect(await count(acme, 'webhook_events')).toBe(1)
    await app.rows('delete from webhook_queue where organization_id = $1', [acme.organizationId])
  })

  test('keeps everything in organizations that are older than retention', async () => {
    const { agentId } = await anActiveMandate(acme)
    const { transactionId } = await evaluate(acme, agentId, { metadata: { order: '7' } })
    await settled(acme, (await aTestEvent(acme)).id)
    await app.rows('update organizations set events_kept_days = null')
    const read = async () => [
      await readTransaction(acme, transactionId),
      bodyOf(await acme.get('/events')).data,
      bodyOf(await acme.get('/webhooks/deliveries')).data,
      await app.rows('select inhrelid from pg_inherits order by 1'),
    ]
    const before = await read()
    expect(await sweepIn(TEN_YEARS)).toEqual([])
    expect(await read()).toEqual(before)
  })

  test('of one organization removes nothing from another', async () => {
    const globex = await aSubscriber(app, receiver)
    const ids = await Promise.all([acme, globex].map(async (owner) => (await aTestEvent(owner)).id))
    await Promise.all([settled(acme, ids[0] ?? ''), settled(globex, ids[1] ?? '')])
    await keep(acme, { eventsDays: 7 })
    await keep(globex, { eventsDays: 30 })
    await sweepIn(10)
    expect([await count(acme, 'webhook_events'), await count(globex, 'webhook_events')]).toEqual([
      0, 1,
    ])
  })

  test('removes the salt of a decision together with its details', async () => {
    const { agentId } = await anActiveMandate(acme)
    const { transactionId } = await evaluate(acme, agentId)
    const salts = () =>
      app.rows(
        `select salt is not null as "hasSalt", commitment is not null as "hasCommitment"
         from webhook_events where organization_id = $1 and id = $2`,
        [acme.organizationId, toUuid('txn', transactionId)],
      )
    expect(await salts()).toEqual([{ hasSalt: true, hasCommitment: true }])
    await keep(acme, { detailsDays: 90, eventsDays: null })
    await sweepIn(92)
    expect(await salts()).toEqual([{ hasSalt: false, hasCommitment: true }])
  })

  // The embedded engine has one connection, so no other transaction can hold a lock.
  test.runIf(engine === 'postgres')('does not wait for a locked transaction row', async () => {
    const { agentId } = await anActiveMandate(acme)
    const spends = [await evaluate(acme, agentId), await evaluate(acme, agentId)]
    const detailsOf = () =>
      Promise.all(
        spends.map(async ({ transactionId }) => {
          const { evaluationDetails } = await readTransaction(acme, transactionId)
          return evaluationDetails !== null
        }),
      )
    await keep(acme, { detailsDays: 90 })
    await app.database.db.transaction(async (tx) => {
      await tx.query(STAYS_OPEN)
      const locked = toUuid('txn', spends[0]?.transactionId ?? '')
      await tx.query({
        text: 'select 1 from transactions where organization_id = $1 and id = $2 for update',
        values: [acme.organizationId, locked],
      })
      await sweepIn(92)
      expect(await detailsOf()).toEqual([true, false])
    })
    await sweepIn(92)
    expect(await detailsOf()).toEqual([false, false])
  })

  test('continues in the next round if there is more than fits into one', async () => {
    const { agentId } = await anActiveMandate(acme)
    const { db } = app.database
    for (let times = 0; times < 21; times++) {
      await storeRejections(db, acme.organizationId, agentId, 500)
    }
    // No worker may send them meanwhile.
    await app.rows('delete from webhook_queue where organization_id = $1', [acme.organizationId])
    await keep(acme, { detailsDays: 90, eventsDays: null })
    const left = async (): Promise<number> =>
      (
        await app.rows(
          'select 1 from transactions where organization_id = $1 and details_removed_at is null',
          [acme.organizationId],
        )
      ).length
    await sweepIn(92)
    expect(await left()).toBe(500)
    await sweepIn(92)
    expect(await left()).toBe(0)
  })

  test('drops the partition of a month only when it is empty', async () => {
    const months = async (): Promise<unknown[]> =>
      (
        await app.rows(
          `select inhrelid::regclass::text as name from pg_inherits
           where inhparent = 'webhook_events'::regclass order by 1`,
        )
      ).map(({ name }) => name)
    await app.rows('delete from webhook_events')
    await ensurePartitions(app.database.db, Date.now())
    const current = `webhook_events_${new Date().toISOString().slice(0, 7).replace('-', '_')}`
    const globex = await aSubscriber(app, receiver)
    for (const owner of [acme, globex]) await settled(owner, (await aTestEvent(owner)).id)

    await keep(acme, { eventsDays: 7 })
    await keep(globex, { eventsDays: null })
    await sweepIn(100)
    expect(await months()).toContain(current)
    expect(await count(globex, 'webhook_events')).toBe(1)

    await keep(globex, { eventsDays: 90 })
    // A partition that autovacuum uses is left for the next round.
    await waitUntil(async () => {
      await sweepIn(100)
      return !(await months()).includes(current)
    })
    expect(await months()).toContain('webhook_events_rest')
    // New rows still find a partition.
    expect((await settled(acme, (await aTestEvent(acme)).id)).status).toBe('succeeded')
  })
})
