import { describe, expect, test } from 'vitest'
import { budgetEvents } from '../../src/core/events.ts'
import { agentId, createDesk, type Desk, NOON, units } from './desk.ts'

const OWN = 'mnd_0198c5a000007000a000000000000000'
const TRANSACTION = 'txn_0198c5a00000700080000000000000aa'

describe('a decision tells', () => {
  test('of an approved spend exactly the eight fields', () => {
    const [event] = createDesk({}).spend().events
    expect(event).toEqual({
      kind: 'transaction.approved',
      mandateId: '0198c5a0-0000-7000-a000-000000000000',
      data: {
        transactionId: TRANSACTION,
        agentId: agentId(0),
        mandateId: OWN,
        amount: 10,
        vendor: 'api.openai.com',
        category: 'llm',
        remainingBudget: 90,
        decision: 'approved',
      },
    })
  })

  test('of a rejected one also why', () => {
    const rules = [
      { type: 'amount', max: 5 },
      { type: 'paths', allow: ['evaluate'], effect: 'flag' },
    ] as const
    const decision = createDesk({ rules }).spend()
    expect(decision.events).toEqual([
      {
        kind: 'transaction.rejected',
        mandateId: '0198c5a0-0000-7000-a000-000000000000',
        data: {
          transactionId: TRANSACTION,
          agentId: agentId(0),
          mandateId: OWN,
          amount: 10,
          vendor: 'api.openai.com',
          category: 'llm',
          remainingBudget: 100,
          decision: 'rejected',
          code: 'amount_above_max',
          reason: decision.message,
          reasons: [{ ruleId: 'amount', code: 'amount_above_max', message: decision.message }],
          path: 'evaluate',
          approvalId: null,
        },
      },
    ])
  })

  test('of a rejection without a mandate with null for it', () => {
    const [event] = createDesk().spend().events
    expect(event).toMatchObject({ mandateId: null, data: { mandateId: null, remainingBudget: 0 } })
  })
})

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

  test('fires again in the next period', () => {
    const desk = createDesk({ budgetPeriod: 'daily' })
    budgetKinds(desk, units(85))
    expect(budgetKinds(desk, units(85), NOON + 86_400_000)).toEqual(['mandate.budget.warning 85'])
  })

  test('fires for every mandate above that crosses, with the agent of that mandate', () => {
    const desk = createDesk({}, { budgetTotal: units(12) }, { budgetTotal: units(10) })
    const { events } = desk.spend()
    expect(events.slice(1).map(({ kind, data }) => [kind, data.agentId])).toEqual([
      ['mandate.budget.warning', agentId(1)],
      ['mandate.budget.warning', agentId(2)],
      ['mandate.budget.exhausted', agentId(2)],
    ])
  })

  test('never says more than 100 percent', () => {
    const [own] = createDesk({}).account.mandates
    const events = own ? budgetEvents(own, { ...own, spent: units(250) }, NOON) : []
    expect(events.map(({ data }) => data.percentUsed)).toEqual([100, 100])
    expect(events[0]?.data).toMatchObject({ budgetTotal: 100, budgetSpent: 250, mandateId: OWN })
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
    .events.flatMap(({ kind, data }) =>
      'percentUsed' in data ? [`${kind} ${data.percentUsed}`] : [],
    )
}
