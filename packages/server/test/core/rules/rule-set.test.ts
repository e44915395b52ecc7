import { Ajv } from 'ajv'
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { FIELD_ERRORS_MAX } from '../../../src/base/errors.ts'
import { inspectRules, Rule, RuleInput, toRules } from '../../../src/core/rules/rule-set.ts'

// As strict as Ajv can be, so that the schemas also pass whatever the server configures.
const ajv = new Ajv({ strict: true, discriminator: true, allErrors: true })
const isRuleInput = ajv.compile<RuleInput>(RuleInput)
const isRule = ajv.compile<Rule>(Rule)

const EXAMPLES: RuleInput[] = [
  { type: 'amount', min: 0.001, max: 50 },
  { type: 'paths', allow: ['evaluate', 'x402', 'acp', 'card'] },
  { type: 'vendors', allow: ['api.openai.com', '*.example.com'], block: ['ads.example.com'] },
  { type: 'categories', allow: ['llm', 'search'], block: ['gambling'] },
  { type: 'limit', maxCount: 60, maxAmount: 100, window: '1h' },
  { type: 'limit', groupBy: 'vendor', maxAmount: 200, window: 'day' },
  { type: 'limit', match: { category: 'search' }, maxAmount: 300, window: 'period' },
  { type: 'schedule', windows: [{ days: ['mon', 'fri'], from: '07:00', to: '19:00' }] },
  { type: 'duplicate', window: '10m', match: ['vendor', 'amount', 'reference'] },
  { type: 'new_vendor', effect: 'require_approval' },
  { type: 'price_drift', maxIncreasePercent: 25, effect: 'require_approval' },
  { type: 'expression', expr: "!(category == 'search' && amount > money('20'))" },
  { type: 'approval', above: 25, expiresIn: '30m' },
]

describe('the rules of the API description', () => {
  test.each(EXAMPLES)('$type is accepted as %j', (rule) => {
    expect([isRuleInput(rule), isRuleInput.errors]).toEqual([true, null])
    expect(inspectRules([rule])).toEqual([])
  })

  test('have the shape of stored rules once ids and effects are filled in', () => {
    const shapes = toRules(EXAMPLES).map((rule) => isRule(rule))
    expect(shapes).toEqual(EXAMPLES.map(() => true))
  })
})

describe('the schema refuses', () => {
  test.each<[string, unknown]>([
    ['an unknown type', { type: 'colour' }],
    ['no type', { max: 5 }],
    ['an unknown field', { type: 'amount', max: 5, maximum: 5 }],
    [
      'an unknown field inside a match',
      { type: 'limit', maxCount: 1, window: '1h', match: { x: 1 } },
    ],
    ['an amount of nothing', { type: 'amount', max: 0 }],
    ['an amount as text', { type: 'amount', max: '5' }],
    ['an unknown effect', { type: 'amount', max: 5, effect: 'warn' }],
    ['an approval that rejects', { type: 'approval', effect: 'reject' }],
    ['an unknown path', { type: 'paths', allow: ['x420'] }],
    ['an empty list', { type: 'vendors', allow: [] }],
    ['501 entries', { type: 'vendors', allow: Array(501).fill('a.com') }],
    ['an id with a space', { type: 'amount', max: 5, id: 'my rule' }],
    ['half a spend', { type: 'limit', maxCount: 0.5, window: '1h' }],
    ['a window nobody knows', { type: 'limit', maxCount: 1, window: 'year' }],
    ['a calendar window for duplicates', { type: 'duplicate', window: 'day' }],
    [
      'a day that is none',
      { type: 'schedule', windows: [{ days: ['so'], from: '07:00', to: '08:00' }] },
    ],
    [
      'a window that starts at 24:00',
      { type: 'schedule', windows: [{ from: '24:00', to: '08:00' }] },
    ],
    ['an hour that is none', { type: 'schedule', windows: [{ from: '07:60', to: '08:00' }] }],
    ['a percentage below zero', { type: 'price_drift', maxIncreasePercent: -1 }],
    [
      'an unknown field inside a window',
      { type: 'schedule', windows: [{ from: '07:00', to: '08:00', day: 'mon' }] },
    ],
    ['a path twice', { type: 'paths', allow: ['card', 'card'] }],
    ['a field twice', { type: 'duplicate', window: '1m', match: ['vendor', 'vendor'] }],
    [
      'a day twice',
      { type: 'schedule', windows: [{ days: ['mon', 'mon'], from: '07:00', to: '08:00' }] },
    ],
    ['a long expression', { type: 'expression', expr: 'x'.repeat(2_001) }],
  ])('%s', (_, rule) => {
    expect(isRuleInput(rule)).toBe(false)
  })
})

