import { readFileSync } from 'node:fs'
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest'
import { countAll } from '../support/analytics.ts'
import { createTestApp, type Owner, type TestApp } from '../support/app.ts'
import { sealAll } from '../support/audit-log.ts'
import { aKey, anActiveMandate, bodyOf } from '../support/builders.ts'
import { aMember } from '../support/people.ts'
import { type Receiver, startReceiver } from '../support/receiver.ts'
import { evaluate } from '../support/spends.ts'
import { afterAttempts, aTestEvent, subscribe } from '../support/webhooks.ts'

interface Parameter {
  readonly name: string
  readonly schema: { readonly type: string }
}

interface Document {
  readonly paths: Readonly<
    Record<string, { readonly get?: { readonly parameters?: readonly Parameter[] } }>
  >
}

/** Every address of the document that is asked from a time to another; a proof is asked by sizes. */
const document: Document = JSON.parse(
  readFileSync(new URL('../../../../openapi.json', import.meta.url), 'utf8'),
)
const ADDRESSES = Object.entries(document.paths).flatMap(([path, { get }]) =>
  get?.parameters?.some(({ name, schema }) => name === 'to' && schema.type === 'string')
    ? [path.replace('/api/v1', '')]
    : [],
)

/**
 * The first and last millisecond of November in New York, and those beside them. Clocks are changed there
 * on the first of November, so that the month begins four and ends five hours after UTC.
 */
const TIMES = [
  '2026-11-01T03:59:59.999Z',
  '2026-11-01T04:00:00.000Z',
  '2026-12-01T04:59:59.999Z',
  '2026-12-01T05:00:00.000Z',
] as const
const NOVEMBER = 'from=2026-11-01&to=2026-12-01'
const IN_NOVEMBER = [TIMES[2], TIMES[1]]

