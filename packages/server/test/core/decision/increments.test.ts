import { describe, expect, test } from 'vitest'
import { decide } from '../../../src/core/decision/decide.ts'
import type { RuleInput } from '../../../src/core/rules/rule-set.ts'
import type { Spend } from '../../../src/core/spend.ts'
import { createDesk, NOON, someCard, someSpend, units } from '../desk.ts'

/** More of a purchase that is already approved: what is added, and what all of it comes to. */
const more = (amount: number, total: number) => ({
  amount: units(amount),
  path: 'card' as const,
  card: someCard({ total: units(total) }),
})
const first = { amount: units(30), path: 'card', card: someCard() } as const

describe('an increment of a purchase of 30', () => {
  /** A desk at which the purchase was approved. */
  function desk(...rules: readonly RuleInput[]) {
    const bought = createDesk({ rules })
    expect(bought.spend(first).code).toBe('approved')
    return bought
  }

  test('is judged by amount and approval rules with the whole of it', () => {
    const max = desk({ type: 'amount', max: 50 })
    expect(max.ask(more(20, 50)).code).toBe('approved')
    expect(max.ask(more(21, 51)).code).toBe('amount_above_max')
    expect(desk({ type: 'amount', min: 25 }).ask(more(1, 31)).code).toBe('approved')
    const asks = desk({ type: 'approval', above: 40 })
    expect(asks.ask(more(10, 40)).code).toBe('approved')
    expect(asks.ask(more(11, 41)).code).toBe('approval_required')
  })

  test('is judged by budget and limits with what it adds', () => {
    const limited = desk({ type: 'limit', maxAmount: 45, window: '1h' })
    expect(limited.ask(more(15, 45)).code).toBe('approved')
    expect(limited.ask(more(16, 46)).code).toBe('limit_amount_exceeded')
    const { details } = limited.ask(more(71, 101))
    expect(details.failed).toEqual(['limit', 'budget'])
  })

  test('is booked with what it adds, and is no further spend', () => {
    const limited = desk({ type: 'limit', maxCount: 1, maxAmount: 60, window: '1h' })
    const { mandates, counters } = limited.spend(more(20, 50))
    expect(mandates[0]?.spent).toBe(units(50))
    expect([...counters.values()].map(({ count, amount }) => [count, amount])).toEqual([
      [1, units(50)],
    ])
    expect(limited.ask(more(10, 60)).code).toBe('approved')
    expect(limited.ask(first).code).toBe('limit_count_exceeded')
  })

  test('repeats nothing, even with the amount of another', () => {
    const strict = desk({ type: 'duplicate', window: '1h', match: ['vendor', 'amount'] })
    expect(strict.spend(more(30, 60)).code).toBe('approved')
    expect(strict.spend(more(30, 90)).code).toBe('approved')
    expect(strict.ask(first).code).toBe('duplicate_transaction')
  })

  test('needs no vendor that is known, and no payee that is', () => {
    const { details } = createDesk({ rules: [{ type: 'new_vendor' }] }).ask(more(5, 35))
    expect(details.rules[0]).toMatchObject({ outcome: 'pass' })
  })

  test('asks again where a person has approved less at a new vendor, until something is settled', () => {
    const asks = { type: 'new_vendor', effect: 'require_approval' } as const
    const policies = createDesk({ rules: [asks] }).account
    const ask = (spend: Partial<Spend>, lastAmount: bigint | null) => {
      const vendor = { firstAt: NOON - 1_000, lastAmount, approvedAmount: units(35) }
      const usage = { counter: () => undefined, isRead: () => true, vendor }
      return decide(someSpend(spend), { ...policies, usage }, NOON)
    }
    expect(ask(more(5, 35), null).code).toBe('approved')
    const { decision, details } = ask(more(6, 36), null)
    expect(decision).toBe('rejected')
    expect(details.rules[0]).toMatchObject({ code: 'new_vendor', observed: 36, limit: 35 })
    expect(details.next.maxAmountNow).toBe(5)
    expect(ask(more(6, 36), units(1)).code).toBe('approved')
  })

  test('is compared with the last price as a whole', () => {
    const priced = createDesk({ rules: [{ type: 'price_drift', maxIncreasePercent: 50 }] })
    priced.spend({ amount: units(30) })
    expect(priced.ask(more(5, 45)).code).toBe('approved')
    const { code, details } = priced.ask(more(5, 46))
    expect([code, details.rules[0]?.observed]).toEqual(['price_drift', 46])
  })

  test('is the whole purchase to an expression, beside what else was spent', () => {
    const expr = "amount <= money('50') && spent.day + amount <= money('55') && count.day < 1"
    const written = desk({ type: 'expression', expr })
    expect(written.ask(more(20, 50)).code).toBe('approved')
    expect(written.ask(more(21, 51)).code).toBe('expression_false')
    written.record({ amount: units(6) })
    expect(written.ask(more(20, 50)).code).toBe('expression_false')
  })

  test.each(['none', 'daily'] as const)(
    'is left out of every sum and count of an expression (budget period: %s)',
    (budgetPeriod) => {
      const sums = ['hour', 'day', 'period', 'total'].map(
        (name) => `spent.${name} + amount == money('50')`,
      )
      const expr = [...sums, 'count.hour == 0', 'count.day == 0'].join(' && ')
      const bought = createDesk({
        budgetPeriod,
        rules: [{ type: 'expression', expr, effect: 'flag' }],
      })
      bought.spend(first)
      expect(bought.ask(more(20, 50)).details.rules[0]?.code).toBeNull()
    },
  )

  test('adds only its own amount to an hour and a day after those of its purchase', () => {
    const sums = ['hour', 'day'].map((name) => `spent.${name} + amount == money('20')`)
    const expr = [...sums, 'count.hour == 0', 'count.day == 0'].join(' && ')
    const bought = createDesk({ rules: [{ type: 'expression', expr, effect: 'flag' }] })
    bought.spend(first)
    const { details } = bought.ask(more(20, 50), NOON + 24 * 3_600_000)
    expect(details.rules[0]?.code).toBeNull()
  })

  test.each<[string, RuleInput, number]>([
    ['the largest amount', { type: 'amount', max: 50 }, 20],
    ['what needs no approval', { type: 'approval', above: 42 }, 12],
    ['a limit', { type: 'limit', maxAmount: 45, maxCount: 1, window: '1h' }, 15],
    ['the budget', { type: 'paths', allow: ['card'] }, 70],
  ])('is advised of what may be added: %s', (_, rule, most) => {
    const bought = desk(rule)
    expect(bought.ask(more(90, 120)).details.next.maxAmountNow).toBe(most)
    expect(bought.ask(more(most, 30 + most)).code).toBe('approved')
    expect(bought.ask(more(most + 1, 31 + most)).decision).toBe('rejected')
  })

  test('is advised of no more with approval, because no person is asked about an increment', () => {
    const { next } = desk({ type: 'approval', above: 40 }).ask(more(11, 41)).details
    expect([next.maxAmountNow, next.maxAmountWithApproval]).toEqual([10, 10])
  })

  test('is advised of nothing where the purchase is already too large', () => {
    const bought = createDesk({ rules: [{ type: 'amount', max: 20 }] })
    expect(bought.ask(more(5, 35)).details.next.maxAmountNow).toBeNull()
  })

  test('is over with its hour for an expression, although its purchase was in an earlier hour', () => {
    const expr = "spent.hour + amount <= money('25')"
    const bought = createDesk({ rules: [{ type: 'expression', expr }] })
    bought.record(first)
    bought.record(more(20, 50), NOON + 3_600_000)
    const { next } = bought.ask({ amount: units(10) }, NOON + 3_600_001).details
    expect(next.retryAfter).toBe('2026-10-15T14:00:00.000Z')
  })

  test('waits for room of its own, and not for room for a spend', () => {
    const bought = desk({ type: 'limit', maxCount: 1, maxAmount: 45, window: '1h' })
    const { retryAfter } = bought.ask(more(20, 50)).details.next
    expect(Date.parse(retryAfter ?? '')).toBeGreaterThan(NOON)
  })
})
