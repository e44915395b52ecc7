import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { RULES } from '../../../src/core/rules/kinds/index.ts'
import type { RuleInput } from '../../../src/core/rules/rule-set.ts'
import type { Assurance, KnownPayee, Spend } from '../../../src/core/spend.ts'
import { createDesk, type DeskMandate, NOON } from '../desk.ts'
import { situations } from '../some-history.ts'

const ADDRESS = `0x${'ab'.repeat(20)}`

const paidTo = (assurance: Assurance): KnownPayee => ({
  network: 'eip155:8453',
  address: ADDRESS,
  assurance,
  mismatch: null,
})

const CLAIMED = paidTo('agent_claimed')
const HERE: Partial<Spend> = { path: 'x402', vendor: 'a.com', category: 'llm' }
const WINDOW = { maxAmount: 90, window: 'day' } as const

/** Rules whose verdict depends on the vendor, of every kind that has such. */
const DOUBTING: readonly [string, RuleInput][] = [
  ['vendors', { type: 'vendors', allow: ['a.com'] }],
  ['vendors', { type: 'vendors', block: ['b.com'] }],
  ['limit', { type: 'limit', ...WINDOW, groupBy: 'vendor' }],
  ['limit', { type: 'limit', ...WINDOW, match: { vendor: '*.a.com' } }],
  ['limit', { type: 'limit', ...WINDOW, match: { vendor: 'a.com', path: 'x402' } }],
  ['duplicate', { type: 'duplicate', window: '10m' }],
  ['duplicate', { type: 'duplicate', window: '10m', match: ['vendor', 'category'] }],
  ['new_vendor', { type: 'new_vendor' }],
  ['price_drift', { type: 'price_drift', maxIncreasePercent: 5 }],
  ['expression', { type: 'expression', expr: "vendor == 'a.com'" }],
  ['expression', { type: 'expression', expr: "category == 'llm' || vendor.endsWith('.com')" }],
  ['expression', { type: 'expression', expr: 'vendor_first_seen_days >= 0' }],
]

/** Rules that would say the same of every vendor. */
const INDIFFERENT: readonly [string, RuleInput][] = [
  ['paths', { type: 'paths', allow: ['x402'] }],
  ['categories', { type: 'categories', allow: ['llm'] }],
  ['amount', { type: 'amount', max: 50 }],
  ['schedule', { type: 'schedule', windows: [{ from: '11:00', to: '13:00' }] }],
  ['limit', { type: 'limit', ...WINDOW, groupBy: 'category' }],
  ['limit', { type: 'limit', ...WINDOW, match: { vendor: 'b.com', path: 'card' } }],
  ['limit', { type: 'limit', ...WINDOW, groupBy: 'vendor', match: { category: 'search' } }],
  ['duplicate', { type: 'duplicate', window: '10m', match: ['amount', 'reference'] }],
  ['expression', { type: 'expression', expr: "spent.day + amount <= money('90')" }],
  ['approval', { type: 'approval', above: 50 }],
]

/** A desk at which the agent has bought from the vendor before, so that only the claim is new. */
function deskWith(...mandates: readonly DeskMandate[]) {
  const desk = createDesk(...mandates)
  desk.record(HERE, NOON - 3_600_000)
  return desk
}

test('every kind of rule is here', () => {
  const named = new Set([...DOUBTING, ...INDIFFERENT].map(([kind]) => kind))
  expect([...named].toSorted()).toEqual(RULES.map(({ type }) => type).toSorted())
})

describe.each(DOUBTING)('%s, as in %j,', (kind, rule) => {
  const desk = deskWith({ rules: [rule] })

  test('does not take the word of the agent for the vendor', () => {
    const { code, details } = desk.ask({ ...HERE, payee: CLAIMED })
    expect(code).toBe('payee_mismatch')
    expect(details.rules[0]).toMatchObject({ outcome: 'fail', observed: ADDRESS, limit: null })
    expect(details.rules[0]?.message).toContain('a.com')
    expect(details.next).toEqual({
      maxAmountNow: null,
      maxAmountWithApproval: null,
      retryAfter: null,
    })
  })

  test.each(['payto_pinned', 'gateway_observed'] as const)('believes %s', (assurance) => {
    expect(desk.ask({ ...HERE, payee: paidTo(assurance) }).code).toBe('approved')
  })

  test('asks for no payee on a path that pays nobody', () => {
    expect(desk.ask({ ...HERE, payee: null }).code).toBe('approved')
  })

  test('doubts it with its own effect, and from above as well', () => {
    const flags = { ...rule, effect: 'flag' } as RuleInput
    expect(deskWith({ rules: [flags] }).ask({ ...HERE, payee: CLAIMED })).toMatchObject({
      code: 'approved',
      details: { rules: [{ outcome: 'flag', code: 'payee_mismatch' }, {}] },
    })
    const above = deskWith({}, { rules: [rule] }).ask({ ...HERE, payee: CLAIMED })
    expect(above.code).toBe('payee_mismatch')
  })

  test('names the code among its own', () => {
    const codes = RULES.find(({ type }) => type === kind)?.codes ?? {}
    expect(Object.keys(codes)).toContain('payee_mismatch')
  })
})

test.each(INDIFFERENT)('%s, as in %j, has no doubt of a vendor it does not read', (_, rule) => {
  expect(deskWith({ rules: [rule] }).ask({ ...HERE, payee: CLAIMED }).code).toBe('approved')
})

test('what a rule says against the spend comes before the doubt', () => {
  const rules: RuleInput[] = [{ type: 'limit', maxAmount: 5, window: 'day', groupBy: 'vendor' }]
  expect(deskWith({ rules }).ask({ ...HERE, payee: CLAIMED }).code).toBe('limit_amount_exceeded')
})

test('no claim passes a rule that would say something else of another vendor', () => {
  fc.assert(
    fc.property(situations('any'), ({ desk, spend, now }) => {
      const verdicts = ['a.com', 'x.a.com', 'b.com', 'never.example'].map((vendor) =>
        desk.ask({ ...spend, vendor, payee: CLAIMED }, now).details.rules.map(({ code }) => code),
      )
      const [first = []] = verdicts
      for (const index of first.keys()) {
        const codes = new Set(verdicts.map((codes) => codes[index]))
        if (codes.size > 1) expect(codes).not.toContain(null)
      }
    }),
    { numRuns: 300 },
  )
})
