import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { newId } from '../../src/storage/new-id.ts'
import { storeTransactionEvents } from '../../src/storage/webhooks/events.ts'
import { queueEvents } from '../../src/storage/webhooks/queue-events.ts'
import { createTestApp, type Owner, type TestApp } from '../support/app.ts'
import { usualEngine } from '../support/database.ts'
import { type Receiver, startReceiver } from '../support/receiver.ts'
import { type RecordedLog, recordLog } from '../support/recorded-log.ts'
import { waitUntil } from '../support/wait-until.ts'
import { aSubscriber, aTestEvent, deliveriesOf, settled } from '../support/webhooks.ts'

/** What is broken in one row must not keep the rest of the queue from being sent. */
describe('a queue with something in it that cannot be sent', () => {
  let app: TestApp
  let receiver: Receiver
  let recorded: RecordedLog
  let acme: Owner
  let globex: Owner

  beforeAll(async () => {
    receiver = await startReceiver()
  })
  afterAll(() => receiver.close())
  // An app for each, because what cannot be sent stays in its queue.
  beforeEach(async () => {
    recorded = recordLog()
    app = await createTestApp(usualEngine(), {}, recorded.log)
    acme = await aSubscriber(app, receiver)
    globex = await aSubscriber(app, receiver)
  })
  afterEach(() => app.stop())

  /** As if its transaction had been archived before the event could be sent. */
  const queueWithoutTransaction = ({ organizationId }: Owner) => {
    const event = { id: newId(Date.now()), agentId: newId(Date.now()), decision: 'approved' }
    return app.database.db.transaction(async (tx) => {
      tx.send(storeTransactionEvents(organizationId, Date.now(), [event]))
      tx.send(queueEvents(organizationId, Date.now(), [event]))
    })
  }

  const breakSecret = ({ organizationId }: Owner) =>
    app.rows(`update organizations set webhook_secret = '\\x01' where id = $1`, [organizationId])

  test('because its transaction is gone still sends what other organizations have', async () => {
    await queueWithoutTransaction(acme)
    expect((await settled(globex, (await aTestEvent(globex)).id)).status).toBe('succeeded')
  })

  test('because its transaction is gone still sends what else the organization has', async () => {
    await queueWithoutTransaction(acme)
    expect((await settled(acme, (await aTestEvent(acme)).id)).status).toBe('succeeded')
  })

  test('because its transaction is gone leaves a line in the log of the gateway', async () => {
    await queueWithoutTransaction(acme)
    await waitUntil(() => recorded.lines.length > 0)
    const [delivery] = await deliveriesOf(acme)
    expect(delivery?.status).toBe('failed')
    expect(recorded.lines).toMatchObject([
      { level: 40, deliveryId: delivery?.id, errorClass: 'unsendable', attempts: 0 },
    ])
  })

  test('because a secret does not open still sends what other organizations have', async () => {
    await breakSecret(acme)
    await aTestEvent(acme)
    expect((await settled(globex, (await aTestEvent(globex)).id)).status).toBe('succeeded')
    expect(await deliveriesOf(acme)).toMatchObject([{ status: 'pending', attempts: 0 }])
  })

  /** As a disk, a constraint or a trigger might: what is written about this organization is refused. */
  const refuseEnds = async ({ organizationId }: Owner) => {
    await app.rows(`
      create function refuse() returns trigger language plpgsql as $$
      begin raise exception 'refused'; end $$`)
    await app.rows(`
      create trigger refuse before update on webhook_attempts for each row
      when (old.organization_id = '${organizationId}') execute function refuse()`)
  }

  test('because its end cannot be written down still sends what other organizations have', async () => {
    await refuseEnds(acme)
    const { eventId } = await aTestEvent(acme)
    await waitUntil(() =>
      receiver.received.some(({ headers }) => headers['webhook-id'] === eventId),
    )
    expect((await settled(globex, (await aTestEvent(globex)).id)).status).toBe('succeeded')
  })
})
