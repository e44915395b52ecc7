import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { runsOf } from '../../support/sized.ts'
import { createDesk, NOON, units } from '../desk.ts'
import { situations } from '../some-history.ts'

/** The deep suite runs all of them. */
const RUNS = runsOf(150, 1_000)
const HOUR_MS = 3_600_000

const ASKS_ABOVE_3 = { type: 'approval', above: 3 } as const
const SMALL = { type: 'expression', expr: "!(category == 'llm' && amount > money('5'))" } as const
const ASKS_ALWAYS = { rules: [{ type: 'approval' }] } as const
const ONLY_CARDS = { rules: [{ type: 'paths', allow: ['card'] }] } as const

describe('what a rejection says about what to do next', () => {
  test('always names an amount that passes, of which one micro more does not', () => {
    let named = 0
    fc.assert(
      fc.property(situations('any'), ({ desk, now, spend }) => {
        const { maxAmountNow } = desk.ask(spend, now).details.next
        if (maxAmountNow === null) return
        named += 1
        const amount = units(maxAmountNow)
        expect(desk.ask({ ...spend, amount }, now).decision).toBe('approved')
        expect(desk.ask({ ...spend, amount: amount + 1n }, now).decision).toBe('rejected')
      }),
      { numRuns: RUNS },
    )
    // Otherwise the promise would be kept by silence.
    expect(named).toBeGreaterThan(RUNS / 100)
  })

  test('always names an amount that at most a person stands in the way of, and no larger one', () => {
    let named = 0
    fc.assert(
      fc.property(situations('any'), ({ desk, now, spend }) => {
        const { maxAmountNow, maxAmountWithApproval } = desk.ask(spend, now).details.next
        if (maxAmountWithApproval === null) return
        expect(maxAmountWithApproval).toBeGreaterThanOrEqual(maxAmountNow ?? 0)
        if (maxAmountWithApproval !== maxAmountNow) named += 1
        const amount = units(maxAmountWithApproval)
        const isRefused = (asked: bigint): boolean =>
          desk
            .ask({ ...spend, amount: asked }, now)
            .details.rules.some(({ outcome }) => outcome === 'fail')
        expect([isRefused(amount), isRefused(amount + 1n)]).toEqual([false, true])
      }),
      { numRuns: RUNS },
    )
    expect(named).toBeGreaterThan(RUNS / 100)
  })

  test('always names an instant at which it passes, and before which it does not', () => {
    let named = 0
    fc.assert(
      fc.property(situations('any'), ({ desk, now, spend }) => {
        const { retryAfter } = desk.ask(spend, now).details.next
        if (retryAfter === null) return
        named += 1
        const at = Date.parse(retryAfter)
        expect(at).toBeGreaterThan(now)
        expect(desk.ask(spend, at).decision).toBe('approved')
        expect(desk.ask(spend, at - 1).decision).toBe('rejected')
      }),
      { numRuns: RUNS },
    )
    expect(named).toBeGreaterThan(RUNS / 100)
  })

  test.each([
    ['the budget', { budgetTotal: units(7) }, 7, 7, null],
    [
      'a budget that resets',
      { budgetPeriod: 'daily', spent: units(95) },
      5,
      5,
      '2026-10-16T00:00:00.000Z',
    ],
    ['the smallest of several bounds', { rules: [{ type: 'amount', max: 4 }] }, 4, 4, null],
    ['what needs no person', { rules: [{ type: 'approval', above: 3 }] }, 3, 100, null],
    [
      'what a person can allow, which is bounded too',
      { rules: [ASKS_ABOVE_3, { type: 'amount', max: 6 }] },
      3,
      6,
      null,
    ],
    [
      'what a person can allow of any rule that asks',
      { rules: [{ type: 'vendors', allow: ['b.com'], effect: 'require_approval' }] },
      null,
      100,
      null,
    ],
    ['what a person can allow where every spend is asked', ASKS_ALWAYS, null, 100, null],
    [
      'no amount that a person can allow, where the largest one fails by another rule',
      { rules: [ASKS_ABOVE_3, SMALL] },
      3,
      null,
      null,
    ],
    ['nothing where no amount helps', ONLY_CARDS, null, null, null],
    [
      'nothing below the smallest amount',
      { rules: [{ type: 'amount', min: 20 }], budgetTotal: units(9) },
      null,
      null,
      null,
    ],
    ['the start of the mandate', { validFrom: NOON + 5 }, null, null, '2026-10-15T12:00:00.005Z'],
    ['nothing for a mandate that ends before', { validUntil: NOON }, null, null, null],
  ] as const)('names %s', (_, mandate, maxAmountNow, maxAmountWithApproval, retryAfter) => {
    const { next } = createDesk(structuredClone(mandate)).ask().details
    expect(next).toEqual({ maxAmountNow, maxAmountWithApproval, retryAfter })
  })

  test('names no instant if the mandate ends before its parent begins', () => {
    const parent = { validFrom: NOON + 10 }
    const retryAfter = (validUntil: number) =>
      createDesk({ validUntil }, parent).ask().details.next.retryAfter
    expect(retryAfter(NOON + 10)).toBeNull()
    expect(retryAfter(NOON + 11)).toBe('2026-10-15T12:00:00.010Z')
  })

  test('waits for one rule after the other', () => {
    const desk = createDesk({
      rules: [
        { type: 'limit', maxCount: 1, window: '1h' },
        { type: 'schedule', windows: [{ from: '11:00', to: '12:30' }] },
      ],
    })
    desk.spend()
    // The hour is over at 13:01, outside the schedule, which opens on the next day.
    expect(desk.ask().details.next.retryAfter).toBe('2026-10-16T11:00:00.000Z')
  })

  test.each([
    ['the hour of the day', 'local.hour >= 14', '2026-10-15T14:00:00.000Z'],
    ['the day of the week', "local.weekday in ['sat', 'sun']", '2026-10-17T00:00:00.000Z'],
    ['the date', "local.date >= '2026-11-20'", '2026-11-20T00:00:00.000Z'],
    ['the count of the hour', 'count.hour < 1', '2026-10-15T13:00:00.000Z'],
    ['what the day has spent', "spent.day + amount <= money('15')", '2026-10-16T00:00:00.000Z'],
    ['what the period has spent', "spent.period < money('5')", '2026-10-19T00:00:00.000Z'],
    ['how long the vendor is known', 'vendor_first_seen_days >= 3', '2026-10-18T12:00:00.000Z'],
    ['two of them', 'count.day < 1 && local.hour == 3', '2026-10-16T03:00:00.000Z'],
    [
      'the sooner of two',
      "local.hour == 14 || local.date == '2026-11-20'",
      '2026-10-15T14:00:00.000Z',
    ],
    ['what never changes', "amount < money('5')", null],
    ['what counts no less later', "spent.total < money('5')", null],
    ['an hour that never comes', 'local.hour > 23', null],
    ['what cannot be worked out', "{'fri': true}[local.weekday]", null],
  ])('waits for an expression that depends on %s', (_, expr, retryAfter) => {
    const desk = createDesk({ budgetPeriod: 'weekly', rules: [{ type: 'expression', expr }] })
    desk.record()
    expect(desk.ask().details.next.retryAfter).toBe(retryAfter)
  })

  test('looks past an expression that is false where another rule opens', () => {
    const desk = createDesk({
      rules: [
        { type: 'limit', maxCount: 1, window: '1h' },
        { type: 'expression', expr: 'local.hour < 13 || local.hour >= 20' },
      ],
    })
    desk.spend()
    // The hour is over at 13:01, when the expression is false.
    expect(desk.ask().details.next.retryAfter).toBe('2026-10-15T20:00:00.000Z')
  })

  test('does not wait for expressions that are dear to judge, and judges them all the same', () => {
    const reads = Array.from({ length: 9 }, (_, n) => `!t.contains('x${n}')`).join(' && ')
    const expr = `agent.tags.all(t, ${reads}) && local.hour == 11`
    const dear = createDesk({ rules: [{ type: 'expression', expr }] })
    expect(dear.ask().details).toMatchObject({
      code: 'expression_false',
      next: { retryAfter: null },
    })
    const cheap = createDesk({ rules: [{ type: 'expression', expr: 'local.hour == 11' }] })
    expect(cheap.ask().details.next.retryAfter).toBe('2026-10-16T11:00:00.000Z')
  })

  test('names the amount that passes where the search for an instant would cost too much', () => {
    const reads = Array.from({ length: 9 }, (_, n) => `!t.contains('x${n}')`).join(' && ')
    const expr = `agent.tags.all(t, ${reads}) && (amount <= money('5') || local.hour == 11)`
    const limit = { type: 'limit', maxAmount: 12, window: '1h' } as const
    const desk = createDesk({ rules: [limit, { type: 'expression', expr }] })
    expect(desk.spend({ amount: units(5) }).code).toBe('approved')
    expect(desk.spend({ amount: units(3) }).code).toBe('approved')
    expect(desk.ask().details.next).toEqual({
      maxAmountNow: 4,
      maxAmountWithApproval: 4,
      retryAfter: null,
    })
  })

  test('names no instant only if no full hour of the next day passes', () => {
    let searched = 0
    fc.assert(
      fc.property(situations('any'), ({ desk, now, spend }) => {
        const { decision, details } = desk.ask(spend, now)
        if (decision === 'approved' || details.next.retryAfter !== null) return
        searched += 1
        const next = Math.ceil((now + 1) / HOUR_MS) * HOUR_MS
        for (let at = next; at <= next + 24 * HOUR_MS; at += HOUR_MS) {
          expect(desk.ask(spend, at).decision).toBe('rejected')
        }
      }),
      { numRuns: Math.ceil(RUNS / 4) },
    )
    expect(searched).toBeGreaterThan(RUNS / 80)
  })

  test('says nothing after an approval', () => {
    expect(createDesk({}).ask().details.next).toEqual({
      maxAmountNow: null,
      maxAmountWithApproval: null,
      retryAfter: null,
    })
  })
})

