import { afterAll, beforeAll, beforeEach, describe, expect, test, vi } from 'vitest'
import { createTestApp, type Owner, type TestApp } from '../../support/app.ts'
import { anActiveMandate, bodyOf } from '../../support/builders.ts'
import { openEventStream } from '../../support/event-stream.ts'
import { startReceiver } from '../../support/receiver.ts'
import { evaluate } from '../../support/spends.ts'
import { waitUntil } from '../../support/wait-until.ts'
import { requestTo, subscribe } from '../../support/webhooks.ts'

const NO_EVENT = 'evt_019a85617c5e7d409b5e6f1f0a3c2b11'
const KINDS = [
  'transaction.approved',
  'transaction.approved',
  'mandate.budget.warning',
  'transaction.rejected',
]

let app: TestApp
let url: string
let acme: Owner
let agentId: string

beforeAll(async () => {
  app = await createTestApp()
  url = await app.app.listen({ port: 0, host: '127.0.0.1' })
})
afterAll(() => app.stop())
/** Two approvals, of which the second warns, and a rejection. */
beforeEach(async () => {
  acme = await app.organization()
  agentId = (await anActiveMandate(acme, { budgetTotal: 100 })).agentId
  for (const amount of [10, 75, 50]) await evaluate(acme, agentId, { amount })
})

const page = async (query = '') => bodyOf(await acme.get(`/events${query}`))

describe('the feed of events', () => {
  test('is the oldest first, with the very data of the webhooks', async () => {
    const { data, hasMore, nextCursor } = await page()
    expect(data.map(({ event }) => event)).toEqual(KINDS)
    expect([hasMore, nextCursor]).toEqual([false, data.at(-1)?.id])
    const receiver = await startReceiver()
    await subscribe(acme, receiver.url)
    await evaluate(acme, agentId, { amount: 1 })
    const request = await requestTo(receiver, 1)
    const [last] = (await page(`?cursor=${nextCursor}`)).data
    expect(last).toEqual({
      id: request.headers['webhook-id'],
      ...JSON.parse(request.body),
      test: false,
    })
    await receiver.close()
  })

  test('goes on after a cursor, and gives the same cursor again when there is nothing more', async () => {
    const seen: string[] = []
    let query = '?limit=3'
    for (const expected of [3, 1, 0]) {
      const { data, hasMore, nextCursor } = await page(query)
      expect([data.length, hasMore]).toEqual([expected, expected === 3])
      seen.push(...data.map(({ event }) => event))
      query = `?limit=3&cursor=${nextCursor}`
    }
    expect(seen).toEqual(KINDS)
    const { transactionId } = await evaluate(acme, agentId, { amount: 1 })
    expect((await page(query)).data).toMatchObject([{ data: { transactionId } }])
  })

  test('is filtered by kind, also page by page', async () => {
    const approved = '?event=transaction.approved&limit=1'
    const first = await page(approved)
    expect([first.data.length, first.hasMore]).toEqual([1, true])
    const second = await page(`${approved}&cursor=${first.nextCursor}`)
    expect([second.data[0]?.event, second.hasMore]).toEqual(['transaction.approved', false])
    expect((await page('?event=mandate.budget.exhausted')).data).toEqual([])
  })

  test('is empty before the first event', async () => {
    const globex = await app.organization('Globex')
    const empty = { data: [], hasMore: false, nextCursor: null }
    expect(bodyOf(await globex.get('/events'))).toEqual(empty)
  })

  test('knows no cursor of another organization, exactly as it knows none that is made up', async () => {
    const globex = await app.organization('Globex')
    for (const cursor of [(await page()).nextCursor, NO_EVENT]) {
      const { status, body } = await globex.get(`/events?cursor=${cursor}`)
      expect([status, body.code]).toEqual([404, 'event_not_found'])
    }
  })

  test.each(['cursor=dlv_1', 'limit=0', 'limit=201', 'event=all', 'offset=3'])(
    'refuses %s',
    async (query) => {
      const { status, body } = await acme.get(`/events?${query}`)
      expect([status, body.code]).toEqual([400, 'validation_failed'])
    },
  )
})