describe('inspection finds', () => {
  test.each<[string, RuleInput, string, string]>([
    ['a seventh decimal', { type: 'amount', max: 0.0000001 }, '/max', 'invalid_amount'],
    ['a minimum above the maximum', { type: 'amount', min: 6, max: 5 }, '/min', 'min_above_max'],
    ['an amount without bounds', { type: 'amount' }, '', 'incomplete_rule'],
    ['vendors without a list', { type: 'vendors' }, '', 'incomplete_rule'],
    ['a bad vendor', { type: 'vendors', allow: ['a.com', 'a b'] }, '/allow/1', 'invalid_vendor'],
    ['a public suffix', { type: 'vendors', block: ['*.co.uk'] }, '/block/0', 'invalid_vendor'],
    ['categories without a list', { type: 'categories' }, '', 'incomplete_rule'],
    ['a bad category', { type: 'categories', block: ['a b'] }, '/block/0', 'invalid_category'],
    ['a list too long', { type: 'categories', allow: Array(501).fill('a') }, '/allow', 'too_many'],
    ['a limit of nothing', { type: 'limit', window: '1h' }, '', 'incomplete_rule'],
    ['a short window', { type: 'limit', maxCount: 1, window: '9s' }, '/window', 'out_of_range'],
    ['a long window', { type: 'limit', maxCount: 1, window: '91d' }, '/window', 'out_of_range'],
    [
      'a bad vendor to match',
      { type: 'limit', maxCount: 1, window: '1h', match: { vendor: '*' } },
      '/match/vendor',
      'invalid_vendor',
    ],
    [
      'a bad category to match',
      { type: 'limit', maxCount: 1, window: '1h', match: { category: '-' } },
      '/match/category',
      'invalid_category',
    ],
    [
      'a limit with a seventh decimal',
      { type: 'limit', maxAmount: 1.0000001, window: '1h' },
      '/maxAmount',
      'invalid_amount',
    ],
    [
      'a window that closes when it opens',
      { type: 'schedule', windows: [{ from: '07:00', to: '07:00' }] },
      '/windows/0/to',
      'empty_window',
    ],
    [
      'a zone that is none',
      { type: 'schedule', windows: [{ from: '07:00', to: '08:00' }], timezone: '+01:00' },
      '/timezone',
      'unknown_time_zone',
    ],
    ['a short memory', { type: 'duplicate', window: '9s' }, '/window', 'out_of_range'],
    [
      'a percentage with three decimals',
      { type: 'price_drift', maxIncreasePercent: 0.125 },
      '/maxIncreasePercent',
      'invalid_percentage',
    ],
    ['a bad expression', { type: 'expression', expr: 'amnt > 1' }, '/expr', 'invalid_expression'],
    [
      'a seventh decimal to approve',
      { type: 'approval', above: 1.0000001 },
      '/above',
      'invalid_amount',
    ],
    ['a hasty approval', { type: 'approval', expiresIn: '59s' }, '/expiresIn', 'out_of_range'],
    ['an eternal approval', { type: 'approval', expiresIn: '8d' }, '/expiresIn', 'out_of_range'],
  ])('%s', (_, rule, path, code) => {
    const found = inspectRules([{ type: 'new_vendor' }, rule])
    expect(found.map((error) => [error.path, error.code])).toEqual([[`/rules/1${path}`, code]])
  })

  test('all mistakes at once, each with the rule it is in', () => {
    const found = inspectRules([{ type: 'amount' }, { type: 'vendors', allow: ['a b', '*.com'] }])
    expect(found.map((error) => error.path)).toEqual([
      '/rules/0',
      '/rules/1/allow/0',
      '/rules/1/allow/1',
    ])
  })

  test('an id that is used twice', () => {
    const rules: RuleInput[] = [
      { type: 'new_vendor', id: 'mine' },
      { type: 'amount', max: 1, id: 'mine' },
    ]
    expect(inspectRules(rules)).toMatchObject([{ path: '/rules/1/id', code: 'duplicate_id' }])
  })

  test.each(['budget', 'high_risk'])('the reserved id %s', (id) => {
    const found = inspectRules([{ type: 'new_vendor' }, { type: 'new_vendor', id }])
    expect(found).toMatchObject([{ path: '/rules/1/id', code: 'reserved_id' }])
  })

  test('no more than one mistake beyond those that a response lists', () => {
    const wrong = (count: number) => Array<RuleInput>(count).fill({ type: 'amount' })
    expect(inspectRules(wrong(FIELD_ERRORS_MAX + 1))).toHaveLength(FIELD_ERRORS_MAX + 1)
    expect(inspectRules(wrong(FIELD_ERRORS_MAX + 9))).toHaveLength(FIELD_ERRORS_MAX + 1)
  })

  test('the sixty-fifth rule', () => {
    const rules = Array<RuleInput>(65).fill({ type: 'new_vendor' })
    expect(inspectRules(rules)).toMatchObject([{ path: '/rules', code: 'too_many' }])
    expect(inspectRules(rules.slice(1))).toEqual([])
  })

  test('nothing at the ends of every range', () => {
    expect(
      inspectRules([
        { type: 'amount', min: 5, max: 5 },
        { type: 'limit', maxCount: 1, window: '10s' },
        { type: 'limit', maxCount: 1, window: '90d' },
        { type: 'schedule', windows: [{ from: '00:00', to: '24:00' }] },
        { type: 'schedule', windows: [{ from: '22:00', to: '06:00' }], timezone: 'Asia/Kolkata' },
        { type: 'approval', expiresIn: '1m' },
        { type: 'approval', expiresIn: '7d' },
      ]),
    ).toEqual([])
  })
})

