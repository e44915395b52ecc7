import { describe, expect, test } from 'vitest'
import type { RuleInput } from '../../../src/core/rules/rule-set.ts'
import { createDesk, someCard, units } from '../desk.ts'

const CENT = 10_000n
const asks = (amount: number, change = {}) => ({
  amount: units(amount),
  path: 'card' as const,
  holdMs: Number.POSITIVE_INFINITY,
  card: someCard({ partialUnit: CENT, ...change }),
})

describe('a card purchase of which a part may be paid', () => {
  test('is approved up to what passes, and booked with that', () => {
    const desk = createDesk({ rules: [{ type: 'limit', maxAmount: 60, window: '1h' }] })
    const { decision, status, spend, mandates, counters } = desk.spend(asks(70))
    expect([decision, status, spend.amount]).toEqual(['approved', 'held', units(60)])
    expect(mandates[0]).toMatchObject({ spent: units(60), held: units(60) })
    expect([...counters.values()].map(({ amount }) => amount)).toEqual([units(60)])
  })

  test('is approved as a whole where it passes', () => {
    expect(createDesk({}).ask(asks(70)).spend.amount).toBe(units(70))
  })

  test('is approved in whole units of its currency, rounded down', () => {
    const budget = { budgetTotal: 33_339_999n }
    expect(createDesk(budget).ask(asks(70)).spend.amount).toBe(33_330_000n)
    const yen = asks(70, { partialUnit: 1_000_000n })
    expect(createDesk(budget).ask(yen).spend.amount).toBe(units(33))
  })

  test('is rejected, as it was asked for, where less than a unit passes', () => {
    const { code, spend, details } = createDesk({ budgetTotal: 9_999n }).ask(asks(70))
    expect([code, spend.amount]).toEqual(['budget_exceeded', units(70)])
    expect(details.next.maxAmountNow).toBe(0.009999)
  })

  test.each<[string, RuleInput]>([
    ['no smaller amount passes', { type: 'vendors', block: ['api.openai.com'] }],
    ['a person is asked', { type: 'approval', above: 20 }],
    ['a rule asks for a person', { type: 'amount', max: 20, effect: 'require_approval' }],
    ['the rounded amount is too small', { type: 'amount', min: 60.005, max: 60.009 }],
  ])('is rejected where %s', (_, rule) => {
    const { decision, spend } = createDesk({ rules: [rule] }).ask(asks(70))
    expect([decision, spend.amount]).toEqual(['rejected', units(70)])
  })

  test('is rejected where all or nothing may be paid', () => {
    expect(createDesk({}).ask(asks(101, { partialUnit: null })).decision).toBe('rejected')
  })

  test('is approved by what may be added, where it is an increment', () => {
    const desk = createDesk({ rules: [{ type: 'amount', max: 50 }] })
    const { decision, spend } = desk.ask(asks(30, { total: units(60) }))
    expect([decision, spend.amount, spend.card?.total]).toEqual(['approved', units(20), units(50)])
  })

  test('repeats no purchase of the amount that is left', () => {
    const rules: RuleInput[] = [{ type: 'duplicate', window: '1h', match: ['vendor', 'amount'] }]
    const desk = createDesk({ rules, budgetTotal: 50_005_000n })
    expect(desk.spend({ amount: units(25) }).code).toBe('approved')
    const { decision, details } = desk.ask(asks(70))
    expect([decision, details.next.maxAmountNow]).toEqual(['rejected', 25.005])
    expect(desk.ask(asks(70, { partialUnit: 1_000n })).spend.amount).toBe(25_005_000n)
  })

  test('is no surprise: what is approved would have been approved', () => {
    const rules: RuleInput[] = [{ type: 'limit', maxAmount: 45.678, window: '1h' }]
    const { spend } = createDesk({ rules }).ask(asks(70))
    const whole = { ...asks(0), amount: spend.amount, card: someCard() }
    expect(createDesk({ rules }).ask(whole).code).toBe('approved')
    const more = { ...whole, amount: spend.amount + CENT }
    expect(createDesk({ rules }).ask(more).decision).toBe('rejected')
  })
})
