import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest'
import { type Client, createTestApp, type Owner, type TestApp } from '../../support/app.ts'
import { aKey, anActiveMandate, bodyOf, DAY_MS, HOUR_MS } from '../../support/builders.ts'
import {
  aHold,
  budgetOf,
  change,
  evaluate,
  NO_TRANSACTION,
  readTransaction,
} from '../../support/spends.ts'
import { waitUntil } from '../../support/wait-until.ts'

const AGENT_SCOPES = ['gateway:write', 'transactions:write']

let app: TestApp
let acme: Owner

beforeAll(async () => {
  app = await createTestApp()
  acme = await app.organization()
})
afterEach(() => {
  app.clock.now = undefined
})
afterAll(() => app.stop())

/** What is answered when it cannot be done. */
async function refused(id: string, action: string, amount?: number, client: Client = acme) {
  const body = amount === undefined || action === 'void' ? undefined : { amount }
  const answer = await client.post(`/transactions/${id}/${action}`, body)
  const { code, transactionStatus }: { code: string; transactionStatus: string } = JSON.parse(
    answer.text,
  )
  return [answer.status, code, transactionStatus]
}

describe('a hold', () => {
  test('takes its amount out of the budget and shows it as held', async () => {
    const { agentId, id } = await anActiveMandate(acme)
    const held = await aHold(acme, agentId, 30, '15m')
    expect(held).toMatchObject({ decision: 'approved', status: 'held', remainingBudget: 70 })
    expect(await budgetOf(acme, id)).toEqual([30, 30, 70])
    const stored = await readTransaction(acme, held.transactionId)
    expect(stored).toMatchObject({ status: 'held', heldAmount: 30, settledAmount: 0 })
    expect(stored.settledAt).toBeNull()
    expect(Date.parse(stored.expiresAt ?? '') - Date.parse(stored.createdAt)).toBe(15 * 60_000)
  })

  test('is settled to all of it without an amount, and counts as spent', async () => {
    const { agentId, id } = await anActiveMandate(acme)
    const { transactionId } = await aHold(acme, agentId, 30)
    const settled = await change(acme, transactionId, 'settle')
    expect(settled).toMatchObject({ status: 'settled', heldAmount: 0, settledAmount: 30 })
    expect(settled.settledAt).not.toBeNull()
    expect(await readTransaction(acme, transactionId)).toMatchObject(settled)
    expect(await budgetOf(acme, id)).toEqual([30, 0, 70])
  })

  test('is settled to less, and the rest can be spent again, to the micro', async () => {
    const { agentId, id } = await anActiveMandate(acme)
    const { transactionId } = await aHold(acme, agentId, 100)
    await change(acme, transactionId, 'settle', 33.333333)
    expect(await budgetOf(acme, id)).toEqual([33.333333, 0, 66.666667])
    expect((await evaluate(acme, agentId, { amount: 66.666668 })).decision).toBe('rejected')
    expect((await evaluate(acme, agentId, { amount: 66.666667 })).decision).toBe('approved')
  })

  test('is never settled to more than was held', async () => {
    const { agentId, id } = await anActiveMandate(acme)
    const { transactionId } = await aHold(acme, agentId, 30)
    const answer = await acme.post(`/transactions/${transactionId}/settle`, { amount: 30.000001 })
    expect([answer.status, answer.body.code]).toEqual([409, 'amount_above_hold'])
    expect(answer.body).toMatchObject({ heldAmount: 30 })
    expect(await budgetOf(acme, id)).toEqual([30, 30, 70])
  })

  test('is given back by a void', async () => {
    const { agentId, id } = await anActiveMandate(acme)
    const { transactionId } = await aHold(acme, agentId, 100)
    const voided = await change(acme, transactionId, 'void')
    expect(voided).toMatchObject({ status: 'voided', heldAmount: 0, settledAmount: 0 })
    expect(await budgetOf(acme, id)).toEqual([0, 0, 100])
    expect((await evaluate(acme, agentId, { amount: 100 })).decision).toBe('approved')
  })

  test('ends once: a second settle or void is a conflict and changes nothing', async () => {
    const { agentId, id } = await anActiveMandate(acme)
    const settled = await aHold(acme, agentId, 30)
    await change(acme, settled.transactionId, 'settle', 20)
    const voided = await aHold(acme, agentId, 10)
    await change(acme, voided.transactionId, 'void')
    const state = (status: string) => [409, 'transaction_state', status]
    expect(await refused(settled.transactionId, 'settle')).toEqual(state('settled'))
    expect(await refused(settled.transactionId, 'void')).toEqual(state('settled'))
    expect(await refused(voided.transactionId, 'settle')).toEqual(state('voided'))
    expect(await refused(voided.transactionId, 'void')).toEqual(state('voided'))
    expect(await refused(voided.transactionId, 'refund')).toEqual(state('voided'))
    expect(await budgetOf(acme, id)).toEqual([20, 0, 80])
  })

  test('that ten settle and void at once ends once', async () => {
    const { agentId, id } = await anActiveMandate(acme)
    const { transactionId } = await aHold(acme, agentId, 40)
    const actions = Array.from({ length: 10 }, (_, n) => (n % 2 === 0 ? 'settle' : 'void'))
    const answers = await Promise.all(
      actions.map((action) => acme.post(`/transactions/${transactionId}/${action}`)),
    )
    expect(answers.map(({ status }) => status).sort()).toEqual([200, ...Array(9).fill(409)])
    const { status } = await readTransaction(acme, transactionId)
    expect(await budgetOf(acme, id)).toEqual(status === 'settled' ? [40, 0, 60] : [0, 0, 100])
  })

  test('reads as expired from its instant on, and its agent can do nothing with it any more', async () => {
    const { agentId } = await anActiveMandate(acme)
    const { client } = await aKey(app, acme, { agentIds: [agentId], scopes: AGENT_SCOPES })
    const { transactionId } = await aHold(acme, agentId, 30, '1h')
    const { expiresAt } = await readTransaction(acme, transactionId)
    const end = Date.parse(expiresAt ?? '')
    app.clock.now = end - 1
    expect((await readTransaction(acme, transactionId)).status).toBe('held')
    app.clock.now = end
    const read = await readTransaction(acme, transactionId)
    expect([read.status, read.heldAmount]).toEqual(['expired', 0])
    const expired = [409, 'transaction_state', 'expired']
    expect(await refused(transactionId, 'settle', 30, client)).toEqual(expired)
    expect(await refused(transactionId, 'void', undefined, client)).toEqual(expired)
    const { body } = await client.post(`/transactions/${transactionId}/settle`)
    expect(body.detail).toContain('with a key that is not bound to agents')
    await acme.post(`/transactions/${transactionId}/settle`)
    const { status } = await readTransaction(acme, transactionId)
    expect(status).toBe('settled')
  })

  test('that expired is swept: its budget and its place in limits are free again', async () => {
    const rules = [{ type: 'limit', maxCount: 1, window: 'period' }]
    const { agentId, id } = await anActiveMandate(acme, { rules })
    const { transactionId } = await aHold(acme, agentId, 100, '1h')
    const kept = await anActiveMandate(acme)
    const longer = await aHold(acme, kept.agentId, 100, '2h')
    app.clock.now = Date.now() + HOUR_MS + 1_000
    await waitUntil(async () => (await budgetOf(acme, id))[0] === 0)
    const stored = await app.rows(
      `select status, held_amount from transactions where status in ('held', 'expired')
       and id = any($1)`,
      [[transactionId, longer.transactionId].map((text) => text.slice(4))],
    )
    expect(new Set(stored.map((row) => `${row['status']} ${row['held_amount']}`))).toEqual(
      new Set(['expired 0', 'held 100000000']),
    )
    expect(await evaluate(acme, agentId, { amount: 100 })).toMatchObject({ decision: 'approved' })
    expect(await budgetOf(acme, kept.id)).toEqual([100, 100, 0])
  })
})