describe('filling in', () => {
  test('gives ids a person would give, around those that were given', () => {
    const rules = toRules([
      { type: 'limit', maxCount: 1, window: '1h' },
      { type: 'limit', maxCount: 2, window: '1h', id: 'limit-2' },
      { type: 'limit', maxCount: 3, window: '1h' },
      { type: 'new_vendor', id: 'limit-4' },
      { type: 'limit', maxCount: 4, window: '1h' },
      { type: 'new_vendor' },
    ])
    expect(rules.map((rule) => rule.id)).toEqual([
      'limit',
      'limit-2',
      'limit-3',
      'limit-4',
      'limit-5',
      'new_vendor',
    ])
  })

  test('never gives an id twice and always keeps what it made', () => {
    const ids = fc.option(fc.constantFrom('new_vendor', 'new_vendor-2', 'amount', 'mine'), {
      nil: undefined,
    })
    fc.assert(
      fc.property(fc.uniqueArray(fc.tuple(ids, fc.nat(9)), { maxLength: 9 }), (drawn) => {
        const inputs = drawn.map(
          ([id]): RuleInput => ({ type: 'new_vendor', ...(id !== undefined && { id }) }),
        )
        fc.pre(inspectRules(inputs).length === 0)
        const rules = toRules(inputs)
        expect(new Set(rules.map((rule) => rule.id)).size).toBe(rules.length)
        expect(toRules(rules)).toEqual(rules)
      }),
    )
  })

  test('rejects unless another effect was asked for, and approvals ask', () => {
    const rules = toRules([
      { type: 'price_drift', maxIncreasePercent: 5 },
      { type: 'amount', max: 5, effect: 'flag' },
      { type: 'approval' },
    ])
    expect(rules.map((rule) => rule.effect)).toEqual(['reject', 'flag', 'require_approval'])
  })

  test('leaves one spelling of vendors and categories', () => {
    const rules = toRules([
      { type: 'vendors', allow: ['A.com', 'https://a.com/x', '*.B.example.'], block: ['C.com:80'] },
      { type: 'categories', allow: ['LLM', 'llm'], block: ['Gambling'] },
      {
        type: 'limit',
        maxCount: 1,
        window: '1h',
        match: { vendor: '*.B.example', category: 'LLM' },
      },
    ])
    expect(rules).toMatchObject([
      { allow: ['a.com', '*.b.example'], block: ['c.com'] },
      { allow: ['llm'], block: ['gambling'] },
      { match: { vendor: '*.b.example', category: 'llm' } },
    ])
  })
})
