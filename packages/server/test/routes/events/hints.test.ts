import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { createTestApp, joinTestApp, type Owner, type TestApp } from '../../support/app.ts'
import { askFor } from '../../support/approvals.ts'
import { aDraft, aKey, anActiveMandate, bodyOf } from '../../support/builders.ts'
import { describeOnPostgres } from '../../support/database.ts'
import { type EventStream, openEventStream } from '../../support/event-stream.ts'
import { aMember } from '../../support/people.ts'
import { answerWith, startReceiver } from '../../support/receiver.ts'
import { aHold, change, evaluate } from '../../support/spends.ts'
import { waitUntil } from '../../support/wait-until.ts'
import { aSubscriber, aTestEvent, settled, subscribe } from '../../support/webhooks.ts'

let app: TestApp
let url: string

beforeAll(async () => {
  app = await createTestApp()
  url = await app.app.listen({ port: 0, host: '127.0.0.1' })
})
afterAll(() => app.stop())

/** The stream of a member who has just signed in, once it has begun. */
async function openAsMember(acme: Owner, options: object = {}): Promise<EventStream> {
  const { cookie } = await aMember(app, acme)
  const stream = await openEventStream(url, '', { cookie, ...options })
  expect(stream.status).toBe(200)
  await waitUntil(() => stream.text !== '')
  return stream
}

const hintsIn = ({ hints }: EventStream) =>
  hints.filter(({ event }) => event === 'hint').map(({ data }) => JSON.parse(data))
const gapsIn = ({ hints }: EventStream) => hints.filter(({ event }) => event === 'gap')
const kindsIn = (stream: EventStream) => hintsIn(stream).map(({ kind }) => kind)

describe('the stream of a signed-in member', () => {
  test('hints at changes by others, with the kind of the change record and its subject', async () => {
    const acme = await app.organization()
    const stream = await openAsMember(acme)
    const { id, agentId } = await anActiveMandate(acme)
    await waitUntil(() => kindsIn(stream).includes('change.mandate.activated'))
    const wanted = [
      { kind: 'change.agent.created', subject: agentId },
      { kind: 'change.mandate.created', subject: id },
      { kind: 'change.mandate.activated', subject: id },
    ]
    const changes = hintsIn(stream).filter(({ kind }) => /agent|mandate/.test(kind))
    expect(changes).toEqual(wanted)
    expect([stream.events, gapsIn(stream)]).toEqual([[], []])
    stream.close()
  })

  test('hints at events that the organization has not chosen, and has the chosen ones', async () => {
    const acme = await app.organization()
    const rules = [{ type: 'amount', max: 50, effect: 'require_approval' }]
    const { agentId } = await anActiveMandate(acme, { rules })
    const stream = await openAsMember(acme)
    const approvalId = await askFor(acme, agentId, { amount: 60 })
    const { transactionId } = await aHold(acme, agentId, 5)
    await change(acme, transactionId, 'settle', 5)
    await waitUntil(() => kindsIn(stream).includes('transaction.settled'))
    await waitUntil(() => stream.events.length === 2)
    expect(hintsIn(stream)).toContainEqual({
      kind: 'transaction.settled',
      subject: transactionId,
      transactionId,
    })
    const [asked] = hintsIn(stream).filter(({ kind }) => kind === 'approval.requested')
    expect(asked).toMatchObject({ subject: approvalId })
    expect(stream.events.map(({ event }) => event)).toEqual([
      'transaction.rejected',
      'transaction.approved',
    ])
    bodyOf(await acme.patch('/organization', { webhookEvents: ['transaction.voided'] }))
    const second = await aHold(acme, agentId, 6)
    await change(acme, second.transactionId, 'void')
    await waitUntil(() => stream.events.length === 4)
    expect(stream.events.at(-1)?.event).toBe('transaction.voided')
    expect(kindsIn(stream)).not.toContain('transaction.voided')
    stream.close()
  })

  test('hints at attempts and ends of deliveries', async () => {
    const receiver = await startReceiver(answerWith(500))
    const acme = await aSubscriber(app, receiver)
    const stream = await openAsMember(acme)
    const { agentId } = await anActiveMandate(acme)
    const { transactionId } = await evaluate(acme, agentId)
    await waitUntil(() => kindsIn(stream).includes('delivery.attempted'))
    receiver.behave(answerWith(200))
    const { id } = await aTestEvent(acme)
    await settled(acme, id)
    await waitUntil(() => kindsIn(stream).includes('delivery.ended'))
    const hints = hintsIn(stream).filter(({ kind }) => kind.startsWith('delivery.'))
    expect(hints).toEqual([
      { kind: 'delivery.attempted', subject: transactionId.replace('txn', 'dlv'), transactionId },
      { kind: 'delivery.ended', subject: id },
    ])
    stream.close()
    await receiver.close()
  })

  test('hints at an endpoint that the gateway pauses', async () => {
    const receiver = await startReceiver(answerWith(500))
    const acme = await aSubscriber(app, receiver)
    const { agentId } = await anActiveMandate(acme)
    // Every attempt has failed for six days, and the next one pauses the endpoint.
    await app.rows(
      `insert into webhook_endpoints (organization_id, id, failing_since)
       values ($1, $1, now() - interval '6 days')`,
      [acme.organizationId],
    )
    const stream = await openAsMember(acme)
    await evaluate(acme, agentId)
    await waitUntil(() => kindsIn(stream).includes('change.webhook.endpoint_health'))
    const [endpoint] = bodyOf(await acme.get('/organization')).webhookEndpoints
    expect(endpoint).toMatchObject({ status: 'paused', pausedReason: 'failing' })
    expect(hintsIn(stream)).toContainEqual({
      kind: 'change.webhook.endpoint_health',
      subject: endpoint?.id,
    })
    stream.close()
    await receiver.close()
  })

  test('begins with a gap if it continues an earlier one, and with none otherwise', async () => {
    const acme = await app.organization()
    const { agentId } = await anActiveMandate(acme)
    await evaluate(acme, agentId)
    const [event] = bodyOf(await acme.get('/events')).data
    const lastEventId = event?.id
    await evaluate(acme, agentId)
    const resumed = await openAsMember(acme, { lastEventId })
    await waitUntil(() => resumed.events.length === 1 && gapsIn(resumed).length === 1)
    expect(gapsIn(resumed)).toEqual([{ event: 'gap', data: '{}' }])
    resumed.close()
  })

  test('reports a gap instead of very many hints', async () => {
    const acme = await app.organization()
    const stream = await openAsMember(acme)
    await app.rows(
      `with feed as (update event_feeds set last_number = last_number + 500
                     where organization_id = $1 returning last_number - 500 as before)
       insert into changes (organization_id, number, id, at, actor_kind, operation, subject_type,
                            subject_id)
       select $1, feed.before + n, gen_random_uuid(), now(), 'system', 'agent.updated', 'agent', ''
       from feed, generate_series(1, 500) as n`,
      [acme.organizationId],
    )
    await waitUntil(() => gapsIn(stream).length === 1)
    const { id } = await aDraft(acme)
    await waitUntil(() => hintsIn(stream).some(({ subject }) => subject === id))
    expect(kindsIn(stream)).not.toContain('change.agent.updated')
    stream.close()
  })

  test('has only the named kinds of events, also among the hints', async () => {
    const acme = await app.organization()
    const { agentId } = await anActiveMandate(acme)
    const query = '?event=transaction.rejected,transaction.settled'
    const stream = await openAsMember(acme, { query })
    const { transactionId } = await aHold(acme, agentId, 5)
    await change(acme, transactionId, 'settle', 5)
    const voided = await aHold(acme, agentId, 5)
    await change(acme, voided.transactionId, 'void')
    await evaluate(acme, agentId, { amount: 5_000 })
    await waitUntil(() => stream.events.length === 1)
    await aDraft(acme)
    await waitUntil(() => kindsIn(stream).includes('change.mandate.created'))
    expect(stream.events.map(({ event }) => event)).toEqual(['transaction.rejected'])
    const ofEvents = kindsIn(stream).filter((kind) => kind.startsWith('transaction.'))
    expect(ofEvents).toEqual(['transaction.settled'])
    stream.close()
  })

  test('shows nothing of another organization', async () => {
    const [acme, globex] = [await app.organization(), await app.organization('Globex')]
    const stream = await openAsMember(acme)
    const foreign = await aDraft(globex)
    const own = await aDraft(acme)
    await waitUntil(() => hintsIn(stream).some(({ subject }) => subject === own.id))
    expect(stream.text).not.toContain(foreign.id)
    stream.close()
  })
})

