import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { createTestApp, type Owner, type TestApp } from '../../support/app.ts'
import { backtest } from '../../support/backtests.ts'
import { aDraft, anActiveMandate, bodyOf, DAY_MS, HOUR_MS } from '../../support/builders.ts'
import { aHold, change, evaluate } from '../../support/spends.ts'

const NOON = Date.parse('2031-03-05T12:00Z')
const RULES = [
  { type: 'limit', maxAmount: 70, window: 'day' },
  { type: 'new_vendor', effect: 'flag' },
]

describe('a backtest of other terms', () => {
  let app: TestApp
  let acme: Owner

  beforeAll(async () => {
    app = await createTestApp()
    acme = await app.organization()
  })
  afterAll(() => app.stop())

  const at = (ms: number): string => new Date(NOON + ms).toISOString()

  /** Twelve spends over three months, some of them voided, refunded, or expired. */
  async function aHistory(agentId: string): Promise<void> {
    const advance = (ms: number): void => {
      app.clock.now = (app.clock.now ?? NOON) + ms
    }
    for (const [month, offset] of [0, 30 * DAY_MS, 60 * DAY_MS].entries()) {
      app.clock.now = NOON + offset
      const paid = await evaluate(acme, agentId, { amount: 40 + month, vendor: 'a.example.com' })
      advance(HOUR_MS)
      const held = await aHold(acme, agentId, 25)
      await evaluate(acme, agentId, { amount: 50, vendor: 'b.example.com' })
      advance(HOUR_MS)
      if (month === 1) await change(acme, held.transactionId, 'settle', 20)
      await change(acme, paid.transactionId, 'refund', 15)
      advance(2 * DAY_MS)
      await evaluate(acme, agentId, { amount: 33 })
    }
    advance(DAY_MS)
  }

  test('replays only the decisions of a range, and counts those before it', async () => {
    app.clock.now = NOON
    const { agentId, id } = await anActiveMandate(acme, { budgetTotal: 1_000 })
    for (const hours of [0, 1, 2, 3]) {
      app.clock.now = NOON + hours * HOUR_MS
      await evaluate(acme, agentId, { amount: 10 + hours })
    }
    const rules = [{ type: 'limit', maxCount: 2, window: 'day' }]
    const all = await backtest(acme, id, { rules })
    expect([all.replayed, all.newlyRejected]).toEqual([4, 2])
    const range = { from: at(HOUR_MS), to: at(3 * HOUR_MS) }
    const some = await backtest(acme, id, { rules, ...range })
    // The first spend counts: the second passes, the third is one too many.
    expect(some).toMatchObject({
      replayed: 2,
      newlyRejected: 1,
      ...{ from: at(HOUR_MS), replayedTo: at(2 * HOUR_MS) },
    })
    expect(some.assumptions).toHaveLength(all.assumptions.length + 1)
    const none = await backtest(acme, id, { rules, from: '2031-03-06' })
    expect([none.replayed, none.from]).toEqual([0, null])
    const late = await backtest(acme, id, { rules: [], from: at(3 * HOUR_MS) })
    expect(late.replayed).toBe(1)
    const turned = await acme.post(`/mandates/${id}/backtest`, { rules, from: at(1), to: at(1) })
    expect([turned.status, turned.body.errors[0]?.path]).toEqual([400, '/to'])
    app.clock.now = undefined
  })

  test('tests another budget, with the own rules unless others are sent', async () => {
    const { agentId, id } = await anActiveMandate(acme, { rules: [{ type: 'amount', max: 50 }] })
    for (const amount of [40, 30, 45, 60]) await evaluate(acme, agentId, { amount })
    const less = await backtest(acme, id, { budgetTotal: 60 })
    // The 40 passes, the 30 no longer does, and nothing else changes.
    expect([less.newlyRejected, less.newlyApproved, less.approvedNow]).toEqual([1, 0, 1])
    expect(less.reasons[0]).toMatchObject({ before: 'approved', after: 'budget_exceeded' })
    const more = await backtest(acme, id, { budgetTotal: 200 })
    expect([more.newlyRejected, more.newlyApproved]).toEqual([0, 1])
    const both = await backtest(acme, id, { budgetTotal: 200, rules: [] })
    expect(both.newlyApproved).toBe(2)
    const small = await backtest(acme, id, { budgetTotal: 5, rules: [{ type: 'amount', min: 6 }] })
    expect(small.warnings).not.toEqual([])
    const neither = await acme.post(`/mandates/${id}/backtest`, { from: at(0) })
    expect([neither.status, neither.body.errors[0]?.path]).toEqual([400, '/rules'])
  })

  test('judges a draft by the history of the mandates before it', async () => {
    app.clock.now = NOON
    const first = await anActiveMandate(acme, { budgetTotal: 100, rules: RULES.slice(1) })
    const { agentId } = first
    await evaluate(acme, agentId, { amount: 60, vendor: 'a.example.com' })
    bodyOf(await acme.post(`/mandates/${first.id}/revoke`))
    await evaluate(acme, agentId, { amount: 1 })
    await anActiveMandate(acme, { agentId, budgetTotal: 100 })
    app.clock.now += HOUR_MS
    await evaluate(acme, agentId, { amount: 50, vendor: 'a.example.com' })
    await evaluate(acme, agentId, { amount: 30, vendor: 'b.example.com' })
    const draft = await aDraft(acme, { agentId, budgetTotal: 90, rules: RULES.slice(1) })
    expect((await backtest(acme, draft.id, { budgetTotal: 90 })).replayed).toBe(0)
    const report = await backtest(acme, draft.id, { agentHistory: true })
    // Under one mandate of 90, the 50 no longer fits. The spend without a mandate is not replayed.
    expect(report).toMatchObject({ replayed: 3, newlyRejected: 1, approvedNow: 2 })
    expect(report.reasons[0]).toMatchObject({ after: 'budget_exceeded', count: 1 })
    expect(report.rules).toMatchObject([{ id: 'new_vendor', flagged: 2 }, { id: 'budget' }])
    const wide = await backtest(acme, draft.id, { agentHistory: true, budgetTotal: 140 })
    expect([wide.newlyRejected, wide.replayed]).toEqual([0, 3])
    const recent = await backtest(acme, draft.id, { agentHistory: true, from: at(1) })
    expect([recent.replayed, recent.newlyRejected]).toEqual([2, 1])
    app.clock.now = undefined
  })

  test('rejects spends in another currency than that of the draft, and counts none of them', async () => {
    const euros = await anActiveMandate(acme, { currency: 'EUR' })
    const { agentId } = euros
    await evaluate(acme, agentId, { amount: 80 })
    bodyOf(await acme.post(`/mandates/${euros.id}/revoke`))
    await anActiveMandate(acme, { agentId })
    const split = new Date().toISOString()
    await evaluate(acme, agentId, { amount: 70 })
    const { id } = await aDraft(acme, { agentId })
    const report = await backtest(acme, id, { agentHistory: true })
    expect(report.reasons).toMatchObject([{ after: 'currency_mismatch', count: 1 }])
    expect(report.money).toMatchObject([{ currency: 'EUR', newlyRejected: 80 }])
    const recent = await backtest(acme, id, { agentHistory: true, from: split })
    expect([recent.replayed, recent.approvedNow]).toEqual([1, 1])
  })

  test('finds the same with figures of its own as with those of the record', async () => {
    app.clock.now = NOON
    const terms = { budgetTotal: 100, budgetPeriod: 'monthly', rules: RULES }
    const { agentId, id } = await anActiveMandate(acme, terms)
    await aHistory(agentId)
    const { id: draft } = await aDraft(acme, { agentId, ...terms })
    const tested = [
      {},
      { budgetTotal: 70 },
      { budgetTotal: 130, rules: [] },
      { rules: [{ type: 'amount', max: 35 }] },
      { rules: [{ type: 'limit', maxAmount: 60, window: '90d' }, ...RULES.slice(1)] },
      { rules: [{ type: 'duplicate', window: '40d', match: ['vendor'] }] },
      { rules: [{ type: 'new_vendor' }], budgetTotal: 60 },
      { rules: RULES, budgetTotal: 90, from: at(20 * DAY_MS), to: at(62 * DAY_MS) },
      { rules: [{ type: 'limit', maxCount: 2, window: 'period' }], from: at(60 * DAY_MS) },
    ]
    for (const body of tested) {
      const same = { budgetTotal: 100, ...body }
      const { assumptions: _, ...record } = await backtest(acme, id, same)
      const own = await backtest(acme, draft, { ...same, agentHistory: true })
      expect({ ...own, assumptions: undefined }, JSON.stringify(body)).toEqual(record)
    }
    const same = await backtest(acme, id, { agentHistory: true })
    expect([same.newlyApproved, same.newlyRejected, same.otherCode]).toEqual([0, 0, 0])
    expect([same.replayed, same.approvedBefore < 12]).toEqual([12, true])
    app.clock.now = undefined
  })
})
