import { connect } from 'node:net'
import { afterAll, beforeAll, describe, expect, onTestFinished, test, vi } from 'vitest'
import { toUuid } from '../../../src/core/id.ts'
import { newId } from '../../../src/storage/new-id.ts'
import { createTestApp, type Owner, type TestApp } from '../../support/app.ts'
import { aKey, anActiveMandate, anAgent, bodyOf } from '../../support/builders.ts'
import { copyRows } from '../../support/copy-rows.ts'
import { seed } from '../../support/seed.ts'
import { evaluate, readTransaction } from '../../support/spends.ts'
import { waitUntil } from '../../support/wait-until.ts'

const ROWS = 3_000
const ROWS_PER_PAGE = 500

describe('the export of transactions', () => {
  let app: TestApp
  let acme: Owner
  let url: string

  beforeAll(async () => {
    app = await createTestApp()
    acme = await app.organization()
    url = await app.app.listen({ port: 0, host: '127.0.0.1' })
  })
  afterAll(() => app.stop())

  async function download(query: string, apiKey = acme.apiKey) {
    const response = await fetch(`${url}/api/v1/transactions/export${query}`, {
      headers: { authorization: `Bearer ${apiKey}` },
    })
    const text = await response.text()
    const name = response.headers.get('content-disposition')
    return { status: response.status, type: response.headers.get('content-type'), name, text }
  }

  /** An organization with one spend and many copies of it, whose details are of this size. */
  async function aLongHistory(detailBytes: number): Promise<Owner> {
    const owner = await app.organization('Long history')
    const { agentId } = await anActiveMandate(owner)
    const { transactionId } = await evaluate(owner, agentId, { amount: 1 })
    await seed(
      app,
      copyRows(
        'transactions',
        `jsonb_build_object('id', id_of_copy,
           'details', jsonb_build_object('padding', repeat('x', $3::int)))`,
        'unnest($2::uuid[]) as id_of_copy',
        'r.id = $1',
      ),
      [
        toUuid('txn', transactionId),
        Array.from({ length: ROWS - 1 }, () => newId(Date.now())),
        detailBytes,
      ],
    )
    return owner
  }

  /** Counts the pages that the server reads meanwhile. */
  function watchPages() {
    const spy = vi.spyOn(app.database.db, 'query')
    const isPage = ([{ text }]: Parameters<typeof app.database.db.query>) =>
      text.includes('from transactions') && text.includes('order by id desc')
    return {
      count: () => spy.mock.calls.filter(isPage).length,
      end: () => spy.mockRestore(),
    }
  }

  test('has every row once, newest first, as lines of JSON like the single ones', async () => {
    const owner = await aLongHistory(10)
    const pages = watchPages()
    const { status, type, name, text } = await download('?format=ndjson', owner.apiKey)
    expect(pages.count()).toBe(ROWS / ROWS_PER_PAGE)
    pages.end()
    expect([status, type]).toEqual([200, 'application/x-ndjson; charset=utf-8'])
    expect(name).toMatch(/^attachment; filename="transactions-\d{4}-\d\d-\d\d\.ndjson"$/)
    const lines = text.split('\n')
    expect(lines.pop()).toBe('')
    const ids = lines.map((line) => String(JSON.parse(line).transactionId))
    expect([ids.length, new Set(ids).size]).toEqual([ROWS, ROWS])
    expect(ids).toEqual([...ids].sort().reverse())
    // The oldest is the spend itself. Copies of it have details that no decision has.
    const [oldest = ''] = lines.slice(-1)
    expect(JSON.parse(oldest)).toEqual(await readTransaction(owner, ids.at(-1) ?? ''))
  })

  test('is CSV unless asked otherwise, with a header and a line for each row', async () => {
    const owner = await app.organization('CSV')
    const { id: agentId } = await anAgent(owner, { name: 'Buyer' })
    const { id } = await anActiveMandate(owner, { agentId, name: 'Purchases', currency: 'EUR' })
    const { transactionId } = await evaluate(owner, agentId, {
      amount: 0.000001,
      reference: 'a "quoted", text',
      reason: 'two\nlines',
    })
    const { type, text } = await download('', owner.apiKey)
    expect(type).toBe('text/csv; charset=utf-8')
    const { createdAt } = await readTransaction(owner, transactionId)
    const [key] = bodyOf(await owner.get('/api-keys')).data
    expect(text).toBe(
      [
        'transactionId,createdAt,agentId,mandateId,path,vendor,category,amount,currency,decision,status,code,remainingBudget,heldAmount,settledAmount,refundedAmount,reference,reason,expiresAt,settledAt,agentName,mandateName,approvalId,flags,externalId,netAmount,requestedBy,requestedByName',
        `${transactionId},${createdAt},${agentId},${id},evaluate,api.openai.com,llm,0.000001,EUR,approved,settled,approved,99.999999,0,0.000001,0,"a ""quoted"", text","two\nlines",,${createdAt},Buyer,Purchases,,,,0.000001,${key?.id},First key`,
        '',
      ].join('\r\n'),
    )
  })

  test('shows a text that begins like a formula as text', async () => {
    const owner = await app.organization('Formulas')
    const { agentId } = await anActiveMandate(owner)
    const formulas = [
      ...['=1+1', '+1', '-1', '@SUM(A1)', '=HYPERLINK("http://x.example","y")', '=a,b'],
      ...['\n=1+1', '\t=1+1', '\r=1+1', '＝1+1', '＋1', '－1', '＠SUM(A1)'],
      ...[' =1+1', '\u00a0=1+1', ' \t@SUM(A1)', '\u3000＝1+1'],
    ]
    for (const reference of formulas) await evaluate(owner, agentId, { amount: 1, reference })
    const { text } = await download('?format=csv', owner.apiKey)
    const cells = text
      .split('\r\n')
      .slice(1, -1)
      .map((line) => line.split(',0,').at(-1) ?? '')
    expect(cells).toHaveLength(formulas.length)
    for (const cell of cells) expect(cell).toMatch(/^"?'\s*[=+\-@＝＋－＠]/)
    const { text: json } = await download('?format=ndjson', owner.apiKey)
    expect(json).toContain('"reference":"=1+1"')
  })

  test('has what an accountant asks for: names, approval, flags, the id of others, the net', async () => {
    const owner = await app.organization('Accounts')
    const { id: agentId } = await anAgent(owner, { name: '=cmd|calc' })
    const rules = [
      { type: 'approval', above: 50 },
      { type: 'amount', id: 'large', max: 5, effect: 'flag' },
    ]
    const mandate = { agentId, name: 'Travel, hotels', rules, budgetTotal: 1_000 }
    const { id: mandateId } = await anActiveMandate(owner, mandate)
    const { transactionId } = await evaluate(owner, agentId, { amount: 20 })
    bodyOf(await owner.post(`/transactions/${transactionId}/refund`, { amount: 7.5 }))
    const asked = await evaluate(owner, agentId, { amount: 60 })
    await evaluate(owner, agentId, { amount: 1 })
    // As the paths note what the other side calls it.
    const setExternal = (id: string, path: string, external: object) =>
      app.rows('update transactions set path = $2, external = $3 where id = $1', [
        toUuid('txn', id),
        path,
        JSON.stringify(external),
      ])
    await setExternal(transactionId, 'acp', { order: { id: 'order-7' }, checkout: {} })
    bodyOf(await owner.post(`/mandates/${mandateId}/revoke`))
    bodyOf(await owner.delete(`/agents/${agentId}`))
    const { text } = await download('', owner.apiKey)
    const lines = text.split('\r\n').slice(1, -1)
    // What was deleted is still called what it was called.
    const named = `'=cmd|calc,"Travel, hotels"`
    const by = `${bodyOf(await owner.get('/api-keys')).data[0]?.id},First key`
    expect(lines.map((line) => line.slice(line.indexOf(named)))).toEqual([
      `${named},,,,1,${by}`,
      `${named},${asked.evaluationDetails.approval?.id},large,,0,${by}`,
      `${named},,large,order-7,12.5,${by}`,
    ])
    for (const [path, external, id] of [
      ['acp', { order: null, checkout: { sessionId: 'cs_1' } }, 'cs_1'],
      ['x402', { transaction: '0xab', settlement: 'chain' }, '0xab'],
      ['x402', { transaction: null }, ''],
      ['card', { authorizationId: 'iauth_1' }, 'iauth_1'],
      ['evaluate', { id: 'x' }, ''],
    ] as const) {
      await setExternal(transactionId, path, external)
      const again = await download(`?path=${path}&minAmount=20&maxAmount=20`, owner.apiKey)
      expect(again.text).toMatch(new RegExp(`,large,${id},12.5,${by}\r\n$`))
    }
  })

  test('goes on behind the last whole row that arrived', async () => {
    const owner = await app.organization('Cursor')
    const { agentId } = await anActiveMandate(owner)
    for (const amount of [1, 2, 3]) await evaluate(owner, agentId, { amount })
    const { text } = await download('', owner.apiKey)
    const [header, newest = '', ...others] = text.split('\r\n')
    const [cursor = ''] = newest.split(',')
    const rest = await download(`?cursor=${cursor}`, owner.apiKey)
    expect(rest.text).toBe([header, ...others].join('\r\n'))
    const last = others.at(-2)?.split(',')[0]
    expect((await download(`?cursor=${last}`, owner.apiKey)).text).toBe(`${header}\r\n`)
  })

  test('refuses a cursor that is no transaction of the key, and says what one is', async () => {
    const own = await anActiveMandate(acme)
    const foreign = await anActiveMandate(acme)
    const { transactionId } = await evaluate(acme, foreign.agentId)
    const listed = bodyOf(await acme.get('/transactions?limit=1'))
    const { client } = await aKey(app, acme, { agentIds: [own.agentId] })
    const wrong = [
      [transactionId, client.apiKey],
      ['txn_019a85617c5e7d409b5e6f1f0a3c2b11', acme.apiKey],
      [transactionId.toUpperCase(), acme.apiKey],
      [transactionId.slice(0, -1), acme.apiKey],
      [String(listed.nextCursor ?? 'AZqFYXxefUCbXm8fCjwrEQ'), acme.apiKey],
      [own.id, acme.apiKey],
    ] as const
    for (const [cursor, key] of wrong) {
      for (const format of ['csv', 'ndjson']) {
        const { status, text } = await download(`?format=${format}&cursor=${cursor}`, key)
        expect([status, JSON.parse(text).errors]).toMatchObject([400, [{ path: '/cursor' }]])
        expect(text).toContain('must be the transactionId (txn_…) of the last complete row')
      }
    }
    expect((await download(`?cursor=${transactionId}`, acme.apiKey)).status).toBe(200)
  })

  test('has only what the filters and the key allow', async () => {
    const owner = await app.organization('Filters')
    const [own, foreign] = [await anActiveMandate(owner), await anActiveMandate(owner)]
    const mine = await evaluate(owner, own.agentId, { amount: 3 })
    await evaluate(owner, own.agentId, { amount: 30 })
    await evaluate(owner, foreign.agentId, { amount: 3 })
    const { client } = await aKey(app, owner, { agentIds: [own.agentId] })
    const idsIn = async (query: string, key: string) =>
      (await download(`?format=ndjson&${query}`, key)).text
        .split('\n')
        .filter((line) => line !== '')
        .map((line) => JSON.parse(line).transactionId)
    expect(await idsIn('maxAmount=3', client.apiKey)).toEqual([mine.transactionId])
    expect(await idsIn(`agentId=${foreign.agentId}`, client.apiKey)).toEqual([])
    expect(await idsIn('maxAmount=3', owner.apiKey)).toHaveLength(2)
    expect(await idsIn('status=held', owner.apiKey)).toEqual([])
  })

  test.each(['?format=xlsx', '?limit=5', '?status=x'])('refuses %s', async (query) => {
    const { status, text } = await download(query)
    expect([status, JSON.parse(text).code]).toEqual([400, 'validation_failed'])
  })

  test('needs a key with its scope', async () => {
    const { key } = await aKey(app, acme, { scopes: ['gateway:write'] })
    expect((await download('', key.apiKey)).status).toBe(403)
    expect((await download('', 'none')).status).toBe(401)
  })

  test('reads no more pages than the receiver takes, and stops with it', async () => {
    // Six pages of about four megabytes each: more than all buffers on the way can hold.
    const owner = await aLongHistory(8_000)
    const pages = watchPages()
    const { hostname, port } = new URL(url)
    const socket = connect(Number(port), hostname)
    onTestFinished(() => void socket.destroy())
    socket.pause()
    socket.write(
      `GET /api/v1/transactions/export?format=ndjson HTTP/1.1\r\nhost: purser\r\nauthorization: Bearer ${owner.apiKey}\r\n\r\n`,
    )
    await waitUntil(() => pages.count() >= 1)
    let before = -1
    await waitUntil(async () => {
      const settled = before === pages.count()
      before = pages.count()
      // Something else of the same server is answered in between, so it had the time to read on.
      for (let n = 0; n < 5; n += 1) bodyOf(await owner.get('/agents'))
      return settled
    })
    expect(pages.count()).toBeLessThanOrEqual(3)

    const stalled = pages.count()
    socket.resume()
    await waitUntil(() => pages.count() > stalled)
    socket.pause()
    socket.destroy()
    const atEnd = pages.count()
    for (let n = 0; n < 20; n += 1) bodyOf(await owner.get('/agents'))
    expect(pages.count()).toBeLessThanOrEqual(atEnd + 1)
    pages.end()
  })
})