describe('from and to', () => {
  let app: TestApp
  let receiver: Receiver
  let acme: Owner
  let agentId: string

  beforeAll(async () => {
    receiver = await startReceiver()
    app = await createTestApp()
    app.clock.now = Date.parse('2026-10-20T12:00:00Z')
    acme = await app.organization()
    bodyOf(await acme.patch('/organization', { timezone: 'America/New_York' }))
    await subscribe(acme, receiver.url)
    const rules = [{ type: 'approval', above: 5 }]
    agentId = (await anActiveMandate(acme, { rules, budgetTotal: 1_000 })).agentId
    for (const [place, time] of TIMES.entries()) {
      app.clock.now = Date.parse(time)
      await evaluate(acme, agentId, { amount: 1 })
      await evaluate(acme, agentId, { amount: 10 + place })
      const { id } = await aTestEvent(acme, 'mandate.budget.warning')
      await afterAttempts(acme, id, 1)
    }
    await sealAll(app)
    await countAll(app)
  })
  afterAll(async () => {
    await app?.stop()
    await receiver?.close()
  })

  test('are parameters of every list by time', () => {
    expect(ADDRESSES.toSorted()).toEqual([
      '/analytics/spend',
      '/approvals',
      '/audit-log',
      '/transactions',
      '/transactions/export',
      '/webhooks/deliveries',
    ])
  })

  test.each([
    ['/transactions?maxAmount=5', 'createdAt'],
    ['/approvals?', 'createdAt'],
    ['/webhooks/deliveries?event=mandate.budget.warning', 'createdAt'],
    ['/audit-log?kind=transaction.approved', 'at'],
  ])('are dates in the zone of the organization in %s, the end left out', async (url, field) => {
    const timesIn = async (query: string): Promise<unknown[]> => {
      const answer = await acme.get(`${url}&${query}`)
      bodyOf(answer)
      const { data }: { data: Record<string, unknown>[] } = JSON.parse(answer.text)
      return data.map((row) => row[field])
    }
    expect(await timesIn(NOVEMBER)).toEqual(IN_NOVEMBER)
    expect(await timesIn('from=2026-12-01')).toEqual([TIMES[3]])
    expect(await timesIn('to=2026-11-01')).toEqual([TIMES[0]])
    expect(await timesIn(`from=2026-11-01&to=${TIMES[2]}`)).toEqual([TIMES[1]])
    expect(await timesIn(`from=${TIMES[2]}&to=2026-12-01`)).toEqual([TIMES[2]])
    expect(await timesIn('from=1970-01-01&to=1970-01-01')).toEqual([])
    expect(await timesIn('from=0001-01-01&to=9999-12-31')).toHaveLength(4)
    // The instant that is the number 0.
    expect(await timesIn('from=1970-01-01T00:00:00Z')).toHaveLength(4)
  })

  test('are the same days in the export and in analytics', async () => {
    const { text } = await acme.get(`/transactions/export?decision=approved&${NOVEMBER}`)
    expect(text.match(/^txn_/gm)).toHaveLength(2)
    for (const query of [NOVEMBER, `from=${TIMES[1]}&to=${TIMES[3]}`]) {
      const sums = bodyOf(await acme.get(`/analytics/spend?${query}`))
      expect(sums).toMatchObject({
        from: '2026-11-01',
        to: '2026-12-01',
        fromAt: TIMES[1],
        toAt: TIMES[3],
        data: [{ count: 2, settled: 2 }],
      })
    }
  })

  test('are whole days where sums are by the day', async () => {
    const { status, body } = await acme.get(`/analytics/spend?from=${TIMES[0]}`)
    expect(status).toBe(400)
    expect(body.detail).toContain(
      '/from must be a date such as 2026-11-01, or a date-time at which a day begins in America/New_York',
    )
  })

  test('are read without asking for the zone, which came with the key', async () => {
    const spy = vi.spyOn(app.database.db, 'query')
    try {
      for (const url of ['/transactions', '/approvals', '/webhooks/deliveries', '/audit-log']) {
        bodyOf(await acme.get(`${url}?${NOVEMBER}`))
      }
      const texts = spy.mock.calls
        .filter(([{ name }]) => name !== 'find-request-terms')
        .filter(([{ values = [] }]) => values.includes(acme.organizationId))
        .map(([{ text }]) => text)
      expect(texts.length).toBeGreaterThan(8)
      expect(texts.filter((text) => /timezone[^;]*from organizations/.test(text))).toEqual([])
    } finally {
      spy.mockRestore()
    }
  })

  test('are dates in the zone of the organization for a member who has signed in', async () => {
    const now = app.clock.now
    app.clock.now = undefined
    try {
      const ada = await aMember(app, acme)
      const { body } = await ada.get(`/api/v1/transactions?maxAmount=5&${NOVEMBER}`)
      expect(body.data).toMatchObject(IN_NOVEMBER.map((createdAt) => ({ createdAt })))
    } finally {
      app.clock.now = now
    }
  })

  test('follow another zone of the organization within a second', async () => {
    const globex = await app.organization('Globex')
    const { agentId: spender } = await anActiveMandate(globex)
    app.clock.now = Date.parse('2026-12-05T22:30:00Z')
    await evaluate(globex, spender)
    const { client } = await aKey(app, globex, { agentIds: [spender] })
    const totalOf = async (query: string) =>
      bodyOf(await client.get(`/transactions?${query}`)).total
    expect(await totalOf('from=2026-12-06')).toBe(0)
    bodyOf(await globex.patch('/organization', { timezone: 'Asia/Tokyo' }))
    app.clock.now += 1_000
    expect(await totalOf('from=2026-12-06')).toBe(1)
  })

  describe.each(ADDRESSES)('of %s', (address) => {
    test.each(['2026-02-30', '2026-13-01', '2026-11-1', '2026-11-01T00:00:00', 'november', ''])(
      'refuse %j, and say what they take',
      async (date) => {
        const { status, body } = await acme.get(`${address}?from=${date}`)
        expect([status, body.errors]).toMatchObject([400, [{ path: '/from', code: 'format' }]])
        expect(body.detail).toContain(
          'must be a calendar date, such as 2026-11-01, or a date-time with offset',
        )
      },
    )

    test('refuse an end before the beginning', async () => {
      const { status, body } = await acme.get(`${address}?from=2026-11-02&to=2026-11-01`)
      expect([status, body.errors]).toMatchObject([400, [{ path: '/to' }]])
      expect(body.detail).toMatch(/\/to must (not be before|be after) from/)
    })
  })
})