describe('a refund', () => {
  test('gives back a part, then the rest, and never more than was settled', async () => {
    const { agentId, id } = await anActiveMandate(acme)
    const { transactionId } = await evaluate(acme, agentId, { amount: 50 })
    const part = await change(acme, transactionId, 'refund', 20)
    expect(part).toMatchObject({ status: 'partially_refunded', refundedAmount: 20 })
    expect(await budgetOf(acme, id)).toEqual([30, 0, 70])
    const over = await acme.post(`/transactions/${transactionId}/refund`, { amount: 30.000001 })
    expect([over.status, over.body.code]).toEqual([409, 'amount_above_settled'])
    expect(over.body).toMatchObject({ refundable: 30 })
    const rest = await change(acme, transactionId, 'refund')
    expect(rest).toMatchObject({ status: 'refunded', refundedAmount: 50, settledAmount: 50 })
    expect(await refused(transactionId, 'refund', 1)).toEqual([
      409,
      'transaction_state',
      'refunded',
    ])
    expect(await budgetOf(acme, id)).toEqual([0, 0, 100])
  })

  test('of a settled hold is bounded by what was settled', async () => {
    const { agentId } = await anActiveMandate(acme)
    const { transactionId } = await aHold(acme, agentId, 50)
    expect(await refused(transactionId, 'refund')).toEqual([409, 'transaction_state', 'held'])
    await change(acme, transactionId, 'settle', 12)
    expect((await refused(transactionId, 'refund', 12.01))[1]).toBe('amount_above_settled')
    expect(await change(acme, transactionId, 'refund', 12)).toMatchObject({ status: 'refunded' })
  })

  test('of a rejected spend is refused', async () => {
    const { agentId } = await anActiveMandate(acme)
    const { transactionId } = await evaluate(acme, agentId, { amount: 101 })
    expect(await refused(transactionId, 'refund')).toEqual([409, 'transaction_state', 'rejected'])
  })

  test('from an earlier period gives nothing to the current one', async () => {
    const { agentId, id } = await anActiveMandate(acme, { budgetPeriod: 'daily' })
    const noon = Date.UTC(2033, 2, 1, 12)
    app.clock.now = noon
    const old = await evaluate(acme, agentId, { amount: 60 })
    app.clock.now = noon + DAY_MS
    await evaluate(acme, agentId, { amount: 25 })
    await change(acme, old.transactionId, 'refund')
    expect(await budgetOf(acme, id)).toEqual([25, 0, 75])
  })
})

