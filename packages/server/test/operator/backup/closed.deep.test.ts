import { afterAll, beforeAll, expect, test } from 'vitest'
import { checkStore } from '../../../src/process/doctor/store.ts'
import { closeStore } from '../../../src/storage/backup/closed-store.ts'
import {
  findClosedStore,
  finishRestore,
  releaseDeliveries,
} from '../../../src/storage/backup/finish-restore.ts'
import { findStoreState } from '../../../src/storage/backup/store-state.ts'
import { openCardDesk } from '../../paths/card/desk.ts'
import { knock, STRIPE_CARD, sample } from '../../paths/card/door.ts'
import { createTestApp, type Owner, type TestApp } from '../../support/app.ts'
import { askFor } from '../../support/approvals.ts'
import { anActiveMandate, bodyOf } from '../../support/builders.ts'
import { describeOnEveryEngine } from '../../support/database.ts'
import { anAskingAgent, messagesOf } from '../../support/messages.ts'
import { aBrowser, aMember, PASSWORD } from '../../support/people.ts'
import { type Receiver, startReceiver } from '../../support/receiver.ts'
import { aSpend, evaluate } from '../../support/spends.ts'
import { dumpTables } from '../../support/tables.ts'
import { waitUntil } from '../../support/wait-until.ts'

describeOnEveryEngine('a restored store', (engine) => {
  let app: TestApp
  let owner: Owner
  let receiver: Receiver
  let agentId: string
  beforeAll(async () => {
    app = await createTestApp(engine)
    receiver = await startReceiver()
    owner = await app.organization()
    bodyOf(await owner.patch('/organization', { webhookUrl: receiver.url }))
    ;({ agentId } = await anActiveMandate(owner))
  })
  afterAll(async () => {
    await app?.stop()
    await receiver?.close()
  })
  const close = () => app.database.db.transaction((tx) => closeStore(tx, 'restored', 'For a test.'))
  const rows = () =>
    dumpTables(app.database.db, { leaveOut: /^(store_state|sessions|sign_in_.*)$/ })
  const isClosed = async () =>
    (await owner.post('/gateway/evaluate', aSpend(agentId))).body['code'] === 'store_restored'

  /** The receiver has an event before the gateway has stored that. */
  const whenDelivered = () =>
    waitUntil(async () => (await app.rows('select 1 from webhook_queue')).length === 0)

  test('answers reads, refuses each spend and change, and sends nothing until it is opened', async () => {
    await evaluate(owner, agentId)
    await waitUntil(() => receiver.received.length > 0)
    await whenDelivered()
    await close()
    const refused = await owner.post('/gateway/evaluate', aSpend(agentId))
    expect([refused.status, refused.body['code']]).toEqual([503, 'store_restored'])
    const before = await rows()
    const changes = [
      owner.post('/agents', { name: 'New' }),
      owner.patch('/organization', { name: 'New' }),
      owner.patch(`/agents/${agentId}`, { status: 'paused' }),
      owner.post('/webhooks/test', { event: 'transaction.approved' }),
      owner.post('/api-keys', { name: 'New' }),
    ]
    for (const answer of await Promise.all(changes)) {
      expect([answer.status, answer.body['code']]).toEqual([503, 'store_restored'])
    }
    for (const url of ['/agents', '/mandates', '/transactions', '/events', '/organization']) {
      expect([url, (await owner.get(url)).status]).toEqual([url, 200])
    }
    const simulated = await owner.post('/gateway/simulate', aSpend(agentId))
    expect([simulated.status, simulated.body['decision']]).toEqual([200, 'approved'])
    expect(await rows()).toBe(before)
    const { pending } = await findClosedStore(app.database.db)
    expect(pending.deliveries).toBe(0)
    await finishRestore(app.database.db, false)
    await waitUntil(async () => !(await isClosed()))
    await expect(findClosedStore(app.database.db)).rejects.toThrow('open already')
  })

  test('lets people sign in and look, and says in /readyz that it is closed', async () => {
    const ada = await aMember(app, owner)
    await close()
    await waitUntil(isClosed)
    const body = { email: ada.email, password: PASSWORD }
    const opened = await aBrowser(app).post('/console/api/sign-in', body)
    expect(opened.status).toBe(200)
    const ready = async () => (await app.app.inject({ url: '/readyz' })).json()
    await waitUntil(async () => (await ready()).store === 'restored')
    expect(await checkStore(await findStoreState(app.database.db))).toMatchObject({
      status: 'fail',
      action: expect.stringContaining('--finish'),
    })
    await finishRestore(app.database.db, false)
    await waitUntil(async () => !(await isClosed()))
    await waitUntil(async () => (await ready()).store === 'open')
    expect(await checkStore(await findStoreState(app.database.db))).toMatchObject({ status: 'ok' })
  })

  test('declines cards in the form of their issuer', async () => {
    const card = { connection: { provider: 'stripe' }, card: { externalId: STRIPE_CARD } } as const
    const { token } = await openCardDesk({ app, ...card })
    const body = sample('stripe/01_request_initial')
    await close()
    const ask = () => knock({ app, provider: 'stripe', token, door: 'authorization', body })
    expect(await ask()).toMatchObject({ status: 200, body: { approved: false } })
    await finishRestore(app.database.db, false)
    await waitUntil(async () => !(await isClosed()))
    expect(await ask()).toMatchObject({ status: 200, body: { approved: true } })
  })

  test('keeps webhook deliveries waiting if the operator says so', async () => {
    await whenDelivered()
    await close()
    await finishRestore(app.database.db, true)
    await waitUntil(async () => !(await isClosed()))
    const count = receiver.received.length
    await evaluate(owner, agentId)
    const queued = await app.rows('select 1 from webhook_queue')
    expect(queued.length).toBeGreaterThan(0)
    expect(receiver.received).toHaveLength(count)
    await releaseDeliveries(app.database.db)
    app.wakeDispatcher()
    await waitUntil(() => receiver.received.length > count)
  })
  test('keeps messages to people waiting too, and still accepts and gathers new ones', async () => {
    const ada = await aMember(app, owner)
    const chat = await startReceiver()
    const messages = messagesOf(app, undefined)
    bodyOf(await ada.patch('/console/api/messages/chat', { url: chat.url }))
    const asking = await anAskingAgent(app, owner)
    await close()
    await finishRestore(app.database.db, true)
    await waitUntil(async () => !(await isClosed()))
    for (const amount of [20, 21]) {
      await askFor(asking.spender, asking.agentId, { amount })
      await messages.round()
    }
    const waiting = await app.rows('select item_count, lease_id, status from messages')
    expect(waiting).toEqual([{ item_count: 2, lease_id: null, status: 'waiting' }])
    expect(chat.received).toEqual([])
    await releaseDeliveries(app.database.db)
    await waitUntil(async () => {
      await messages.round()
      return chat.received.length === 1
    })
    await messages.stop()
    await chat.close()
  })
})