describe('the stream of a key', () => {
  test('has no hints and no gap', async () => {
    const receiver = await startReceiver()
    const acme = await app.organization()
    await subscribe(acme, receiver.url)
    const { agentId } = await anActiveMandate(acme)
    const { key } = await aKey(app, acme)
    await evaluate(acme, agentId)
    const [event] = bodyOf(await acme.get('/events')).data
    const stream = await openEventStream(url, key.apiKey, { lastEventId: event?.id ?? '' })
    const { transactionId } = await aHold(acme, agentId, 5)
    await change(acme, transactionId, 'settle', 5)
    await evaluate(acme, agentId)
    await waitUntil(() => stream.events.length === 2)
    expect(stream.hints).toEqual([])
    expect(bodyOf(await acme.get('/events')).data).toHaveLength(3)
    stream.close()
    await receiver.close()
  })
})

describe('several kinds of events', () => {
  test('are filtered together, in the list too; an unknown one is refused', async () => {
    const acme = await app.organization()
    const { agentId } = await anActiveMandate(acme)
    for (const amount of [10, 75, 50]) await evaluate(acme, agentId, { amount })
    const kinds = async (query: string) =>
      bodyOf(await acme.get(`/events?event=${query}`)).data.map(({ event }) => event)
    const two = ['mandate.budget.warning', 'transaction.rejected']
    expect(await kinds('transaction.rejected,mandate.budget.warning')).toEqual(two)
    expect(await kinds('transaction.rejected')).toEqual(['transaction.rejected'])
    for (const query of ['transaction.rejected,all', 'transaction.rejected,', ',', 'all']) {
      const { status, body } = await acme.get(`/events?event=${query}`)
      expect([status, body.code]).toEqual([400, 'validation_failed'])
    }
  })
})

describeOnPostgres('hints of another process', () => {
  test('arrive too', async () => {
    const own = await createTestApp('postgres')
    const other = await joinTestApp(own)
    const ownUrl = await own.app.listen({ port: 0, host: '127.0.0.1' })
    const acme = await own.organization()
    const { cookie } = await aMember(own, acme)
    const stream = await openEventStream(ownUrl, '', { cookie })
    await waitUntil(() => stream.text !== '')
    const { id } = await aDraft(other.client(acme.apiKey))
    await waitUntil(() => hintsIn(stream).some(({ subject }) => subject === id))
    stream.close()
    await other.stop()
    await own.stop()
  })
})
