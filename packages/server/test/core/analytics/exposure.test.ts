import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import {
  boundOf,
  type ExposedMandate,
  isBounding,
  lineBounds,
} from '../../../src/core/analytics/exposure.ts'
import { countTouched } from '../../../src/core/analytics/touched.ts'
import type { MandateAccount } from '../../../src/core/decision/account.ts'
import type { RuleInput } from '../../../src/core/rules/rule-set.ts'
import { zoneOf } from '../../../src/core/time/zone.ts'
import { runsOf } from '../../support/sized.ts'
import { createDesk, type Desk, type DeskMandate, NOON, units } from '../desk.ts'

const HOUR_MS = 3_600_000
const DAY_MS = 24 * HOUR_MS

/** A mandate of a desk as storage would read it. The desk names the own one first, then those above. */
function toExposed(account: MandateAccount, above: MandateAccount | undefined): ExposedMandate {
  const { policy, status, budgetTotal, spent, held, periodStart, agentId } = account
  const { terms, mandateId } = policy
  return {
    ...terms,
    id: mandateId,
    agentId,
    parentMandateId: above?.policy.mandateId ?? null,
    status,
    budgetTotal,
    budgetSpent: spent,
    budgetHeld: held,
    spentPeriodStart: periodStart,
    rules: terms.rules.filter(isBounding),
  }
}

function exposureOf(mandates: readonly MandateAccount[], now: number, until: number): bigint {
  const exposed = mandates.map((account, index) => toExposed(account, mandates[index + 1]))
  const bounds = lineBounds(exposed, (mandate) => boundOf(mandate, now, until).amount)
  return bounds.get(exposed[0]?.id ?? '') ?? 0n
}

const money = fc.integer({ min: 1, max: 120 })
const windows = fc.constantFrom(
  '10m',
  '1h',
  '90m',
  '30h',
  '7d',
  'hour',
  'day',
  'week',
  'month',
  'period',
)
const rule: fc.Arbitrary<RuleInput> = fc.oneof(
  fc.record({ type: fc.constant('limit' as const), maxAmount: money, window: windows }),
  fc.record({
    type: fc.constant('limit' as const),
    maxCount: fc.integer({ min: 1, max: 4 }),
    window: windows,
  }),
  fc.record({
    type: fc.constant('limit' as const),
    maxAmount: money,
    window: windows,
    groupBy: fc.constant('vendor' as const),
  }),
  fc.record({
    type: fc.constant('limit' as const),
    maxAmount: money,
    window: windows,
    effect: fc.constantFrom('flag' as const, 'require_approval' as const),
  }),
  fc.record({ type: fc.constant('amount' as const), max: money }),
  fc.constant({ type: 'paths' as const, allow: ['evaluate' as const] }),
  fc.constant({ type: 'expression' as const, expr: "amount < money('60')" }),
)
const zone = fc.constantFrom('UTC', 'Europe/Berlin', 'Australia/Lord_Howe')
const mandate: fc.Arbitrary<DeskMandate> = fc.record({
  budgetTotal: fc.integer({ min: 1, max: 400 }).map(units),
  budgetPeriod: fc.constantFrom('none', 'daily', 'weekly', 'monthly', 'yearly'),
  timezone: zone,
  // It may begin, and end, in the middle of the horizon.
  validFrom: fc.option(fc.integer({ min: -48, max: 96 }).map(toTime), { nil: null }),
  validUntil: fc.option(fc.integer({ min: 97, max: 500 }).map(toTime), { nil: null }),
  rules: fc.array(rule, { maxLength: 4 }),
})
function toTime(hours: number): number {
  return NOON + hours * HOUR_MS
}

interface Step {
  readonly after: number
  readonly amount: number
  readonly vendor: string
  readonly holdMs: number | null
}

/** Mostly at once, sometimes much later, so that windows are used up and begin anew. */
const step = fc.record({
  after: fc.oneof(
    fc.nat({ max: 60_000 }),
    fc.nat({ max: 3 * HOUR_MS }),
    fc.nat({ max: 40 * HOUR_MS }),
  ),
  amount: fc.integer({ min: 1, max: 130 }),
  vendor: fc.constantFrom('a.example', 'b.example'),
  // What is held and never given back is spent as well.
  holdMs: fc.constantFrom(null, HOUR_MS, 30 * DAY_MS),
})

