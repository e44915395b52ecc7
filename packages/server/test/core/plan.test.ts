import fc from 'fast-check'
import { expect, test } from 'vitest'
import { PLANS, requestsPerMinuteOf, usageMonth } from '../../src/core/plan.ts'

const FIRST = Date.UTC(2020, 0, 1)
const LAST = Date.UTC(2040, 0, 1)

test('usage is counted by UTC month, in whatever order the instants come', () => {
  const instants = fc.array(fc.integer({ min: FIRST, max: LAST }), { maxLength: 20 })
  fc.assert(
    fc.property(instants, (all) => {
      for (const at of all) {
        const { month, start, resetsAt } = usageMonth(at)
        expect(month).toBe(`${new Date(at).toISOString().slice(0, 7)}-01`)
        expect([start <= at, at < resetsAt]).toEqual([true, true])
      }
    }),
  )
})

test('a month begins with its first millisecond, and ends before the next', () => {
  const [november, december] = [Date.UTC(2026, 10, 1), Date.UTC(2026, 11, 1)]
  const january = Date.UTC(2027, 0, 1)
  for (const at of [november, december - 1]) {
    expect(usageMonth(at)).toEqual({ month: '2026-11-01', start: november, resetsAt: december })
  }
  expect(usageMonth(december)).toEqual({ month: '2026-12-01', start: december, resetsAt: january })
  expect(usageMonth(december - 1).month).toBe('2026-11-01')
  expect(usageMonth(november - 1).month).toBe('2026-10-01')
})

test('only a self-hosted installation has the rate limit of its operator', () => {
  expect(requestsPerMinuteOf('self_hosted', 30)).toBe(30)
  expect(requestsPerMinuteOf('self_hosted', null)).toBeNull()
  expect(requestsPerMinuteOf('pro', 30)).toBe(PLANS.pro.requestsPerMinute)
})