describe('what becomes of a spend', () => {
  test('is booked on its mandate and on every one above', async () => {
    const root = await anActiveMandate(acme, { budgetTotal: 90 })
    const middle = await anActiveMandate(acme, { budgetTotal: 80, parentMandateId: root.id })
    const leaf = await anActiveMandate(acme, { budgetTotal: 70, parentMandateId: middle.id })
    const line = async () => [
      await budgetOf(acme, leaf.id),
      await budgetOf(acme, middle.id),
      await budgetOf(acme, root.id),
    ]
    const a = await aHold(acme, leaf.agentId, 50)
    const b = await aHold(acme, middle.agentId, 30)
    expect(await line()).toEqual([
      [50, 50, 20],
      [80, 80, 0],
      [80, 80, 10],
    ])
    await change(acme, a.transactionId, 'settle', 45)
    await change(acme, b.transactionId, 'void')
    await change(acme, a.transactionId, 'refund', 5)
    expect(await line()).toEqual([
      [40, 0, 30],
      [40, 0, 40],
      [40, 0, 50],
    ])
  })

  test('moves its limits: a void is taken out, a settle corrects, a refund still counts', async () => {
    const rules = [{ type: 'limit', maxCount: 2, maxAmount: 50, window: '1h' }]
    const { agentId } = await anActiveMandate(acme, { budgetTotal: 1_000, rules })
    const code = async (amount: number) =>
      (await evaluate(acme, agentId, { amount })).evaluationDetails.code
    const voided = await aHold(acme, agentId, 30)
    const settled = await aHold(acme, agentId, 20)
    expect(await code(1)).toBe('limit_count_exceeded')
    await change(acme, voided.transactionId, 'void')
    expect(await code(30.000001)).toBe('limit_amount_exceeded')
    await change(acme, settled.transactionId, 'settle', 5)
    await change(acme, settled.transactionId, 'refund', 5)
    expect(await code(45.000001)).toBe('limit_amount_exceeded')
    expect(await code(45)).toBe('approved')
    expect(await code(0.01)).toBe('limit_count_exceeded')
  })

  test('takes a void out of the counters it was counted in, although the rules were edited', async () => {
    const rules = [{ type: 'limit', maxAmount: 50, window: 'day', groupBy: 'vendor' }]
    const { agentId, id } = await anActiveMandate(acme, { rules })
    const { transactionId } = await aHold(acme, agentId, 50)
    bodyOf(await acme.patch(`/mandates/${id}`, { rules: [] }))
    await change(acme, transactionId, 'void')
    bodyOf(await acme.patch(`/mandates/${id}`, { rules }))
    expect((await evaluate(acme, agentId, { amount: 50 })).decision).toBe('approved')
    expect((await evaluate(acme, agentId, { amount: 1 })).decision).toBe('rejected')
  })

  test('is repeated with its Idempotency-Key and booked once', async () => {
    const { agentId, id } = await anActiveMandate(acme)
    const { transactionId } = await evaluate(acme, agentId, { amount: 50 })
    const refund = () =>
      acme.post(
        `/transactions/${transactionId}/refund`,
        { amount: 10 },
        { 'idempotency-key': 'refund once' },
      )
    const [first, second] = [await refund(), await refund()]
    expect([second.text, second.headers['idempotent-replayed']]).toEqual([first.text, 'true'])
    expect(await budgetOf(acme, id)).toEqual([40, 0, 60])
  })

  test('is changed by nobody who may not see it', async () => {
    const [own, foreign] = [await anActiveMandate(acme), await anActiveMandate(acme)]
    const theirs = await aHold(acme, foreign.agentId, 10)
    const mine = await aHold(acme, own.agentId, 10)
    const bound = (await aKey(app, acme, { agentIds: [own.agentId], scopes: AGENT_SCOPES })).client
    const stranger = await app.organization('Stranger')
    for (const action of ['settle', 'void']) {
      const path = `/transactions/${theirs.transactionId}/${action}`
      const absent = await acme.post(`/transactions/${NO_TRANSACTION}/${action}`)
      for (const answer of [absent, await bound.post(path), await stranger.post(path)]) {
        expect([answer.status, answer.body.code]).toEqual([404, 'transaction_not_found'])
      }
    }
    const foreignRefund = await stranger.post(`/transactions/${theirs.transactionId}/refund`)
    expect(foreignRefund.status).toBe(404)
    const ownRefund = await bound.post(`/transactions/${mine.transactionId}/refund`)
    expect([ownRefund.status, ownRefund.body.code]).toEqual([403, 'agent_bound_key'])
    expect(await change(bound, mine.transactionId, 'settle')).toMatchObject({ status: 'settled' })
    expect((await readTransaction(acme, theirs.transactionId)).status).toBe('held')
  })

  test.each([{ amount: 0 }, { amount: -1 }, { amount: '1' }, { sum: 1 }, []])(
    'is not changed by the body %j',
    async (body) => {
      const answer = await acme.post(`/transactions/${NO_TRANSACTION}/settle`, body)
      expect([answer.status, answer.body.code]).toEqual([400, 'validation_failed'])
    },
  )
})
