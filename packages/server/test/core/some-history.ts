import fc from 'fast-check'
import type { RuleInput } from '../../src/core/rules/rule-set.ts'
import type { Spend } from '../../src/core/spend.ts'
import { createDesk, type Desk, type DeskMandate, NOON, units } from './desk.ts'

/** Random mandates and what was spent under them, for the promises that hold for all of them. */

export interface Situation {
  readonly desk: Desk
  readonly now: number
  readonly spend: Partial<Spend>
}

const effects = fc.constantFrom('reject', 'require_approval', 'flag')
const amounts = fc.oneof(
  fc.integer({ min: 1, max: 60 }).map((value) => value),
  fc.integer({ min: 1, max: 60_000_000 }).map((value) => value / 1e6),
)
const windows = fc.constantFrom('10s', '1m', '1h', '7h', 'hour', 'day', 'week', 'period')
const clock = fc.integer({ min: 0, max: 23 }).map((hour) => `${`${hour}`.padStart(2, '0')}:30`)

const limits: fc.Arbitrary<RuleInput> = fc.record(
  {
    type: fc.constant('limit' as const),
    window: windows,
    maxAmount: amounts,
    effect: effects,
    maxCount: fc.integer({ min: 1, max: 4 }),
    groupBy: fc.constantFrom('vendor', 'category'),
    match: fc.constantFrom({ category: 'llm' }, { vendor: '*.a.com' }, { path: 'x402' }),
  },
  { requiredKeys: ['type', 'window', 'maxAmount'] },
)

const schedules: fc.Arbitrary<RuleInput> = fc
  .record({
    type: fc.constant('schedule' as const),
    windows: fc.array(
      fc.record({ from: clock, to: clock }).filter(({ from, to }) => from !== to),
      { minLength: 1, maxLength: 2 },
    ),
    timezone: fc.constantFrom('UTC', 'Europe/Berlin', 'America/New_York'),
  })
  .map((rule) => rule)

/** Rules under which a smaller amount is never worse than a larger one. */
const monotone: fc.Arbitrary<RuleInput> = fc.oneof(
  limits,
  limits,
  schedules,
  fc.record({ type: fc.constant('amount' as const), max: amounts, effect: effects }),
  fc.record({ type: fc.constant('approval' as const), above: amounts }),
  fc.record({
    type: fc.constant('price_drift' as const),
    maxIncreasePercent: fc.constantFrom(0, 12.5, 100),
    effect: effects,
  }),
  fc.record({ type: fc.constant('new_vendor' as const), effect: effects }),
  fc.record({
    type: fc.constant('vendors' as const),
    allow: fc.constantFrom(['*.a.com'], ['b.com', '*.a.com']),
    effect: effects,
  }),
  fc.record({ type: fc.constant('categories' as const), block: fc.constant(['search']) }),
)

const others: fc.Arbitrary<RuleInput> = fc.oneof(
  fc.record({ type: fc.constant('amount' as const), min: amounts }),
  fc.record({
    type: fc.constant('duplicate' as const),
    window: fc.constantFrom('10s', '10m', '1d'),
    match: fc.constantFrom<('vendor' | 'amount' | 'reference')[]>(
      ['vendor'],
      ['vendor', 'amount'],
      ['reference'],
    ),
    effect: effects,
  }),
  fc.record({
    type: fc.constant('expression' as const),
    expr: fc.constantFrom(
      "spent.day + amount <= money('40')",
      "!(category == 'llm' && amount > money('5'))",
      'count.hour < 2',
      'local.hour >= 6',
      "local.weekday != 'thu' || spent.hour < money('20')",
      'vendor_first_seen_days >= 1 || count.day < 3',
    ),
    effect: effects,
  }),
)

const spends: fc.Arbitrary<Partial<Spend>> = fc.record({
  amount: amounts.map(units),
  vendor: fc.constantFrom('x.a.com', 'b.com'),
  category: fc.constantFrom('llm', 'search', null),
  path: fc.constantFrom('evaluate', 'x402'),
  reference: fc.constantFrom(null, 'r'),
  payee: fc.constant(null),
  holdMs: fc.constantFrom(null, 60_000),
})

const steps = fc.record({
  spend: spends,
  gap: fc.oneof(fc.integer({ min: 0, max: 5_000 }), fc.integer({ min: 0, max: 8 * 3_600_000 })),
})

export function situations(kind: 'monotone' | 'any'): fc.Arbitrary<Situation> {
  const rules = kind === 'monotone' ? monotone : fc.oneof(monotone, monotone, others)
  return fc
    .record({
      mandates: fc.array(mandatesWith(rules), { minLength: 1, maxLength: 3 }),
      history: fc.array(steps, { maxLength: 12 }),
      last: steps,
    })
    .map(({ mandates, history, last }) => {
      const desk = createDesk(...mandates)
      let now = NOON
      for (const { spend, gap } of history) {
        now += gap
        desk.spend(spend, now)
      }
      return { desk, now: now + last.gap, spend: last.spend }
    })
}

function mandatesWith(rules: fc.Arbitrary<RuleInput>): fc.Arbitrary<DeskMandate> {
  return fc.record({
    rules: fc.array(rules, { maxLength: 4 }),
    budgetTotal: fc.integer({ min: 20, max: 200 }).map(units),
    budgetPeriod: fc.constantFrom('none', 'daily', 'weekly'),
    timezone: fc.constantFrom('UTC', 'Europe/Berlin'),
    validFrom: fc.constantFrom(null, null, null, NOON + 3_600_000),
    validUntil: fc.constantFrom(null, null, null, NOON + 2 * 86_400_000),
  })
}
