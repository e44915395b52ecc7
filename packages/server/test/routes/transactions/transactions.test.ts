import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { toUuid } from '../../../src/core/id.ts'
import { newId } from '../../../src/storage/new-id.ts'
import { type Client, createTestApp, type Owner, type TestApp } from '../../support/app.ts'
import {
  aKey,
  anActiveMandate,
  anAgent,
  bodyOf,
  HOUR_MS,
  NO_AGENT,
} from '../../support/builders.ts'
import { copyRows } from '../../support/copy-rows.ts'
import { seed } from '../../support/seed.ts'
import {
  aHold,
  change,
  evaluate,
  NO_TRANSACTION,
  readTransaction,
  type TransactionBody,
} from '../../support/spends.ts'

describe('transactions', () => {
  let app: TestApp
  let acme: Owner

  beforeAll(async () => {
    app = await createTestApp()
    acme = await app.organization()
  })
  afterAll(() => app.stop())

  async function list(query: string, client: Client = acme) {
    const answer = await client.get(`/transactions${query}`)
    const { total, totalIsExact, hasMore, nextCursor, limit, offset } = bodyOf(answer)
    const { data }: { data: TransactionBody[] } = JSON.parse(answer.text)
    return {
      data,
      ids: data.map((row) => row.transactionId),
      total,
      totalIsExact,
      hasMore,
      nextCursor,
      limit,
      offset,
    }
  }

  /** Copies a transaction under new ids of one instant, as a busy millisecond would leave them. */
  async function copyTransaction(id: string, copies: number): Promise<void> {
    const ids = Array.from({ length: copies }, () => newId(Date.now()))
    await seed(
      app,
      copyRows(
        'transactions',
        `jsonb_build_object('id', id_of_copy)`,
        'unnest($2::uuid[]) as id_of_copy',
        'r.id = $1',
      ),
      [toUuid('txn', id), ids],
    )
  }

  describe('the list of transactions', () => {
    test('finds by each filter exactly what has it, and by several what has all', async () => {
      const owner = await app.organization('Filters')
      const [a, b] = [await anActiveMandate(owner), await anActiveMandate(owner)]
      const idle = await anAgent(owner)
      const before = new Date().toISOString()
      const settled = await evaluate(owner, a.agentId, { amount: 5, category: 'search' })
      const held = await aHold(owner, a.agentId, 20)
      const voided = await aHold(owner, b.agentId, 1.5)
      await change(owner, voided.transactionId, 'void')
      const part = await evaluate(owner, b.agentId, { amount: 30, vendor: 'b.example.com' })
      await change(owner, part.transactionId, 'refund', 1)
      const whole = await evaluate(owner, b.agentId, { amount: 0.000001 })
      await change(owner, whole.transactionId, 'refund')
      const over = await evaluate(owner, a.agentId, { amount: 500 })
      const alone = await evaluate(owner, idle.id, { amount: 7 })
      const all = [settled, held, voided, part, whole, over, alone]

      const expected: [string, readonly { transactionId: string }[]][] = [
        ['', all],
        [`agentId=${a.agentId}`, [settled, held, over]],
        [`agentId=${NO_AGENT}`, []],
        [`mandateId=${b.id}`, [voided, part, whole]],
        ['decision=approved', [settled, held, voided, part, whole]],
        ['decision=rejected', [over, alone]],
        ['status=settled', [settled]],
        ['status=held', [held]],
        ['status=voided', [voided]],
        ['status=expired', []],
        ['status=partially_refunded', [part]],
        ['status=refunded', [whole]],
        ['status=rejected', [over, alone]],
        ['path=evaluate', all],
        ['path=card', []],
        ['vendor=b.example.com', [part]],
        ['vendor=B.EXAMPLE.COM', [part]],
        ['category=search', [settled]],
        ['category=no such one', []],
        [`agentId=${a.agentId},${idle.id}`, [settled, held, over, alone]],
        [`mandateId=${a.id},${b.id}`, [settled, held, voided, part, whole, over]],
        ['decision=approved,rejected', all],
        ['status=held,settled', [settled, held]],
        ['status=expired,held,voided', [held, voided]],
        ['path=evaluate,card', all],
        ['vendor=b.example.com,C.example.com', [part]],
        ['vendor=https://b.example.com/x,y', [part]],
        ['category=search,no such one', [settled]],
        [`code=budget_exceeded,no_active_mandate`, [over, alone]],
        ['q=B.EXAM', [part]],
        ['q=%25', []],
        ['q=_', []],
        ['minAmount=20', [held, part, over]],
        ['maxAmount=1.5', [voided, whole]],
        ['minAmount=5&maxAmount=20', [settled, held, alone]],
        [`from=${before}`, all],
        [`to=${before}`, []],
        [`from=${new Date(Date.now() + HOUR_MS).toISOString()}`, []],
        [`decision=approved&agentId=${a.agentId}&maxAmount=5`, [settled]],
      ]
      for (const [query, found] of expected) {
        const { ids, total } = await list(`?${query}`, owner)
        const newestFirst = found
          .map(({ transactionId }) => transactionId)
          .sort()
          .reverse()
        expect([ids, total], query).toEqual([newestFirst, found.length])
      }
      const { createdAt } = await readTransaction(owner, part.transactionId)
      expect((await list(`?from=${createdAt}`, owner)).ids).toContain(part.transactionId)
      expect((await list(`?to=${createdAt}`, owner)).ids).not.toContain(part.transactionId)
    })

    test('finds by rule, approval, card, and a part of the reference', async () => {
      const owner = await app.organization('More filters')
      const rules = [
        { type: 'amount', id: 'cap', max: 50 },
        { type: 'amount', id: 'large', max: 20, effect: 'flag' },
        { type: 'amount', id: 'ask', max: 40, effect: 'require_approval' },
      ]
      const { agentId } = await anActiveMandate(owner, { rules, budgetTotal: 1_000 })
      const plain = await evaluate(owner, agentId, { amount: 5, reference: 'Order-17, red' })
      const flagged = await evaluate(owner, agentId, { amount: 30 })
      const asked = await evaluate(owner, agentId, { amount: 45 })
      const over = await evaluate(owner, agentId, { amount: 60 })
      const card = 'card_019a85617c5e7d409b5e6f1f0a3c2b11'
      const external = 'update transactions set path = $2, external = $3 where id = $1'
      const setCard = (id: string, path: string) =>
        app.rows(external, [toUuid('txn', id), path, JSON.stringify({ cardId: card })])
      await setCard(plain.transactionId, 'card')
      await setCard(over.transactionId, 'acp')
      const expected: [string, readonly { transactionId: string }[]][] = [
        ['rule=cap', [over]],
        ['rule=large', [flagged]],
        ['rule=ask', [asked]],
        ['rule=none', []],
        [`approvalId=${asked.evaluationDetails.approval?.id}`, [asked]],
        [`cardId=${card}`, [plain]],
        ['q=RDER-17, r', [plain]],
        ['reference=Order-17, red', [plain]],
        ['q=openai&rule=large', [flagged]],
      ]
      for (const [query, found] of expected) {
        const ids = found.map(({ transactionId }) => transactionId)
        expect((await list(`?${query}`, owner)).ids, query).toEqual(ids)
        const { text } = await owner.get(`/transactions/export?format=ndjson&${query}`)
        const exported = text.split('\n').filter((line) => line !== '')
        expect(
          exported.map((line) => JSON.parse(line).transactionId),
          query,
        ).toEqual(ids)
      }
      const { client } = await aKey(app, owner, { agentIds: [agentId] })
      expect((await list('?rule=cap', client)).total).toBe(1)
      expect((await list('?rule=mnd_1/cap', client)).total).toBe(0)
    })

    test('refuses a list with a wrong value, and says which values there are', async () => {
      const refused = async (query: string) =>
        (await acme.get(`/transactions?${query}`)).body.errors?.map(({ message }) => message)
      const two = 'must be one of approved, rejected'
      expect(await refused('decision=perhaps')).toEqual([two])
      expect(await refused('decision=approved,perhaps')).toEqual([
        'must look like approved,rejected',
      ])
      expect(await refused('agentId=1')).toEqual(['must be a UUID in lower case'])
      expect(await refused('vendor=a.example.com,b c')).toEqual([
        'must be host names such as api.example.com, with commas between',
      ])
      const many = Array.from({ length: 21 }, (_, n) => `c${n}`).join(',')
      expect(await refused(`category=${many}`)).toHaveLength(1)
    })

    test('shows a hold as expired from its instant on, in rows and in filters', async () => {
      const owner = await app.organization('Expiry')
      const { agentId } = await anActiveMandate(owner)
      const { transactionId } = await aHold(owner, agentId, 20, '1h')
      app.clock.now = Date.now() + HOUR_MS + 1_000
      expect((await list('?status=held', owner)).ids).toEqual([])
      const { data } = await list('?status=expired', owner)
      expect(data.map((row) => [row.transactionId, row.status, row.heldAmount])).toEqual([
        [transactionId, 'expired', 0],
      ])
      app.clock.now = undefined
    })

    test('pages by cursor over rows of the same instant, each once, while others are added', async () => {
      const owner = await app.organization('Pages')
      const { agentId } = await anActiveMandate(owner)
      const { transactionId } = await evaluate(owner, agentId, { amount: 1 })
      await copyTransaction(transactionId, 22)
      const seen: string[] = []
      let query = '?limit=5'
      for (let page = 0; page < 5; page += 1) {
        const { ids, hasMore, nextCursor, total } = await list(query, owner)
        seen.push(...ids)
        expect([hasMore, total]).toEqual([page < 4, 23 + page])
        await evaluate(owner, agentId, { amount: 1 })
        query = `?limit=5&cursor=${nextCursor}`
      }
      expect(seen).toHaveLength(23)
      expect(new Set(seen).size).toBe(23)
      expect(seen).toEqual([...seen].sort().reverse())
      expect((await list('?limit=5&offset=20', owner)).ids).toHaveLength(5)
    })

    test('counts up to 10,000 and says whether there are more than that', async () => {
      const owner = await app.organization('Long history')
      const { agentId } = await anActiveMandate(owner)
      const { transactionId } = await evaluate(owner, agentId, { amount: 1 })
      await copyTransaction(transactionId, 9_999)
      expect(await list('', owner)).toMatchObject({ total: 10_000, totalIsExact: true })
      await copyTransaction(transactionId, 21)
      const { ids, total, totalIsExact, hasMore } = await list('?limit=200', owner)
      expect([ids.length, total, totalIsExact, hasMore]).toEqual([200, 10_000, false, true])
      const deep = await list('?limit=200&offset=10000', owner)
      expect([deep.ids.length, deep.hasMore, deep.nextCursor]).toEqual([21, false, null])
    })

    test.each([
      'limit=0',
      'limit=201',
      'offset=10001',
      'cursor=short',
      'status=unknown',
      'decision=maybe',
      'path=cash',
      'agentId=1',
      'mandateId=1',
      'vendor=not a host',
      'from=yesterday',
      'to=2026-02-30T00:00:00Z',
      'minAmount=0',
      'from=2026-11-02T00:00:00Z&to=2026-11-01T00:00:00Z',
      'maxAmount=1e999',
      'colour=red',
      'offset=1&cursor=AZqFYXxefUCbXm8fCjwrEQ',
    ])('refuses %s', async (query) => {
      const { status, body } = await acme.get(`/transactions?${query}`)
      expect([status, body.code]).toEqual([400, 'validation_failed'])
    })
  })

  describe('a transaction is seen', () => {
    test('by a bound key only where it belongs to its agents, also when it asks for others', async () => {
      const owner = await app.organization('Bound')
      const [own, foreign] = [await anActiveMandate(owner), await anActiveMandate(owner)]
      const mine = await evaluate(owner, own.agentId)
      const theirs = await evaluate(owner, foreign.agentId)
      const { client } = await aKey(app, owner, { agentIds: [own.agentId] })
      expect((await list('', client)).ids).toEqual([mine.transactionId])
      expect((await list('', client)).total).toBe(1)
      expect((await list(`?agentId=${foreign.agentId}`, client)).ids).toEqual([])
      expect((await list(`?mandateId=${foreign.id}`, client)).ids).toEqual([])
      expect((await readTransaction(client, mine.transactionId)).agentId).toBe(own.agentId)
      const hidden = await client.get(`/transactions/${theirs.transactionId}`)
      expect([hidden.status, hidden.body.code]).toEqual([404, 'transaction_not_found'])
    })

    test('by nobody of another organization, without the scope, or without a key', async () => {
      const { agentId } = await anActiveMandate(acme)
      const { transactionId } = await evaluate(acme, agentId)
      const stranger = await app.organization('Stranger')
      const weak = (await aKey(app, acme, { scopes: ['gateway:write'] })).client
      const statusFor = async (client: Client, id = transactionId) =>
        (await client.get(`/transactions/${id}`)).status
      expect(await statusFor(acme)).toBe(200)
      expect(await statusFor(acme, NO_TRANSACTION)).toBe(404)
      expect(await statusFor(stranger)).toBe(404)
      expect(await statusFor(weak)).toBe(403)
      expect(await statusFor(app.client(''))).toBe(401)
      expect((await list('', stranger)).ids).toEqual([])
      expect((await weak.get('/transactions')).status).toBe(403)
      expect((await acme.get('/transactions/txn_1')).status).toBe(400)
    })
  })
})
