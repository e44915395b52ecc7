import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { createTestApp, type Owner, type TestApp } from '../support/app.ts'
import { anActiveMandate, bodyOf, HOUR_MS } from '../support/builders.ts'
import { type Receiver, startReceiver } from '../support/receiver.ts'
import { aHold, change, evaluate, readTransaction } from '../support/spends.ts'
import { waitUntil } from '../support/wait-until.ts'

const STANDARD = [
  'transaction.approved',
  'transaction.rejected',
  'mandate.budget.warning',
  'mandate.budget.exhausted',
]
const OUTCOMES = [
  'transaction.settled',
  'transaction.voided',
  'transaction.expired',
  'transaction.refunded',
]

interface Told {
  readonly id: string
  readonly event: string
  readonly data: Readonly<Record<string, unknown>>
}

describe('what becomes of a transaction', () => {
  let app: TestApp
  let acme: Owner

  beforeAll(async () => {
    app = await createTestApp()
  })
  beforeEach(async () => {
    acme = await app.organization()
  })
  afterEach(() => {
    app.clock.now = undefined
  })
  afterAll(() => app.stop())

  const choose = async (kinds: readonly string[], owner = acme) =>
    bodyOf(await owner.patch('/organization', { webhookEvents: kinds }))

  async function feed(owner: Owner = acme): Promise<Told[]> {
    return JSON.parse((await owner.get('/events?limit=200')).text).data
  }
  const kindsIn = async () => (await feed()).map(({ event }) => event)

  /** One of each: settled in part, voided, refunded twice. */
  async function endThree(owner: Owner = acme) {
    const { agentId } = await anActiveMandate(owner)
    const [first, second] = [await aHold(owner, agentId, 10), await aHold(owner, agentId, 20)]
    await change(owner, first.transactionId, 'settle', 7.5)
    await change(owner, second.transactionId, 'void')
    await change(owner, first.transactionId, 'refund', 2.5)
    await change(owner, first.transactionId, 'refund', 5)
    return { agentId, first, second }
  }

  test('is told to nobody who has not asked for it', async () => {
    await endThree()
    expect(await kindsIn()).toEqual(['transaction.approved', 'transaction.approved'])
    expect(bodyOf(await acme.get('/organization')).webhookEvents).toEqual(STANDARD)
  })

  test('is told in the order in which it happened, each as it was then', async () => {
    await choose([...STANDARD, ...OUTCOMES])
    const { agentId, first, second } = await endThree()
    const told = (await feed()).slice(2)
    const spend = { transactionId: first.transactionId, agentId, amount: 10, currency: 'USD' }
    expect(told.map(({ event, data }) => ({ event, data }))).toMatchObject([
      {
        event: 'transaction.settled',
        data: { ...spend, status: 'settled', settledAmount: 7.5, refundedAmount: 0, flags: [] },
      },
      {
        event: 'transaction.voided',
        data: { transactionId: second.transactionId, status: 'voided', settledAmount: 0 },
      },
      {
        event: 'transaction.refunded',
        data: { ...spend, status: 'partially_refunded', settledAmount: 7.5, refundedAmount: 2.5 },
      },
      { event: 'transaction.refunded', data: { status: 'refunded', refundedAmount: 7.5 } },
    ])
  })

  test('is told of the kinds that were chosen and of no others', async () => {
    await choose([...STANDARD, 'transaction.voided'])
    await endThree()
    expect((await kindsIn()).slice(2)).toEqual(['transaction.voided'])
  })

  test('is numbered in the feed without a gap, together with what was changed and noted for sums', async () => {
    await choose([...STANDARD, ...OUTCOMES])
    await endThree()
    const rows = await app.rows<{ number: bigint; source: string }>(
      `select number, 'event' as source from webhook_events where organization_id = $1
       union all select number, 'change' from changes where organization_id = $1
       union all select number, 'money' from analytics_changes where organization_id = $1
       order by number`,
      [acme.organizationId],
    )
    expect(rows.map(({ number }) => number)).toEqual(rows.map((_, at) => BigInt(at + 1)))
    expect(rows.filter(({ source }) => source === 'event')).toHaveLength(6)
  })

  test('is told once of each hold that expires, and again if it is settled after all', async () => {
    await choose([...STANDARD, ...OUTCOMES])
    const { agentId } = await anActiveMandate(acme)
    const holds = [await aHold(acme, agentId, 10, '15m'), await aHold(acme, agentId, 20, '15m')]
    app.clock.now = Date.now() + HOUR_MS
    await waitUntil(async () => (await kindsIn()).length === 4)
    const expired = (await feed()).slice(2)
    expect(expired).toMatchObject([
      { event: 'transaction.expired', data: { status: 'expired', settledAmount: 0 } },
      { event: 'transaction.expired', data: { status: 'expired', settledAmount: 0 } },
    ])
    expect(new Set(expired.map(({ data }) => data['transactionId']))).toEqual(
      new Set(holds.map(({ transactionId }) => transactionId)),
    )
    await change(acme, holds[0]?.transactionId ?? '', 'settle')
    expect((await feed()).at(-1)).toMatchObject({
      event: 'transaction.settled',
      data: { status: 'settled', settledAmount: 10, flags: ['late_capture'] },
    })
  })

  test('is not told where the change is refused', async () => {
    await choose([...STANDARD, ...OUTCOMES])
    const { agentId } = await anActiveMandate(acme)
    const { transactionId } = await evaluate(acme, agentId)
    expect((await acme.post(`/transactions/${transactionId}/void`)).status).toBe(409)
    expect(await kindsIn()).toEqual(['transaction.approved'])
    expect((await readTransaction(acme, transactionId)).status).toBe('settled')
  })

  describe('reaches a receiver', () => {
    let receiver: Receiver

    beforeEach(async () => {
      receiver = await startReceiver()
    })
    afterEach(() => receiver.close())

    const received = () => receiver.received.map(({ body }): Told => JSON.parse(body))

    test('with what the feed says of it', async () => {
      await choose([...STANDARD, ...OUTCOMES])
      bodyOf(await acme.patch('/organization', { webhookUrl: receiver.url }))
      await endThree()
      await waitUntil(() => receiver.received.length === 6)
      const byKind = (all: readonly Told[]) =>
        all.map(({ event, data }) => JSON.stringify([event, data])).sort()
      expect(byKind(received())).toEqual(byKind(await feed()))
    })

    test('without the kinds that were not chosen, which stay in the feed', async () => {
      await choose(['transaction.rejected', 'transaction.settled'])
      bodyOf(await acme.patch('/organization', { webhookUrl: receiver.url }))
      const { agentId } = await anActiveMandate(acme, { budgetTotal: 10 })
      const [first, second] = await Promise.all([
        aHold(acme, agentId, 9),
        evaluate(acme, agentId, { amount: 500 }),
      ])
      await change(acme, first.transactionId, 'settle')
      await waitUntil(() => receiver.received.length === 2)
      const told = received().map(({ event, data }) => [event, data['transactionId']])
      expect(new Set(told.map(String))).toEqual(
        new Set([
          `transaction.rejected,${second.transactionId}`,
          `transaction.settled,${first.transactionId}`,
        ]),
      )
      expect(new Set(await kindsIn())).toEqual(
        new Set([
          'transaction.approved',
          'transaction.rejected',
          'mandate.budget.warning',
          'transaction.settled',
        ]),
      )
      const left = 'select 1 from webhook_queue where organization_id = $1'
      await waitUntil(async () => (await app.rows(left, [acme.organizationId])).length === 0)
      expect(receiver.received).toHaveLength(2)
    })
  })

  test('can be asked for only by its name', async () => {
    const refused = await acme.patch('/organization', { webhookEvents: ['transaction.lost'] })
    expect(refused.status).toBe(400)
    const twice = ['transaction.settled', 'transaction.settled']
    expect((await acme.patch('/organization', { webhookEvents: twice })).status).toBe(400)
    expect((await choose(['transaction.settled'])).webhookEvents).toEqual(['transaction.settled'])
  })
})
