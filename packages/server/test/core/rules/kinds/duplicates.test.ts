import { describe, expect, test } from 'vitest'
import type { Spend } from '../../../../src/core/spend.ts'
import { createDesk, NOON, someCard, units } from '../../desk.ts'

const FIRST = { vendor: 'a.com', amount: units(10), category: 'llm', reference: 'a' } as const
const OTHER = { vendor: 'b.com', amount: units(20), category: 'search', reference: 'b' } as const

describe.each(['vendor', 'amount', 'category', 'reference'] as const)(
  'a rule that matches duplicates by the %s alone',
  (field) => {
    const desk = createDesk({ rules: [{ type: 'duplicate', window: '10m', match: [field] }] })
    desk.spend(FIRST)

    test('ignores all other fields', () => {
      const same = { ...OTHER, [field]: FIRST[field] }
      expect(desk.ask(same).code).toBe('duplicate_transaction')
    })

    test('does not compare spends that differ in it', () => {
      expect(desk.ask({ ...FIRST, [field]: OTHER[field] }).code).toBe('approved')
    })
  },
)

test('no reference differs from every reference', () => {
  const desk = createDesk({ rules: [{ type: 'duplicate', window: '10m' }] })
  desk.spend({ ...FIRST, reference: null })
  expect(desk.ask({ ...FIRST, reference: 'null' }).code).toBe('approved')
  expect(desk.ask({ ...FIRST, reference: null }).code).toBe('duplicate_transaction')
})

describe('the finding of a duplicate', () => {
  const desk = () => createDesk({ rules: [{ type: 'duplicate', window: '1m' }] })

  test('counts the spend itself, and says when it passes', () => {
    const shop = desk()
    expect(shop.spend(FIRST).details.rules[0]).toMatchObject({ observed: 1, limit: 1 })
    const { rules, next } = shop.ask(FIRST).details
    expect(rules[0]).toMatchObject({ observed: 2, limit: 1, window: '1m' })
    expect(Date.parse(next.retryAfter ?? '')).toBe(NOON + 61_000)
  })

  test('counts no increment of a purchase, neither for itself nor for later spends', () => {
    const shop = desk()
    const bought: Partial<Spend> = { ...FIRST, path: 'card', card: someCard() }
    const more = { ...bought, amount: units(5), card: someCard({ total: units(15) }) }
    shop.spend(bought)
    const { details, counters } = shop.spend(more)
    expect(details.rules[0]).toMatchObject({ code: null, observed: null })
    expect(counters.size).toBe(0)
    expect(shop.ask({ ...bought, amount: units(5) }).code).toBe('approved')
  })
})
