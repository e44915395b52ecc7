import { describe, expect, test } from 'vitest'
import type { Finding } from '../../../src/core/decision/evaluate.ts'
import {
  createMoney,
  newTally,
  noteFinding,
  type RuleTally,
} from '../../../src/core/replay/tally.ts'
import { units } from '../desk.ts'

const finding = (id: string, outcome: Finding['outcome']): Finding => ({
  id,
  type: 'amount',
  outcome,
  code: null,
  observed: null,
  limit: null,
  window: null,
  message: '',
})

describe('the tally of a replay', () => {
  test('sums the money of each currency and of each direction', () => {
    const money = createMoney()
    money.add('USD', true, units(3))
    money.add('USD', true, units(4))
    money.add('USD', false, units(5))
    money.add('EUR', false, units(6))
    expect(money.told()).toEqual([
      { currency: 'USD', newlyApproved: 7, newlyRejected: 5 },
      { currency: 'EUR', newlyApproved: 0, newlyRejected: 6 },
    ])
  })

  test('counts what it adds', () => {
    const tally = newTally()
    tally.add('USD', false, units(3))
    tally.add('USD', false, units(4))
    expect(tally.count).toBe(2)
    expect(tally.money.told()).toEqual([{ currency: 'USD', newlyApproved: 0, newlyRejected: 7 }])
  })

  test('counts the findings of each rule by their outcome', () => {
    const rules = new Map<string, RuleTally>()
    for (const outcome of ['pass', 'fail', 'fail', 'escalate', 'flag'] as const) {
      noteFinding(rules, finding('amount', outcome))
    }
    noteFinding(rules, finding('quiet', 'pass'))
    expect([...rules.values()]).toMatchObject([
      { id: 'amount', type: 'amount', stood: 2, asked: 1, flagged: 1 },
      { id: 'quiet', stood: 0, asked: 0, flagged: 0 },
    ])
  })

  test('keeps at most 400 rules, and still counts those that it has', () => {
    const rules = new Map<string, RuleTally>()
    for (let rule = 0; rule < 402; rule += 1) noteFinding(rules, finding(`${rule}`, 'fail'))
    noteFinding(rules, finding('399', 'fail'))
    expect([rules.size, rules.get('399')?.stood]).toEqual([400, 2])
  })
})
