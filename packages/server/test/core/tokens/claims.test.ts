import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { budgetAt, type Mandate } from '../../../src/core/mandates/mandate.ts'
import { parseMicros, toDecimal } from '../../../src/core/money.ts'
import { type RuleInput, toRules } from '../../../src/core/rules/rule-set.ts'
import { canonicalLine, type TokenClaims, toClaims } from '../../../src/core/tokens/claims.ts'
import { someMandate } from '../some-mandate.ts'

const NOW = Date.UTC(2026, 9, 15, 12)

describe('what a token says', () => {
  test('to somebody outside is the same for every budget and every limit that is not told', () => {
    const amounts = fc.bigInt({ min: 1n, max: 999_999_999_000_000n })
    const limits = fc.integer({ min: 1, max: 1_000 })
    fc.assert(
      fc.property(amounts, amounts, limits, (budgetTotal, budgetSpent, max) => {
        const rules: RuleInput[] = [
          { type: 'amount', max },
          { type: 'limit', maxAmount: max, window: 'day' },
          { type: 'approval', above: max },
        ]
        const parent = someMandate({ id: OTHER_ID, budgetTotal, rules: toRules(rules) })
        const line = [
          someMandate({ budgetTotal, budgetSpent, rules: toRules(rules) }),
          parent,
        ] as const
        expect(outside([...line])).toEqual(outside([someMandate({})]))
      }),
    )
  })

  test('to somebody outside names the lowest maximum only where the mandate that has it tells it', () => {
    const own = (discloseLimits: boolean, max: number) =>
      someMandate({ discloseLimits, rules: toRules([{ type: 'amount', max }]) })
    const told = { type: 'dev.purser.amount.1', max: '25.5', currency: 'USD' }
    expect(outside([own(true, 25.5)]).constraints).toContainEqual(told)
    expect(outside([own(false, 25.5)]).constraints).toHaveLength(1)
    // The parent allows less and does not tell it: the child's maximum would say too much.
    expect(outside([own(true, 25.5), own(false, 20)]).constraints).toHaveLength(1)
    expect(outside([own(true, 25.5), own(false, 30)]).constraints).toContainEqual(told)
    expect(outside([own(true, 30), own(true, 25.5)]).constraints).toContainEqual(told)
    expect(outside([own(false, 30), own(true, 25.5)]).constraints).toHaveLength(1)
  })

  test('never lowers a maximum by what is left', () => {
    const rules = toRules([{ type: 'amount', max: 50 }])
    const mandate = someMandate({ discloseLimits: true, rules, budgetSpent: 99_000_000n })
    expect(outside([mandate]).constraints).toMatchObject([{}, { max: '50' }])
  })

  test('to the gateway itself is every rule of the line, with amounts as texts', () => {
    const rules = toRules([
      { type: 'amount', min: 0.001, max: 50 },
      { type: 'limit', id: 'for-Jo', maxAmount: 100.25, window: 'day', effect: 'flag' },
      { type: 'vendors', allow: ['shop.example'] },
    ])
    const parent = someMandate({ id: OTHER_ID, rules: toRules([{ type: 'approval', above: 25 }]) })
    expect(inside([someMandate({ rules }), parent])).toMatchObject({
      constraints: [
        { type: 'dev.purser.amount.1', min: '0.001', max: '50', currency: 'USD', effect: 'reject' },
        { type: 'dev.purser.limit.1', maxAmount: '100.25', window: 'day', effect: 'flag' },
        { type: 'dev.purser.vendors.1', allow: ['shop.example'], effect: 'reject' },
        { type: 'dev.purser.approval.1', above: '25', currency: 'USD' },
      ],
    })
    expect(JSON.stringify(inside([someMandate({ rules })]))).not.toMatch(/for-Jo|Research/)
  })

  test('to the gateway itself has no maximum above what is left of the line', () => {
    const rules = toRules([
      { type: 'amount', max: 50 },
      { type: 'amount', max: 60, effect: 'flag' },
      { type: 'limit', maxAmount: 70, window: 'day' },
    ])
    const mandate = someMandate({ rules, budgetSpent: 70_000_000n, budgetHeld: 10_000_000n })
    const left = toDecimal(budgetAt(mandate, NOW).remaining)
    expect(inside([mandate]).constraints).toMatchObject([
      { max: left },
      // It rejects nothing, and a limit is about a sum.
      { max: '60' },
      { maxAmount: '70' },
    ])
    const parent = someMandate({ id: OTHER_ID, budgetSpent: 99_500_000n })
    expect(inside([mandate, parent]).constraints).toMatchObject([{ max: '0.5' }, {}, {}])
    expect(inside([someMandate({ rules })]).constraints).toMatchObject([{ max: '50' }, {}, {}])
  })

  test('to the gateway itself is the budget of the mandate that has least left', () => {
    const parent = someMandate({
      id: OTHER_ID,
      budgetTotal: 500_000_000n,
      budgetSpent: 499_500_000n,
    })
    const { budget } = inside([someMandate({ budgetSpent: 10_000_000n }), parent])
    expect(budget).toMatchObject({ currency: 'USD', limit: '500', remaining: '0.5' })
  })

  test('is bounded: rules that do not fit are counted', () => {
    const allow = Array.from({ length: 400 }, (_, index) => `host-${index}.shop.example`)
    const rules = toRules([
      { type: 'amount', max: 5 },
      { type: 'vendors', allow },
      { type: 'new_vendor' },
    ])
    const { constraints } = inside([someMandate({ rules })])
    expect(constraints).toMatchObject([
      { type: 'dev.purser.amount.1' },
      { type: 'dev.purser.more.1', count: 2 },
    ])
    expect(JSON.stringify(constraints).length).toBeLessThan(5_000)
  })

  test('ends with the first mandate of the line that ends', () => {
    const parent = someMandate({ id: OTHER_ID, validUntil: NOW + 90_500 })
    expect(outside([someMandate({}), parent])).toMatchObject({
      exp: NOW / 1_000 + 90,
      mandate: { validUntil: '2026-10-15T12:01:30.500Z' },
    })
    expect(claimsOf([someMandate({ validUntil: NOW + 999 })], undefined)).toBeUndefined()
  })
})