describe('whatever the mandates say', () => {
  test('a larger spend is never approved where a smaller one is rejected', () => {
    fc.assert(
      fc.property(
        situations('monotone'),
        fc.bigInt({ min: 1n, max: units(60) }),
        (situation, less) => {
          const { desk, now, spend } = situation
          const amount = spend.amount ?? units(1)
          if (desk.ask(spend, now).decision === 'rejected' || less >= amount) return
          expect(desk.ask({ ...spend, amount: less }, now).decision).toBe('approved')
        },
      ),
      { numRuns: RUNS },
    )
  })

  test('the budget is never overspent, and a rejection changes nothing', () => {
    fc.assert(
      fc.property(situations('any'), ({ desk, now, spend }) => {
        const before = desk.account.mandates
        const decision = desk.spend(spend, now)
        for (const mandate of decision.mandates) {
          expect(mandate.spent <= mandate.budgetTotal).toBe(true)
          expect(mandate.held <= mandate.spent).toBe(true)
        }
        if (decision.decision === 'approved') return
        expect(decision.mandates).toBe(before)
        expect(decision.counters.size).toBe(0)
        expect(decision.vendor).toBeUndefined()
        expect(decision.budgetEvents).toEqual([])
      }),
      { numRuns: RUNS },
    )
  })
})
