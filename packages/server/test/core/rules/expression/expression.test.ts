import { describe, expect, test } from 'vitest'
import {
  compileExpression,
  type ExpressionInput,
} from '../../../../src/core/rules/expression/compile.ts'

const SPEND: ExpressionInput = {
  amount: 25_000_000n,
  currency: 'USD',
  vendor: 'api.example.com',
  category: 'search',
  path: 'evaluate',
  reference: '',
  spent: { hour: 0n, day: 10_000_000n, period: 50_000_000n, total: 90_000_000n },
  count: { hour: 1, day: 3 },
  vendorFirstSeenDays: -1,
  agent: { id: '019a8561-7c5e-7d40-9b5e-6f1f0a3c2b11', tags: ['team:research', 'beta'] },
  local: { hour: 9, weekday: 'mon', date: '2026-10-12' },
}

describe('an expression', () => {
  test.each([
    ["!(category == 'search' && amount > money('20'))", false],
    ["amount <= money('25') && amount < money('25.000001')", true],
    ["vendor.endsWith('.example.com') && !vendor.contains('ads')", true],
    ["vendor.startsWith('API.'.lowerAscii())", true],
    ["agent.tags.exists(tag, tag.startsWith('team:'))", true],
    ['agent.tags.all(tag, size(tag) > 4)', false],
    ["agent.tags.exists_one(tag, tag == 'beta')", true],
    ["'beta' in agent.tags && agent.tags.size() == 2 && agent.tags[1] == 'beta'", true],
    ["category in ['llm', 'search'] ? amount + spent.day <= money('35') : false", true],
    ['count.hour + count.day * 2 - 1 == 6 && -count.day < 0 && count.day % 2 == 1', true],
    ["{'search': 3, 'llm': 9}[category] == 3", true],
    ['vendor_first_seen_days >= 7', false],
    ["local.weekday in ['sat', 'sun'] || local.hour >= 9 && local.date == '2026-10-12'", true],
    ["has(agent.id) && path == 'evaluate' && currency == 'USD' && reference == ''", true],
  ])('%s is %s', (expr, value) => {
    expect(evaluate(expr)).toEqual({ value })
  })

  test.each([
    ["vendor == 'a' || count.day < 3 && spent.hour < 1", ['vendor', 'count.day', 'spent.hour']],
    ["size(agent.tags) > 0 || !(local.weekday in ['sat'])", ['agent.tags', 'local.weekday']],
    ['true', []],
  ])('names what it reads: %s', (expr, names) => {
    const compiled = compileExpression(expr)
    expect(compiled.ok && [...compiled.names]).toEqual(names)
  })

  test('gives the same answer each time it is evaluated', () => {
    const compiled = compileExpression("agent.tags.exists(tag, tag == 'beta')")
    const answers = [0, 1, 2].map(() => compiled.ok && compiled.evaluate(SPEND))
    expect(answers).toEqual([{ value: true }, { value: true }, { value: true }])
  })

  test.each([
    ['division by zero', 'amount / spent.hour > 1'],
    ['an overflow', 'amount * amount * amount > 0'],
    ['an index out of range', "agent.tags[9] == 'x'"],
    ['a missing key', "{'llm': 1}[category] == 1"],
  ])('with %s gives an error and no value', (_, expr) => {
    expect(evaluate(expr)).toEqual({ error: expect.any(String) })
  })

  test.each([
    ['a fraction where a whole number belongs', { vendorFirstSeenDays: 0.5 }],
    ['too many tags', { agent: { id: 'a', tags: Array(33).fill('t') } }],
    ['a tag that is too long', { agent: { id: 'a', tags: ['t'.repeat(257)] } }],
    ['a vendor that is too long', { vendor: 'v'.repeat(257) }],
    ['a category that is too long', { category: 'c'.repeat(257) }],
    ['a reference that is too long', { reference: 'r'.repeat(257) }],
  ])('over %s gives an error and no value', (_, change) => {
    expect(evaluate('amount > 0', { ...SPEND, ...change })).toEqual({ error: expect.any(String) })
  })
})

test('the longest expression, the longest texts and the longest list of tags are accepted', () => {
  const [long, expr] = ['x'.repeat(256), 'amount > 0 // ']
  const agent = { id: 'a', tags: Array(32).fill(long) }
  const input = { ...SPEND, agent, vendor: long, category: long, reference: long }
  expect(evaluate(expr + 'x'.repeat(2_000 - expr.length), input)).toEqual({ value: true })
})

