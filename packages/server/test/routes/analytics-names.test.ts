import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { countAll } from '../support/analytics.ts'
import { createTestApp, type Owner, type TestApp } from '../support/app.ts'
import { aKey, anActiveMandate, anAgent, bodyOf } from '../support/builders.ts'
import { evaluate } from '../support/spends.ts'

const NOW = Date.parse('2026-11-11T12:00:00Z')

describe('names in GET /analytics/spend', () => {
  let app: TestApp
  let named: Owner
  let buyer: string
  let mandateId: string
  beforeAll(async () => {
    app = await createTestApp()
    app.clock.now = NOW
    named = await app.organization()
    buyer = (await anAgent(named, { name: '+Buyer' })).id
    const mandate = { agentId: buyer, name: 'Purchases, all' }
    mandateId = (await anActiveMandate(named, mandate)).id
    bodyOf(await named.post('/vendors', { host: 'a.com', name: 'A "quoted" vendor' }))
    await evaluate(named, buyer, { vendor: 'a.com', amount: 3 })
    await evaluate(named, buyer, { vendor: 'b.com', amount: 2 })
    await evaluate(named, buyer, { vendor: 'c.com', amount: 1 })
    await countAll(app)
  })
  afterAll(() => app?.stop())

  const rowsOf = async (query: string) => bodyOf(await named.get(`/analytics/spend?${query}`)).data

  test('stand beside the ids of agents, mandates and vendors', async () => {
    expect(await rowsOf('groupBy=agent,vendor&top=2')).toMatchObject([
      {
        group: { agent: buyer, vendor: 'a.com' },
        names: { agent: '+Buyer', vendor: 'A "quoted" vendor' },
      },
      { group: { agent: buyer, vendor: 'b.com' }, names: { agent: '+Buyer', vendor: null } },
      { group: null, names: null, isOther: true },
    ])
    const byMandate = { group: { mandate: mandateId }, names: { mandate: 'Purchases, all' } }
    for (const metric of ['spend', 'exposure', 'forecast']) {
      const rows = await rowsOf(`metric=${metric}&groupBy=mandate`)
      expect(rows).toMatchObject(metric === 'forecast' ? [] : [byMandate])
    }
    expect(await rowsOf('groupBy=code')).toMatchObject([{ names: {} }])
    expect(await rowsOf('')).toMatchObject([{ names: null }])
  })

  test('of the directory are not told to a key that is bound to agents', async () => {
    const { client } = await aKey(app, named, { agentIds: [buyer] })
    const { data } = bodyOf(await client.get('/analytics/spend?groupBy=agent,vendor&top=1'))
    expect(data[0]).toMatchObject({ names: { agent: '+Buyer', vendor: null } })
  })

  test('stand in the table too, which no spreadsheet runs', async () => {
    await countAll(app)
    const answer = await named.get('/analytics/spend?groupBy=agent,vendor&top=1', {
      accept: 'text/csv',
    })
    expect(answer.headers['content-type']).toBe('text/csv; charset=utf-8')
    expect(answer.headers['content-disposition']).toBe(
      'attachment; filename="spend-2026-10-13-to-2026-11-12.csv"',
    )
    const at = new Date(NOW).toISOString()
    expect(answer.text.split('\r\n')).toEqual([
      'start,currency,agent,agentName,vendor,vendorName,isOther,count,held,settled,refunded,net,asOfAt,isCurrent',
      `,USD,${buyer},'+Buyer,a.com,"A ""quoted"" vendor",false,1,0,3,0,3,${at},true`,
      `,USD,,,,,true,2,0,3,0,3,${at},true`,
      '',
    ])
  })

  test.each([
    ['metric=rejections&groupBy=code', 'start,currency,code,isOther,count,amount'],
    ['metric=approvals', 'start,currency,isOther,askedCount,askedAmount,usedCount,usedAmount'],
    ['metric=exposure&groupBy=mandate', 'start,currency,mandate,mandateName,isOther,amount'],
    ['metric=forecast', 'start,currency,isOther,count,perDay,amount'],
  ])('the table of %s has its own columns', async (query, columns) => {
    const { text } = await named.get(`/analytics/spend?${query}`, { accept: 'text/csv' })
    expect(text.split('\r\n')[0]).toBe(`${columns},asOfAt,isCurrent`)
  })

  test('a client that would rather have JSON gets it, and a mistake is told as one', async () => {
    const url = '/analytics/spend?groupBy=agent'
    const { headers } = await named.get(url, { accept: 'application/json, text/csv;q=0.5' })
    expect(headers['content-type']).toContain('application/json')
    const { status, body } = await named.get(`${url},agent`, { accept: 'text/csv' })
    expect([status, body.code]).toEqual([400, 'validation_failed'])
  })

  test('of what is deleted stay', async () => {
    bodyOf(await named.delete(`/agents/${buyer}`))
    await countAll(app)
    expect(await rowsOf('groupBy=agent,mandate')).toMatchObject([
      { names: { agent: '+Buyer', mandate: 'Purchases, all' } },
    ])
  })
})
