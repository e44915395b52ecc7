import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { readConfig } from '../../src/process/config.ts'
import { nextAttemptAt, readRetryAfter } from '../../src/webhooks/attempt.ts'

const PLAN = [5_000, 30_000, 180_000, 1_080_000]
const NOW = Date.parse('2026-11-15T12:00Z')

const aDraw = fc.double({ min: 0, max: 1, maxExcluded: true, noNaN: true })
const aDelay = fc.integer({ min: 0, max: 86_400_000 })
const aPlan = fc.array(aDelay, { minLength: 1, maxLength: 20 })
const anAsk = fc.option(fc.integer({ min: 0, max: 1e12 }), { nil: undefined })

/** How long is waited before the next attempt; undefined when there is none. */
function waitAfter(plan: readonly number[], failures: number, draw: number, asked?: number) {
  const at = nextAttemptAt(plan, failures, NOW, draw, asked)
  return at === null ? undefined : at - NOW
}

describe('the plan of retries', () => {
  test('is about 5 s, 30 s, 3 min and 18 min where nothing else is set, and then over', () => {
    const { retryDelaysMs } = readConfig({}).webhooks
    const waits = [0, 1, 2, 3, 4].map((failures) => waitAfter(retryDelaysMs, failures, 0.5))
    expect(waits).toEqual([...PLAN, undefined])
  })

  test('can be set to other waits, and to more or fewer of them', () => {
    const plan = (text: string) =>
      readConfig({ PURSER_WEBHOOK_RETRY_DELAYS: text }).webhooks.retryDelaysMs
    expect(plan('10ms, 2s 3m,4h')).toEqual([10, 2_000, 180_000, 14_400_000])
    expect(plan('1s')).toEqual([1_000])
    expect(() => plan('1 day')).toThrow('PURSER_WEBHOOK_RETRY_DELAYS')
  })

  test('never waits less than 80 % or more than 120 % of a step by itself', () => {
    fc.assert(
      fc.property(aPlan, fc.nat(25), aDraw, (plan, failures, draw) => {
        const wait = waitAfter(plan, failures, draw)
        const base = plan[failures]
        expect(wait === undefined).toBe(base === undefined)
        if (base === undefined || wait === undefined) return
        expect(wait).toBeGreaterThanOrEqual(Math.floor(base * 0.8))
        expect(wait).toBeLessThanOrEqual(Math.ceil(base * 1.2))
      }),
    )
  })

  test('uses the whole of that range, so that receivers are not hit in waves', () => {
    expect(waitAfter(PLAN, 0, 0)).toBe(4_000)
    expect(waitAfter(PLAN, 0, 0.999999)).toBe(6_000)
  })

  test('lets a receiver ask for more, up to twice the step, and never for less', () => {
    fc.assert(
      fc.property(aPlan, fc.nat(19), aDraw, anAsk, (plan, failures, draw, asked) => {
        const step = failures % plan.length
        const drawn = waitAfter(plan, step, draw) ?? 0
        const most = 2 * (plan[step] ?? 0)
        const expected = Math.max(drawn, Math.min(asked ?? 0, most))
        expect(waitAfter(plan, step, draw, asked)).toBe(expected)
      }),
    )
  })

  test('has steps that never overlap, whatever is drawn and whatever receivers ask for', () => {
    fc.assert(
      fc.property(
        fc.nat(2),
        aDraw,
        aDraw,
        anAsk,
        anAsk,
        (step, draw, nextDraw, asked, askedNext) => {
          const wait = waitAfter(PLAN, step, draw, asked) ?? 0
          const next = waitAfter(PLAN, step + 1, nextDraw, askedNext) ?? 0
          expect(next).toBeGreaterThan(2 * wait)
        },
      ),
    )
  })
})

describe('a Retry-After', () => {
  test.each([
    ['0', 0],
    ['7', 7_000],
    ['999999999', 999_999_999_000],
    ['Sun, 15 Nov 2026 12:00:30 GMT', 30_000],
    ['Sun, 15 Nov 2026 11:59:30 GMT', 0],
  ])('of %j asks for %d ms', (header, asked) => {
    expect(readRetryAfter(header, NOW)).toBe(asked)
  })

  test.each([undefined, '', 'soon', '∞', '99999999999', '7 s', '0x10'])(
    'of %j says nothing',
    (header) => {
      expect(readRetryAfter(header, NOW)).toBeUndefined()
    },
  )

  test('of any text never leads to a time before the plan or beyond twice of it', () => {
    fc.assert(
      fc.property(fc.string(), aDraw, (header, draw) => {
        const wait = waitAfter(PLAN, 0, draw, readRetryAfter(header, NOW))
        expect(wait).toBeGreaterThanOrEqual(4_000)
        expect(wait).toBeLessThanOrEqual(10_000)
      }),
    )
  })
})
