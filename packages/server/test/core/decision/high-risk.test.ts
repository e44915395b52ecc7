import { describe, expect, test } from 'vitest'
import { compilePolicy, rulesFor } from '../../../src/core/mandates/policy.ts'
import { inspectRules, type RuleInput, toRules } from '../../../src/core/rules/rule-set.ts'
import { createDesk, mandateId, someCard, someSpend, units } from '../desk.ts'
import { someTerms } from '../some-terms.ts'

const PARENT = 'mnd_0198c5a000007000a000000000000001'

const bet = {
  path: 'card',
  category: 'gambling',
  card: someCard({ mcc: '7995', highRisk: 'gambling' }),
} as const
const allows = (...allow: string[]): RuleInput => ({ type: 'categories', allow })

describe('a high-risk purchase by card', () => {
  test('is blocked by a mandate that says nothing of it, before the budget', () => {
    const { code, details } = createDesk({ spent: units(100) }).ask(bet)
    expect(code).toBe('category_blocked')
    expect(details.failed).toEqual(['high_risk', 'budget'])
    expect(details.rules[0]).toMatchObject({
      id: 'high_risk',
      type: 'high_risk',
      outcome: 'fail',
      code: 'category_blocked',
      observed: 'gambling',
    })
    expect(details.next).toEqual({
      maxAmountNow: null,
      maxAmountWithApproval: null,
      retryAfter: null,
    })
  })

  test.each([
    ['the category', allows('llm', 'gambling'), 'approved'],
    ['the code', allows('mcc:7995'), 'approved'],
    ['another code of the category', allows('mcc:7801'), 'category_not_allowed'],
    [
      'a vendor of that name',
      { type: 'vendors', allow: ['gambling', '*.openai.com'] },
      'category_blocked',
    ],
    ['no category at all', { type: 'categories', block: ['llm'] }, 'category_blocked'],
  ] as const)('is judged by a mandate that names %s: %3$s', (_, rule, code) => {
    expect(createDesk({ rules: [rule] }).ask(bet).code).toBe(code)
  })

  test('is not lifted by what the directory calls the merchant', () => {
    const called = { ...bet, category: 'entertainment' }
    const { code, details } = createDesk({ rules: [allows('entertainment')] }).ask(called)
    expect([code, details.failed]).toEqual(['category_blocked', ['high_risk']])
  })

  test('needs to be named by every mandate of the line', () => {
    const named = { rules: [allows('gambling')] }
    const { code, details } = createDesk(named, {}).ask(bet)
    expect([code, details.failed]).toEqual(['category_blocked', [`${PARENT}/high_risk`]])
    expect(createDesk(named, named).ask(bet).code).toBe('approved')
  })

  test('is blocked by a rule all the same that blocks it by its code', () => {
    const rules: RuleInput[] = [{ type: 'categories', allow: ['gambling'], block: ['mcc:7995'] }]
    const { code, details } = createDesk({ rules }).ask(bet)
    expect([code, details.failed]).toEqual(['category_blocked', ['categories']])
  })

  test('is told which entries of a rule would allow it', () => {
    const messageOf = (mcc: string | null) =>
      createDesk({}).ask({ ...bet, card: someCard({ mcc, highRisk: 'gambling' }) }).details.rules[0]
        ?.message
    const told = 'Card spends on gambling are blocked unless a rule of the mandate allows'
    expect(messageOf('7995')).toBe(`${told} gambling or mcc:7995.`)
    expect(messageOf(null)).toBe(`${told} gambling.`)
  })

  test('is checked for without any money too', () => {
    expect(createDesk({}).ask({ ...bet, amount: 0n }).code).toBe('category_blocked')
  })

  test('is none on other paths, whatever it is called', () => {
    const { code, details } = createDesk({}).ask({ category: 'gambling' })
    expect([code, details.rules.map(({ id }) => id)]).toEqual(['approved', ['budget']])
  })
})

describe('a rule about categories', () => {
  const card = someCard({ mcc: '5734' })

  test.each<[RuleInput, string]>([
    [allows('mcc:5734'), 'approved'],
    [allows('llm'), 'approved'],
    [allows('mcc:5735'), 'category_not_allowed'],
    [{ type: 'categories', block: ['mcc:5734'] }, 'category_blocked'],
    [{ type: 'categories', allow: ['llm'], block: ['mcc:5734'] }, 'category_blocked'],
    [{ type: 'categories', allow: ['mcc:5734'], block: ['llm'] }, 'category_blocked'],
  ])('may name the code of the merchant: %j', (rule, code) => {
    expect(createDesk({ rules: [rule] }).ask({ card }).code).toBe(code)
  })

  test('shows the entry that it went by', () => {
    const [finding] = createDesk({ rules: [allows('mcc:5734')] }).ask({ card }).details.rules
    expect(finding).toMatchObject({ observed: 'mcc:5734', outcome: 'pass' })
  })
})

describe('the name of the check', () => {
  test('is refused for a rule', () => {
    const [error] = inspectRules([{ type: 'amount', max: 5, id: 'high_risk' }])
    expect(error).toMatchObject({ path: '/rules/0/id', code: 'reserved_id' })
  })

  test('is another in a mandate that has such a rule from before', () => {
    const rules = toRules([{ type: 'amount', max: 5, id: 'high_risk' }])
    const terms = someTerms({ rules })
    const policy = compilePolicy({ mandateId: mandateId(0), version: 1, hash: 'x', terms })
    const ids = rulesFor(policy, someSpend(bet)).map(({ id }) => id)
    expect(ids).toEqual(['high_risk', 'high_risk-2'])
  })
})
