import { describe, expect, test } from 'vitest'
import { budgetEvents } from '../../../src/core/decision/budget-events.ts'
import { percentOf } from '../../../src/core/money.ts'
import { agentId, createDesk, type Desk, NOON, units } from '../desk.ts'

describe('a budget event', () => {
  test('fires when its line is reached, once', () => {
    const desk = createDesk({})
    expect(budgetKinds(desk, units(80) - 1n)).toEqual([])
    expect(budgetKinds(desk, 1n)).toEqual(['mandate.budget.warning 80'])
    expect(budgetKinds(desk, units(20) - 1n)).toEqual([])
    expect(budgetKinds(desk, 1n)).toEqual(['mandate.budget.exhausted 100'])
  })

  test('fires for both lines in one spend, the warning first', () => {
    expect(budgetKinds(createDesk({}), units(100))).toEqual([
      'mandate.budget.warning 100',
      'mandate.budget.exhausted 100',
    ])
  })

  test('fires at each level of the mandate', () => {
    const desk = createDesk({ warningPercents: [50, 95] })
    expect(budgetKinds(desk, units(50) - 1n)).toEqual([])
    expect(budgetKinds(desk, 1n)).toEqual(['mandate.budget.warning 50'])
    expect(budgetKinds(desk, units(44))).toEqual([])
    expect(budgetKinds(desk, units(1))).toEqual(['mandate.budget.warning 95'])
    expect(budgetKinds(desk, units(5))).toEqual(['mandate.budget.exhausted 100'])
  })

  test('fires one warning for a spend that crosses several levels', () => {
    const desk = createDesk({ warningPercents: [25, 50, 75] })
    expect(budgetKinds(desk, units(60))).toEqual(['mandate.budget.warning 60'])
    expect(budgetKinds(desk, units(15))).toEqual(['mandate.budget.warning 75'])
  })

  test('fires at 100 only for a mandate without levels', () => {
    const desk = createDesk({ warningPercents: [] })
    expect(budgetKinds(desk, units(99))).toEqual([])
    expect(budgetKinds(desk, units(1))).toEqual(['mandate.budget.exhausted 100'])
  })

  test('fires again in the next period', () => {
    const desk = createDesk({ budgetPeriod: 'daily' })
    budgetKinds(desk, units(85))
    expect(budgetKinds(desk, units(85), NOON + 86_400_000)).toEqual(['mandate.budget.warning 85'])
  })

  test('fires for every mandate above that crosses, with the agent of that mandate', () => {
    const desk = createDesk({}, { budgetTotal: units(12) }, { budgetTotal: units(10) })
    const events = desk.spend().budgetEvents
    expect(events.map((event) => [event.kind, event.agentId])).toEqual([
      ['mandate.budget.warning', agentId(1)],
      ['mandate.budget.warning', agentId(2)],
      ['mandate.budget.exhausted', agentId(2)],
    ])
  })

  test('does not fire again for a budget that is beyond its line already', () => {
    const [own] = createDesk({ spent: units(100) }).account.mandates
    expect(own && budgetEvents(own, { ...own, spent: units(130) }, NOON)).toEqual([])
  })

  test('rounds down, so that 80 is never shown too early', () => {
    const desk = createDesk({ budgetTotal: 3n })
    expect(budgetKinds(desk, 2n)).toEqual([])
    expect(budgetKinds(desk, 1n)).toHaveLength(2)
  })
})

function budgetKinds(desk: Desk, amount: bigint, at = NOON): string[] {
  return desk
    .spend({ amount }, at)
    .budgetEvents.map(
      ({ kind, budgetSpent, budgetTotal }) => `${kind} ${percentOf(budgetSpent, budgetTotal)}`,
    )
}
