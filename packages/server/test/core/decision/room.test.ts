import { describe, expect, test } from 'vitest'
import { mandatesShortOfRoom } from '../../../src/core/decision/room.ts'
import type { RuleInput } from '../../../src/core/rules/rule-set.ts'
import type { Spend } from '../../../src/core/spend.ts'
import {
  createDesk,
  type Desk,
  type DeskMandate,
  mandateId,
  someCard,
  someSpend,
  units,
} from '../desk.ts'

const HOLD_MS = 60_000

/** A desk with budgets of 100, of which a hold takes 40. */
function deskWithHold(...mandates: readonly DeskMandate[]): Desk {
  const desk = createDesk(...mandates)
  expect(desk.spend({ amount: units(40), holdMs: HOLD_MS }).status).toBe('held')
  return desk
}

function shortOfRoom(desk: Desk, change: Partial<Spend>): readonly string[] {
  return mandatesShortOfRoom(desk.ask(change), someSpend(change))
}

const partial = (amount: number) => ({
  amount: units(amount),
  path: 'card' as const,
  holdMs: HOLD_MS,
  card: someCard({ partialUnit: 10_000n }),
})

describe('a spend that holds leave no room for', () => {
  test('names its mandate and the parents if the budget rejects it', () => {
    const desk = deskWithHold({ rules: [{ type: 'amount', max: 90 }] }, {})
    expect(shortOfRoom(desk, { amount: units(61) })).toEqual([mandateId(0), mandateId(1)])
  })

  test.each<[string, RuleInput]>([
    ['a limit', { type: 'limit', maxAmount: 45, window: '1h' }],
    ['a duplicate rule', { type: 'duplicate', window: '1h', match: ['vendor'] }],
    [
      'a limit that asks for approval',
      { type: 'limit', maxCount: 1, window: '1h', effect: 'require_approval' },
    ],
  ])('names its mandate if %s rejects it', (_, rule) => {
    expect(shortOfRoom(deskWithHold({ rules: [rule] }), {})).toEqual([mandateId(0)])
  })

  test('names its mandate if a rule that is not about room only flags it', () => {
    const rules: RuleInput[] = [{ type: 'amount', max: 50, effect: 'flag' }]
    expect(shortOfRoom(deskWithHold({ rules }), { amount: units(61) })).toEqual([mandateId(0)])
  })

  test('names its mandate if only a part of it is approved', () => {
    expect(shortOfRoom(deskWithHold({}), partial(61))).toEqual([mandateId(0)])
  })
})

describe('a spend that does not lack room because of holds names no mandate', () => {
  test('if it is approved as a whole', () => {
    expect(shortOfRoom(deskWithHold({}), { amount: units(60) })).toEqual([])
    expect(shortOfRoom(deskWithHold({}), partial(60))).toEqual([])
  })

  test('if nothing is held', () => {
    const desk = createDesk({ spent: units(40) })
    expect(shortOfRoom(desk, { amount: units(61) })).toEqual([])
    expect(shortOfRoom(desk, { ...partial(61), holdMs: null })).toEqual([])
  })

  test('if a rule that is not about room rejects it too', () => {
    const desk = deskWithHold({ rules: [{ type: 'amount', max: 50 }] })
    expect(desk.ask({ amount: units(61) }).details.failed).toEqual(['amount', 'budget'])
    expect(shortOfRoom(desk, { amount: units(61) })).toEqual([])
  })

  test('if a gate is closed', () => {
    expect(shortOfRoom(deskWithHold({}), { currency: 'EUR' })).toEqual([])
  })
})
