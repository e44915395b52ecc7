import { describe, expect, test } from 'vitest'
import type { RuleInput } from '../../../src/core/rules/rule-set.ts'
import { createDesk, NOON, someCard, units } from '../desk.ts'

const check = {
  amount: 0n,
  path: 'card',
  card: someCard(),
  holdMs: Number.POSITIVE_INFINITY,
} as const

describe('a check of a card, without any money', () => {
  test('is settled at once, and changes nothing', () => {
    const rules: RuleInput[] = [
      { type: 'limit', maxCount: 1, window: '1h' },
      { type: 'duplicate', window: '1h' },
      { type: 'new_vendor', effect: 'flag' },
    ]
    const desk = createDesk({ rules })
    const before = desk.account.mandates
    const decision = desk.spend(check)
    expect(decision).toMatchObject({
      decision: 'approved',
      status: 'settled',
      expiresAt: null,
      vendor: undefined,
      budgetEvents: [],
    })
    expect(decision.counters.size).toBe(0)
    expect(decision.mandates).toBe(before)
    expect(desk.account.mandates[0]).toMatchObject({ spent: 0n, held: 0n })
    expect(desk.spend(check).code).toBe('approved')
    expect(desk.ask().code).toBe('approved')
  })

  test.each<[string, RuleInput]>([
    ['path_not_allowed', { type: 'paths', allow: ['x402'] }],
    ['vendor_not_allowed', { type: 'vendors', allow: ['a.com'] }],
    ['category_blocked', { type: 'categories', block: ['llm'] }],
  ])('is rejected with %s', (code, rule) => {
    const { details, ...decision } = createDesk({ rules: [rule] }).ask(check)
    expect(decision.code).toBe(code)
    expect(details.next).toEqual({
      maxAmountNow: null,
      maxAmountWithApproval: null,
      retryAfter: null,
    })
  })

  test.each<[string, RuleInput]>([
    ['amount', { type: 'amount', min: 1 }],
    ['approval', { type: 'approval' }],
    ['schedule', { type: 'schedule', windows: [{ from: '08:00', to: '11:00' }] }],
    ['new_vendor', { type: 'new_vendor' }],
    ['expression', { type: 'expression', expr: 'false' }],
  ])('is not judged by %s', (_, rule) => {
    const { code, details } = createDesk({ rules: [rule] }).ask(check)
    expect([code, details.rules]).toEqual(['approved', []])
  })

  test('needs no budget, and no room in those above', () => {
    const spent = { spent: units(100) }
    expect(createDesk(spent, spent).ask(check).code).toBe('approved')
  })

  test('is stopped by every gate', () => {
    expect(createDesk().ask(check).code).toBe('no_active_mandate')
    const { code, details } = createDesk({ validFrom: NOON + 1 }).ask(check)
    expect([code, details.next.retryAfter]).toEqual([
      'mandate_not_started',
      new Date(NOON + 1).toISOString(),
    ])
  })
})
