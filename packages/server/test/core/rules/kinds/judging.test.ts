import { describe, expect, test } from 'vitest'
import type { RuleInput } from '../../../../src/core/rules/rule-set.ts'
import type { Spend } from '../../../../src/core/spend.ts'
import { createDesk, NOON, units } from '../../desk.ts'

const SECOND = 1_000
const HOUR = 3_600_000
const DAY = 24 * HOUR

describe.each<[string, RuleInput, Partial<Spend>, string]>([
  ['the smallest amount', { type: 'amount', min: 5 }, { amount: units(5) }, 'approved'],
  ['one micro less', { type: 'amount', min: 5 }, { amount: units(5) - 1n }, 'amount_below_min'],
  ['the largest amount', { type: 'amount', max: 5 }, { amount: units(5) }, 'approved'],
  ['one micro more', { type: 'amount', max: 5 }, { amount: units(5) + 1n }, 'amount_above_max'],
  ['an allowed path', { type: 'paths', allow: ['x402', 'card'] }, { path: 'card' }, 'approved'],
  ['another path', { type: 'paths', allow: ['x402'] }, { path: 'acp' }, 'path_not_allowed'],
  ['an allowed host', { type: 'vendors', allow: ['a.com'] }, { vendor: 'a.com' }, 'approved'],
  [
    'a host below it',
    { type: 'vendors', allow: ['a.com'] },
    { vendor: 'b.a.com' },
    'vendor_not_allowed',
  ],
  [
    'a host below a wildcard',
    { type: 'vendors', allow: ['*.a.com'] },
    { vendor: 'c.b.a.com' },
    'approved',
  ],
  [
    'the apex of a wildcard',
    { type: 'vendors', allow: ['*.a.com'] },
    { vendor: 'a.com' },
    'vendor_not_allowed',
  ],
  [
    'a host that is not blocked',
    { type: 'vendors', block: ['a.com'] },
    { vendor: 'b.com' },
    'approved',
  ],
  [
    'a host that is allowed and blocked',
    { type: 'vendors', allow: ['*.a.com'], block: ['ads.a.com'] },
    { vendor: 'ads.a.com' },
    'vendor_blocked',
  ],
  ['an allowed category', { type: 'categories', allow: ['llm'] }, {}, 'approved'],
  ['another category', { type: 'categories', allow: ['search'] }, {}, 'category_not_allowed'],
  ['a blocked category', { type: 'categories', block: ['llm'] }, {}, 'category_blocked'],
  [
    'no category where some are allowed',
    { type: 'categories', allow: ['llm'] },
    { category: null },
    'category_required',
  ],
  [
    'no category where some are blocked',
    { type: 'categories', block: ['llm'] },
    { category: null },
    'category_required',
  ],
  [
    'the largest unasked amount',
    { type: 'approval', above: 25 },
    { amount: units(25) },
    'approved',
  ],
  [
    'one micro above it',
    { type: 'approval', above: 25 },
    { amount: units(25) + 1n },
    'approval_required',
  ],
  ['anything where all is asked', { type: 'approval' }, { amount: 1n }, 'approval_required'],
  ['a true expression', { type: 'expression', expr: "amount <= money('10')" }, {}, 'approved'],
  [
    'a false expression',
    { type: 'expression', expr: "amount < money('10')" },
    {},
    'expression_false',
  ],
  [
    'an expression that cannot be computed',
    { type: 'expression', expr: '1 / count.day == 0' },
    {},
    'expression_error',
  ],
])('%s', (_, rule, spend, code) => {
  test(`of ${rule.type} is judged ${code}`, () => {
    const decision = createDesk({ rules: [rule] }).ask(spend)
    expect(decision.code).toBe(code)
    const [finding] = decision.details.rules
    expect(finding).toHaveProperty('observed')
    expect(finding?.message).toMatch(/^[A-Z0-9].*\.$/)
  })
})