describe('the text that is hashed', () => {
  test('is another one after any change of any mandate of the line', () => {
    const parent = someMandate({ id: OTHER_ID })
    const changes: Partial<Mandate>[] = [
      { version: 2 },
      { name: 'Other' },
      { budgetTotal: 1n },
      { validUntil: NOW },
      { discloseLimits: true },
      { rules: toRules([{ type: 'new_vendor' }]) },
    ]
    const texts = changes.flatMap((change) => [
      canonicalLine([someMandate(change), parent]),
      canonicalLine([someMandate({}), { ...parent, ...change }]),
    ])
    const all = [
      ...texts,
      canonicalLine([someMandate({}), parent]),
      canonicalLine([someMandate({})]),
    ]
    expect(new Set(all).size).toBe(all.length)
  })

  test('is the same whatever was spent', () => {
    const spent = someMandate({ budgetSpent: 5n, budgetHeld: 1n, updatedAt: NOW + 1 })
    expect(canonicalLine([spent])).toBe(canonicalLine([someMandate({})]))
  })
})

test('an amount and its decimal text are the same', () => {
  fc.assert(
    fc.property(fc.bigInt({ min: 0n, max: 999_999_999_999_999n }), (micros) => {
      expect(parseMicros(toDecimal(micros))).toBe(micros)
    }),
  )
  expect([toDecimal(0n), toDecimal(1n), toDecimal(12_500_000n)]).toEqual(['0', '0.000001', '12.5'])
})

const outside = (line: Mandate[]): TokenClaims => made(claimsOf(line, 'shop.example'))
const inside = (line: Mandate[]): TokenClaims => made(claimsOf(line, undefined))

function made(claims: TokenClaims | undefined): TokenClaims {
  if (!claims) throw new Error('There are no claims.')
  return claims
}

function claimsOf([own = someMandate({}), ...above]: Mandate[], vendor: string | undefined) {
  const line = [own, ...above] as const
  return toClaims(
    {
      issuer: 'https://gateway.example',
      audience: 'https://shop.example',
      vendor,
      organizationId: OTHER_ID,
      line: [...line],
      told: [...line],
      hash: 'hash',
      id: OTHER_ID,
      ttlSeconds: 300,
    },
    NOW,
  )
}

const OTHER_ID = '019a8561-7c5e-7d40-9b5e-6f1f0a3c2b13'