describe('the stream of events', () => {
  const kindsOf = (stream: { readonly events: readonly { readonly event: string }[] }) =>
    stream.events.map(({ event }) => event)

  test('begins now and goes on with what happens, as webhooks would send it', async () => {
    const stream = await openEventStream(url, acme.apiKey)
    expect(stream.status).toBe(200)
    expect(stream.headers['content-type']).toContain('text/event-stream')
    await waitUntil(() => stream.text.startsWith('retry: 2000\nid: evt_'))
    const { transactionId } = await evaluate(acme, agentId, { amount: 5 })
    await waitUntil(() => stream.events.length > 0)
    const { data } = await page()
    expect(stream.events).toHaveLength(1)
    const [event] = stream.events
    expect(event).toMatchObject({ id: data.at(-1)?.id, event: 'transaction.approved' })
    expect(JSON.parse(event?.data ?? '')).toMatchObject({
      event: 'transaction.approved',
      data: { transactionId },
    })
    stream.close()
  })

  test('tells of an event within a moment, long before the next poll', async () => {
    const stream = await openEventStream(url, acme.apiKey)
    await waitUntil(() => stream.text !== '')
    const nextTakesMs = async (): Promise<number> => {
      const number = stream.events.length + 1
      const began = performance.now()
      await evaluate(acme, agentId, { amount: 1 })
      await waitUntil(() => stream.events.length === number)
      return performance.now() - began
    }
    // From here on in step with the poll, which would tell of each a second after the one before.
    await nextTakesMs()
    await waitUntil(async () => (await nextTakesMs()) < 800)
    stream.close()
  })

  test('goes on after Last-Event-ID, which goes before a cursor', async () => {
    const { data } = await page()
    const [first, second] = data
    const options = { query: `?cursor=${second?.id}`, lastEventId: first?.id ?? '' }
    const stream = await openEventStream(url, acme.apiKey, options)
    await waitUntil(() => stream.events.length >= 3)
    expect(kindsOf(stream)).toEqual(KINDS.slice(1))
    stream.close()
    const other = await openEventStream(url, acme.apiKey, { query: `?cursor=${second?.id}` })
    await waitUntil(() => other.events.length >= 2)
    expect(kindsOf(other)).toEqual(KINDS.slice(2))
    other.close()
  })

  test('gives every event once to a client that is cut off again and again', async () => {
    const seen: string[] = []
    let lastEventId = (await page()).nextCursor ?? ''
    for (let visit = 0; visit < 5; visit++) {
      const stream = await openEventStream(url, acme.apiKey, { lastEventId })
      await Promise.all([1, 2, 3].map((amount) => evaluate(acme, agentId, { amount })))
      await waitUntil(() => stream.events.length > 0)
      stream.close()
      seen.push(...stream.events.map(({ id }) => id))
      lastEventId = stream.events.at(-1)?.id ?? lastEventId
    }
    const { data } = await page('?limit=200')
    expect(seen).toEqual(data.slice(4, 4 + seen.length).map(({ id }) => id))
  })

  test('names its place before the first event, so that nothing is missed after a cut', async () => {
    const globex = await app.organization('Globex')
    const cut = await openEventStream(url, globex.apiKey)
    await waitUntil(() => cut.text.includes('id: '))
    cut.close()
    const lastEventId = /id: (\S+)/.exec(cut.text)?.[1] ?? ''
    const { agentId: other } = await anActiveMandate(globex)
    const { transactionId } = await evaluate(globex, other)
    const stream = await openEventStream(url, globex.apiKey, { lastEventId })
    await waitUntil(() => stream.events.length === 1)
    expect(stream.events[0]?.data).toContain(transactionId)
    stream.close()
  })

  test('holds only the kind that is asked for', async () => {
    const { data } = await page()
    const query = `?event=transaction.rejected&cursor=${data[0]?.id}`
    const stream = await openEventStream(url, acme.apiKey, { query })
    await waitUntil(() => stream.events.length > 0)
    await evaluate(acme, agentId, { amount: 1 })
    await evaluate(acme, agentId, { amount: 60 })
    await waitUntil(() => stream.events.length >= 2)
    expect(kindsOf(stream)).toEqual(['transaction.rejected', 'transaction.rejected'])
    stream.close()
  })

  test('does not look again at what is not of the kind that is asked for', async () => {
    const { data } = await page()
    const query = `?event=mandate.budget.exhausted&cursor=${data[0]?.id}`
    const asked = vi.spyOn(app.database.db, 'query')
    const stream = await openEventStream(url, acme.apiKey, { query })
    const afters = () =>
      asked.mock.calls.flatMap(([{ name, values = [] }]) =>
        name === 'list-events-after' && values[0] === acme.organizationId ? values[1] : [],
      )
    await waitUntil(() => afters().length >= 2)
    // What was changed before has taken the first numbers.
    const [place] = await app.rows<{ first: bigint; last: bigint }>(
      'select min(number) as first, max(number) as last from webhook_events where organization_id = $1',
      [acme.organizationId],
    )
    expect(afters().slice(0, 2)).toEqual([place?.first, place?.last])
    stream.close()
    asked.mockRestore()
  })

  test('holds nothing of another organization', async () => {
    const globex = await app.organization('Globex')
    const stream = await openEventStream(url, globex.apiKey)
    const own = await openEventStream(url, acme.apiKey)
    await evaluate(acme, agentId, { amount: 1 })
    await waitUntil(() => own.events.length === 1)
    const { agentId: other } = await anActiveMandate(globex)
    await evaluate(globex, other)
    await waitUntil(() => stream.events.length === 1)
    expect(stream.events[0]?.data).toContain(other)
    expect([own.events.length, stream.events.length]).toEqual([1, 1])
    for (const each of [own, stream]) each.close()
  })

  test.each([NO_EVENT, 'evt_1', 'nonsense', '0'])(
    'is refused for the unknown Last-Event-ID %s',
    async (lastEventId) => {
      const stream = await openEventStream(url, acme.apiKey, { lastEventId })
      await waitUntil(() => stream.end !== undefined)
      expect(stream.status).toBe(404)
      expect(JSON.parse(stream.text)).toMatchObject({ code: 'event_not_found' })
    },
  )

  test("is refused for another organization's event", async () => {
    const globex = await app.organization('Globex')
    const lastEventId = (await page()).nextCursor ?? ''
    const stream = await openEventStream(url, globex.apiKey, { lastEventId })
    expect(stream.status).toBe(404)
  })
})