describe('a limit', () => {
  test('lets exactly the sum through, and not one micro more', () => {
    const desk = createDesk({ rules: [{ type: 'limit', maxAmount: 30, window: 'day' }] })
    desk.spend({ amount: units(20) })
    expect(desk.ask({ amount: units(10) }).code).toBe('approved')
    const over = desk.ask({ amount: units(10) + 1n })
    expect(over.code).toBe('limit_amount_exceeded')
    expect(over.details.rules[0]).toMatchObject({ observed: 30.000001, limit: 30, window: 'day' })
  })

  test('lets exactly the number through', () => {
    const desk = createDesk({ rules: [{ type: 'limit', maxCount: 2, window: '1h' }] })
    desk.spend()
    desk.spend()
    const over = desk.ask()
    expect(over.details.rules[0]).toMatchObject({
      code: 'limit_count_exceeded',
      observed: 3,
      limit: 2,
    })
  })

  test('does not count what was rejected', () => {
    const rules: RuleInput[] = [
      { type: 'limit', maxCount: 1, window: 'day' },
      { type: 'amount', max: 10 },
    ]
    const desk = createDesk({ rules })
    desk.spend({ amount: units(11) })
    expect(desk.spend().code).toBe('approved')
  })

  test('of a calendar day starts anew at midnight in the zone of the mandate', () => {
    const rules: RuleInput[] = [{ type: 'limit', maxCount: 1, window: 'day' }]
    const desk = createDesk({ rules, timezone: 'Europe/Berlin' })
    desk.spend()
    const midnight = Date.parse('2026-10-15T22:00Z')
    expect(desk.ask({}, midnight - 1).code).toBe('limit_count_exceeded')
    expect(desk.ask({}, midnight).code).toBe('approved')
  })

  test('of the period follows the budget, and never ends without one', () => {
    const rules: RuleInput[] = [{ type: 'limit', maxCount: 1, window: 'period' }]
    const daily = createDesk({ rules, budgetPeriod: 'daily' })
    const endless = createDesk({ rules })
    for (const desk of [daily, endless]) desk.spend()
    expect(daily.ask({}, NOON + DAY).code).toBe('approved')
    expect(endless.ask({}, NOON + 5_000 * DAY).code).toBe('limit_count_exceeded')
    expect(endless.ask().details.next.retryAfter).toBeNull()
  })

  test('counts each vendor, or each category, for itself', () => {
    const rules: RuleInput[] = [{ type: 'limit', groupBy: 'vendor', maxCount: 1, window: 'day' }]
    const desk = createDesk({ rules })
    desk.spend({ vendor: 'a.com' })
    expect(desk.ask({ vendor: 'a.com' }).code).toBe('limit_count_exceeded')
    expect(desk.ask({ vendor: 'b.com' }).code).toBe('approved')
  })

  test('is about the spends that match, and no others', () => {
    const match = { vendor: '*.a.com', category: 'search', path: 'x402' } as const
    const desk = createDesk({ rules: [{ type: 'limit', match, maxCount: 1, window: 'day' }] })
    const matching = { vendor: 'b.a.com', category: 'search', path: 'x402' } as const
    desk.spend({ ...matching, path: 'card' })
    desk.spend(matching)
    expect(desk.ask(matching).code).toBe('limit_count_exceeded')
    expect(desk.ask({ ...matching, vendor: 'a.com' }).code).toBe('approved')
    expect(desk.ask({ ...matching, category: 'llm' }).code).toBe('approved')
  })

  test('that depends on the category fails where there is none', () => {
    const limit = { type: 'limit', maxCount: 9, window: 'day' } as const
    for (const rule of [
      { ...limit, groupBy: 'category' },
      { ...limit, match: { category: 'llm' } },
    ] as const) {
      expect(createDesk({ rules: [rule] }).ask({ category: null }).code).toBe('category_required')
    }
    const elsewhere = { ...limit, match: { category: 'llm', path: 'card' } } as const
    expect(createDesk({ rules: [elsewhere] }).ask({ category: null }).code).toBe('approved')
  })

  test('keeps its count when it is renamed or its maximum changes', () => {
    const keys = [
      { type: 'limit', id: 'a', maxCount: 1, window: '1h' },
      { type: 'limit', id: 'b', maxAmount: 9, window: '60m', effect: 'flag' },
    ] as const
    const [first, second] = keys.map((rule) => [
      ...createDesk({ rules: [rule] })
        .spend({ amount: 1n })
        .counters.keys(),
    ])
    expect(first).toEqual(second)
  })
})

