import { describe, expect, test } from 'vitest'
import type { VendorHistory } from '../../../../src/core/counters/usage.ts'
import { decide } from '../../../../src/core/decision/decide.ts'
import type { RuleInput } from '../../../../src/core/rules/rule-set.ts'
import type { Spend } from '../../../../src/core/spend.ts'
import { createDesk, NOON, someCard, someSpend, units } from '../../desk.ts'

const DAY = 86_400_000
const DRIFT: RuleInput = { type: 'price_drift', maxIncreasePercent: 10 }
const AT_MOST_5: RuleInput = { type: 'amount', max: 5 }
const SETTLED: VendorHistory = { firstAt: NOON - 2 * DAY, lastAmount: units(10) }
const APPROVED: VendorHistory = { firstAt: NOON, lastAmount: null, approvedAmount: units(10) }

/** A spend of 12, judged with this history of its vendor. */
function ask(rules: RuleInput[], vendor?: VendorHistory, change: Partial<Spend> = {}) {
  const usage = { counter: () => undefined, isRead: () => true, vendor }
  const { account } = createDesk({ rules })
  return decide(someSpend({ amount: units(12), ...change }), { ...account, usage }, NOON)
}

describe('a rule about new vendors', () => {
  const rule: RuleInput = { type: 'new_vendor' }

  test('names its code and the vendor', () => {
    const { code, details } = ask([rule], undefined, { vendor: 'b.com' })
    expect(code).toBe('new_vendor')
    expect(details.rules[0]?.message).toBe('This would be the first spend at b.com.')
  })

  test('says how many days a vendor is known, unless the spend is an increment', () => {
    const increment = { path: 'card', card: someCard({ total: units(20) }) } as const
    expect(ask([rule], SETTLED).details.rules[0]?.observed).toBe(2)
    expect(ask([rule], SETTLED, increment).details.rules[0]?.observed).toBeNull()
  })

  test('leaves the amount at a known vendor to other rules', () => {
    expect(ask([rule, AT_MOST_5], SETTLED).details.next.maxAmountNow).toBe(5)
  })
})

describe('a rule about prices', () => {
  test('names the largest price that passes', () => {
    expect(ask([DRIFT], SETTLED).details.next.maxAmountNow).toBe(11)
  })

  test('leaves the amount of a first purchase to other rules', () => {
    expect(ask([DRIFT, AT_MOST_5]).details.next.maxAmountNow).toBe(5)
  })

  test('says whether the earlier price was paid or approved by a person', () => {
    const messageOf = (vendor: VendorHistory) => ask([DRIFT], vendor).details.rules[0]?.message
    expect(messageOf(SETTLED)).toContain('The last price at api.openai.com was 10 USD;')
    expect(messageOf(APPROVED)).toContain('A person approved 10 USD at api.openai.com;')
  })
})