describe('an attack is refused when it is compiled:', () => {
  const fifty = `[${Array(50).fill(1).join(',')}]`

  test.each([
    ['a pattern that keeps the regex engine busy', `vendor.matches('^(a+)+$')`, 'matches'],
    ['the same on a literal', `'${'a'.repeat(29)}!'.matches('^(a+)+$')`, 'matches'],
    ['the same as a function', `matches(vendor, '^(a+)+$')`, 'matches'],
    [
      'four macros, one in the other',
      `${fifty}.all(a, ${fifty}.all(b, ${fifty}.all(c, ${fifty}.all(d, a + b + c + d > 0))))`,
      'nested|maxAstNodes',
    ],
    [
      'four macros over the same list',
      'agent.tags.all(a, agent.tags.all(b, agent.tags.all(c, agent.tags.all(d, a != d))))',
      'nested',
    ],
    ['two macros, one in the other', '[1, 2].all(a, [3].exists(b, a == b))', 'nested'],
    ['a macro hidden in a list', 'agent.tags.all(a, [agent.tags.exists(b, b == a)][0])', 'nested'],
    ['brackets in brackets', `${'('.repeat(500)}true${')'.repeat(500)}`, 'maxDepth'],
    ['lists in lists', `${'['.repeat(40)}1${']'.repeat(40)} == []`, 'maxDepth'],
    ['a long chain of negations', `${'!'.repeat(1_900)}true`, 'maxAstNodes'],
    ['a long chain of conditions', `true${' && true'.repeat(200)}`, 'maxAstNodes'],
    ['a huge list', `amount in [${Array(65).fill(1).join(',')}]`, 'maxListElements'],
    [
      'a huge map',
      `{${Array.from({ length: 17 }, (_, i) => `'${i}':1`).join(',')}}.size() > 0`,
      'maxMapEntries',
    ],
    ['too many arguments', 'size(1, 2, 3, 4, 5) == 1', 'maxCallArguments'],
    ['a text that grows', "vendor + vendor == 'x'", '`+`'],
    ['a text that grows inside a macro', "agent.tags.exists(t, (t + t) == 'x')", '`+`'],
    ['a list that grows', 'size(agent.tags + agent.tags) > 1', '`+`'],
    ['text joined from a list', "agent.tags.join(',') == 'x'", 'join'],
    ['text cut into a list', "vendor.split('.').size() > 1", 'split'],
    ['a list made from a list', '[1, 2].map(x, x * 2) == [2, 4]', 'map'],
    ['a filter', '[1, 2].filter(x, x > 1) == [2]', 'filter'],
    ['a bound variable', 'cel.bind(x, amount, x > 1)', 'bind'],
    ['parsed JSON', `bytes('{}').json() == {}`, 'json'],
    ['a timestamp', "timestamp('2026-01-01T00:00:00Z') > timestamp(0)", 'timestamp'],
    ['a conversion that hides types', 'dyn(amount) > 1', 'dyn'],
    ['a macro called as a function', 'all(agent.tags, t, true)', 'all'],
    ['a function nobody knows', 'exec(vendor)', 'exec'],
    ['a method nobody knows', "vendor.constructor('x') == 'x'", 'constructor'],
    ['a field that every JavaScript object has', "agent.constructor == 'x'", 'constructor'],
    ['the same inside has', 'has(agent.__proto__)', '__proto__'],
    ['bytes', "b'a' == b'a'", 'only texts'],
    ['a text of 2,001 characters', `amount > 0 // ${'x'.repeat(1_990)}`, '2000'],
  ])('%s', (_, expr, reason) => {
    expect(compileExpression(expr)).toEqual({
      ok: false,
      error: expect.stringMatching(new RegExp(reason === '`+`' ? '`\\+`' : reason)),
    })
  })
})

describe('a mistake is explained when it is compiled:', () => {
  test.each([
    [
      'a misspelt variable',
      "vendr == 'x'",
      'Unknown variable: vendr at character 1 (available: amount',
    ],
    ['a misspelt field', 'spent.hours > 0', 'hours'],
    ['a misspelt field inside has', 'has(agent.tag)', 'tag'],
    ['a result that is no bool', 'amount + 1', 'int'],
    ['a comparison of different things', "amount == '20'", 'int == string'],
    ['a fraction', 'amount > 20.5', "money('20.50')"],
    ['an amount that is none', "amount > money('a lot')", "money('20.50')"],
    ['an amount with seven decimals', "amount > money('0.0000001')", "money('20.50')"],
    ['an amount that is not written out', 'amount > money(vendor)', "money('20.50')"],
    ['half an expression', 'amount >', 'EOF'],
    ['nothing at all', '', 'EOF'],
  ])('%s', (_, expr, part) => {
    expect(compileExpression(expr)).toEqual({ ok: false, error: expect.stringContaining(part) })
  })
})

test('the names that exist are listed only for an unknown name', () => {
  const errorOf = (expr: string) => {
    const compiled = compileExpression(expr)
    return compiled.ok ? '' : compiled.error
  }
  expect(errorOf("vendr == 'x'")).toContain('available: amount')
  expect(errorOf("amount == '20'")).not.toContain('available')
})

describe('an amount compared with a bare number', () => {
  test.each(['amount > 20', '20 >= amount', 'spent.day < 100', 'true || amount == 5'])(
    'draws a warning in %s',
    (expr) => {
      expect(compileExpression(expr)).toMatchObject({ warnings: [expect.any(String)] })
    },
  )

  test.each([
    "amount > money('20')",
    "amount * 2 > money('20')",
    'amount > 0',
    'count.day > 20',
    'local.hour == 9',
  ])('is not seen in %s', (expr) => {
    expect(compileExpression(expr)).toMatchObject({ ok: true, warnings: [] })
  })
})

function evaluate(expr: string, input = SPEND) {
  const compiled = compileExpression(expr)
  return compiled.ok ? compiled.evaluate(input) : { refused: compiled.error }
}