describe('a duplicate', () => {
  const rules: RuleInput[] = [{ type: 'duplicate', window: '1m' }]

  test('is a spend with the same vendor, amount and reference', () => {
    const desk = createDesk({ rules })
    desk.spend({ reference: 'a' })
    expect(desk.ask({ reference: 'a' }).code).toBe('duplicate_transaction')
    expect(desk.ask({ reference: 'b' }).code).toBe('approved')
    expect(desk.ask({ reference: null }).code).toBe('approved')
    expect(desk.ask({ reference: '' }).code).toBe('approved')
    expect(desk.ask({ reference: 'a', vendor: 'b.com' }).code).toBe('approved')
    expect(desk.ask({ reference: 'a', amount: 1n }).code).toBe('approved')
    expect(desk.ask({ reference: 'a', category: 'search' }).code).toBe('duplicate_transaction')
  })

  test('without a reference is like others without one', () => {
    const desk = createDesk({ rules })
    desk.spend()
    expect(desk.ask().code).toBe('duplicate_transaction')
    expect(desk.ask({ reference: '' }).code).toBe('approved')
  })

  test('is forgotten after the window', () => {
    const desk = createDesk({ rules })
    desk.spend()
    expect(desk.ask({}, NOON + 60 * SECOND).code).toBe('duplicate_transaction')
    expect(desk.ask({}, NOON + 61 * SECOND).code).toBe('approved')
  })

  test('cannot be mistaken for another whose parts are joined differently', () => {
    const match = ['vendor', 'category', 'reference'] as const
    const desk = createDesk({ rules: [{ type: 'duplicate', window: '1m', match: [...match] }] })
    desk.spend({ vendor: 'a.com', category: null, reference: 'llm/=x' })
    expect(desk.ask({ vendor: 'a.com', category: 'llm', reference: 'x' }).code).toBe('approved')
  })
})

describe('the history of a vendor', () => {
  test('makes it known from the first approved spend on', () => {
    const desk = createDesk({ rules: [{ type: 'new_vendor', effect: 'flag' }] })
    expect(desk.spend().details.rules[0]?.outcome).toBe('flag')
    expect(desk.ask({}, NOON + 2 * DAY).details.rules[0]).toMatchObject({ observed: 2, code: null })
  })

  test('bounds the next price exactly', () => {
    const desk = createDesk({ rules: [{ type: 'price_drift', maxIncreasePercent: 12.5 }] })
    expect(desk.spend({ amount: 1_000_001n }).code).toBe('approved')
    // 1.000001 and an eighth is 1.125001125: the largest whole micro below passes.
    expect(desk.ask({ amount: 1_125_001n }).code).toBe('approved')
    expect(desk.ask({ amount: 1_125_002n }).code).toBe('price_drift')
    expect(desk.ask({ amount: 1_125_002n, vendor: 'b.com' }).code).toBe('approved')
  })

  test('is seen by expressions, which take an unknown vendor for the newest', () => {
    const rules: RuleInput[] = [
      { type: 'expression', expr: 'vendor_first_seen_days >= 1', effect: 'flag' },
    ]
    const desk = createDesk({ rules })
    expect(desk.spend().details.rules[0]?.code).toBe('expression_false')
    expect(desk.ask({}, NOON + DAY - 1).details.rules[0]?.code).toBe('expression_false')
    expect(desk.ask({}, NOON + DAY).details.rules[0]?.code).toBeNull()
  })
})

describe('an expression sees', () => {
  test.each([
    ["spent.hour == money('10')", NOON + HOUR - 1, true],
    ["spent.hour == money('10')", NOON + HOUR, false],
    ["spent.day == money('10') && count.day == 1", NOON + 12 * HOUR - 1, true],
    ['count.day == 0', NOON + 12 * HOUR, true],
    ["spent.period == money('10')", NOON + 12 * HOUR - 1, true],
    ['spent.period == 0', NOON + 12 * HOUR, true],
    ["spent.total == money('10')", NOON + 400 * DAY, true],
    ["local.date == '2026-10-15' && local.weekday == 'thu' && local.hour == 12", NOON, true],
    ["agent.id == '0198c5a0-0000-7000-9000-000000000000'", NOON, true],
    ["currency == 'USD' && category == 'llm' && path == 'evaluate' && reference == ''", NOON, true],
  ])('%s at %d', (expr, at, expected) => {
    const rules: RuleInput[] = [{ type: 'expression', expr, effect: 'flag' }]
    const desk = createDesk({ rules, budgetPeriod: 'daily' })
    desk.spend()
    expect(desk.ask({}, at).details.rules[0]?.code === null).toBe(expected)
  })

  test('only what it mentions, so that nothing else has to be counted', () => {
    const counted = (expr: string) =>
      createDesk({ rules: [{ type: 'expression', expr, effect: 'flag' }] }).spend().counters.size
    expect(counted('amount > 0')).toBe(0)
    expect(counted('count.hour < 5')).toBe(1)
    expect(counted('count.hour < 5 && spent.day < 5')).toBe(2)
  })
})