/** Tries one spend after the other, and says what was approved and when it was. */
function spendAll(desk: Desk, steps: readonly Step[], from: number, until: number) {
  let at = from
  let spent = 0n
  for (const { after, amount, ...spend } of steps) {
    if (at + after >= until) break
    at += after
    const { decision } = desk.spend({ amount: units(amount), ...spend }, at)
    if (decision === 'approved') spent += units(amount)
  }
  return { at, spent }
}

describe('exposure', () => {
  test('no sequence of spends within the horizon exceeds it', () => {
    fc.assert(
      fc.property(
        fc.array(mandate, { minLength: 1, maxLength: 3 }),
        // What was spent before, and then the horizon.
        fc.array(step, { maxLength: 8 }),
        fc.integer({ min: 1, max: 20 * 24 }),
        fc.array(step, { minLength: 20, maxLength: 60 }),
        (mandates, earlier, hours, steps) => {
          const desk = createDesk(...mandates)
          const before = spendAll(desk, earlier, NOON, Number.POSITIVE_INFINITY)
          const until = before.at + hours * HOUR_MS
          const most = exposureOf(desk.account.mandates, before.at, until)
          const { spent } = spendAll(desk, steps, before.at, until)
          expect(spent).toBeLessThanOrEqual(most)
        },
      ),
      { numRuns: runsOf(100, 400) },
    )
  })

  test('is reached where windows are used up as often as they can be', () => {
    const rules: RuleInput[] = [{ type: 'limit', maxAmount: 10, window: '1h' }]
    const desk = createDesk({ budgetTotal: units(1_000), rules })
    const until = NOON + 2 * HOUR_MS
    expect(exposureOf(desk.account.mandates, NOON, until)).toBe(units(20))
    expect(exposureOf(desk.account.mandates, NOON, until + 1)).toBe(units(30))
  })

  test.each([
    [0, 2, 5, 20],
    [0, 5, 2, 20],
    [3, 9, 5, 20],
    [5, 9, 5, 0],
  ])('from hour %i to %i within %i hours is %i at 10 an hour', (from, to, hours, most) => {
    const rules: RuleInput[] = [{ type: 'limit', maxAmount: 10, window: '1h' }]
    const desk = createDesk({ validFrom: toTime(from), validUntil: toTime(to), rules })
    expect(exposureOf(desk.account.mandates, NOON, toTime(hours))).toBe(units(most))
  })

  test('counts a budget once for each period, and what is spent only in the present one', () => {
    const desk = createDesk({ budgetTotal: units(10), budgetPeriod: 'daily' })
    desk.spend({ amount: units(4) })
    const midnight = Date.parse('2026-10-16T00:00Z')
    expect(exposureOf(desk.account.mandates, NOON, midnight)).toBe(units(6))
    expect(exposureOf(desk.account.mandates, NOON, midnight + 1)).toBe(units(16))
    expect(exposureOf(desk.account.mandates, NOON, midnight + 6 * DAY_MS)).toBe(units(66))
  })

  test('of an overdrawn budget is nothing now, and a whole budget in the next period', () => {
    const desk = createDesk({ budgetTotal: units(10), budgetPeriod: 'daily' })
    desk.record({ amount: units(14) })
    const midnight = Date.parse('2026-10-16T00:00Z')
    expect(exposureOf(desk.account.mandates, NOON, midnight)).toBe(0n)
    expect(exposureOf(desk.account.mandates, NOON, midnight + 1)).toBe(units(10))
  })

  test('of a mandate that begins with the next period does not lose what this one has spent', () => {
    const midnight = Date.parse('2026-10-16T00:00Z')
    const mandate = { budgetTotal: units(10), budgetPeriod: 'daily', spent: units(4) } as const
    const { account } = createDesk({ ...mandate, validFrom: midnight })
    expect(exposureOf(account.mandates, NOON, midnight + DAY_MS)).toBe(units(10))
  })

  test('counts a limit of the budget period once for each period', () => {
    const rules: RuleInput[] = [{ type: 'limit', maxAmount: 5, window: 'period' }]
    const days = (budgetPeriod: 'daily' | 'none') => {
      const { account } = createDesk({ budgetTotal: units(100), budgetPeriod, rules })
      return exposureOf(account.mandates, NOON, NOON + 2 * DAY_MS)
    }
    expect([days('none'), days('daily')]).toEqual([units(5), units(15)])
  })

  test('counts what is held as if it were given back', () => {
    const desk = createDesk({ budgetTotal: units(10) })
    desk.spend({ amount: units(4), holdMs: HOUR_MS })
    expect(exposureOf(desk.account.mandates, NOON, NOON + DAY_MS)).toBe(units(10))
  })

  test('is at most that of the mandate above', () => {
    const desk = createDesk({ budgetTotal: units(50) }, { budgetTotal: units(30) })
    expect(exposureOf(desk.account.mandates, NOON, NOON + DAY_MS)).toBe(units(30))
  })

  test('a number of spends bounds it only where no card can ask for more of one', () => {
    const limit: RuleInput[] = [
      { type: 'limit', maxCount: 3, window: 'day' },
      { type: 'amount', max: 5 },
    ]
    const withCards = createDesk({ budgetTotal: units(100), rules: limit })
    expect(exposureOf(withCards.account.mandates, NOON, NOON + HOUR_MS)).toBe(units(100))
    const rules: RuleInput[] = [...limit, { type: 'paths', allow: ['evaluate'] }]
    const without = createDesk({ budgetTotal: units(100), rules })
    expect(exposureOf(without.account.mandates, NOON, NOON + HOUR_MS)).toBe(units(15))
  })

  test.each<[string, RuleInput[]]>([
    [
      'the largest amount is only where a person is asked',
      [
        { type: 'amount', max: 5, effect: 'require_approval' },
        { type: 'paths', allow: ['evaluate'] },
      ],
    ],
    [
      'a person can allow a card',
      [
        { type: 'amount', max: 5 },
        { type: 'paths', allow: ['evaluate'], effect: 'require_approval' },
      ],
    ],
    [
      'only the smallest amount is set',
      [
        { type: 'amount', min: 5 },
        { type: 'paths', allow: ['evaluate'] },
      ],
    ],
  ])('a number of spends does not bound it where %s', (_, further) => {
    const rules: RuleInput[] = [{ type: 'limit', maxCount: 3, window: 'day' }, ...further]
    const { account } = createDesk({ budgetTotal: units(100), rules })
    expect(exposureOf(account.mandates, NOON, NOON + HOUR_MS)).toBe(units(100))
  })

  test('names the rules that it leaves out, and nothing that a person can lift', () => {
    const rules: RuleInput[] = [
      { type: 'expression', id: 'e', expr: "amount < money('60')" },
      { type: 'limit', id: 'v', maxAmount: 5, window: 'day', groupBy: 'vendor' },
      { type: 'limit', id: 'm', maxAmount: 5, window: 'day', match: { vendor: 'a.example' } },
      { type: 'limit', id: 'asks', maxAmount: 5, window: 'day', effect: 'require_approval' },
      { type: 'limit', id: 'counted', maxAmount: 50, window: 'day' },
    ]
    const [account] = createDesk({ rules }).account.mandates
    const bound = account && boundOf(toExposed(account, undefined), NOON, NOON + HOUR_MS)
    expect(bound?.amount).toBe(units(50))
    expect(bound?.ignored.map(({ id }) => id).sort()).toEqual(['e', 'm', 'v'])
  })

  test('never counts fewer hours, days, weeks, months or years than are touched', () => {
    const units = ['hour', 'day', 'week', 'month'] as const
    fc.assert(
      fc.property(
        fc.constantFrom(...units),
        fc.constantFrom('UTC', 'Europe/Berlin', 'Australia/Lord_Howe', 'America/Sao_Paulo'),
        fc.integer({ min: 0, max: 400 * 24 * 60 }),
        fc.integer({ min: 1, max: 5 * 24 * 60 }),
        (unit, name, after, minutes) => {
          const start = Date.parse('2026-01-01T00:00Z') + after * 60_000
          const end = start + minutes * 60_000
          let touched = 0
          for (let at = start; at < end; touched++) at = zoneOf(name).windowAt(unit, at).end
          const counted = countTouched(unit, zoneOf(name), { start, end })
          expect(counted).toBeGreaterThanOrEqual(touched)
          expect(counted).toBeLessThanOrEqual(touched + (unit === 'hour' ? 6 : 0))
        },
      ),
    )
  })

  test.each(['Europe/Berlin', 'Australia/Lord_Howe'])(
    'never counts fewer hours than are touched while the clocks of %s change',
    (name) => {
      const zone = zoneOf(name)
      const change = zone.nextChange(NOON)
      for (const minutes of [10, 50, 90, 170]) {
        const stretch = { start: change - minutes * 60_000, end: change + minutes * 60_000 }
        let touched = 0
        for (let at = stretch.start; at < stretch.end; touched++) at = zone.windowAt('hour', at).end
        expect(countTouched('hour', zone, stretch)).toBeGreaterThanOrEqual(touched)
      }
    },
  )
})
