import { describe, expect, test } from 'vitest'
import { usageEvents } from '../../../src/core/events/usage-events.ts'
import type { Plan } from '../../../src/core/plan.ts'
import { NOON } from '../desk.ts'

/** The events of an evaluation that raises the usage of a plan from one number to the other. */
const eventsOf = (before: number, after: number, plan: Plan = 'free') =>
  usageEvents({ plan, used: before }, { plan, used: after }, NOON)

describe('the usage of a plan of 1,000 evaluations', () => {
  test.each([
    [798, 799, []],
    [799, 800, ['usage.warning']],
    [800, 801, []],
    [998, 999, []],
    [999, 1_000, ['usage.exhausted']],
    [1_000, 1_001, []],
    [0, 1_000, ['usage.warning', 'usage.exhausted']],
  ])('raises from %i to %i the events %j', (before, after, kinds) => {
    expect(eventsOf(before, after).map(({ kind }) => kind)).toEqual(kinds)
  })

  test('is told with the limit, a whole percentage of at most 100, and the end of the month', () => {
    const told = { plan: 'free', limit: 1_000, resetsAt: '2026-11-01T00:00:00.000Z' }
    expect(eventsOf(0, 809)[0]?.told).toEqual({ ...told, used: 809, percentUsed: 80 })
    expect(eventsOf(999, 1_020)[0]?.told).toEqual({ ...told, used: 1_020, percentUsed: 100 })
  })

  test('raises the events again when a smaller plan is exceeded', () => {
    const before = { plan: 'pro', used: 900 } as const
    const events = usageEvents(before, { plan: 'free', used: 901 }, NOON)
    expect(events.map(({ kind }) => kind)).toEqual(['usage.warning'])
  })
})

test('a plan without a limit raises no event', () => {
  expect(eventsOf(0, 1_000_000, 'self_hosted')).toEqual([])
  const before = { plan: 'self_hosted', used: 900 } as const
  expect(usageEvents(before, { plan: 'free', used: 901 }, NOON)).toHaveLength(1)
})
