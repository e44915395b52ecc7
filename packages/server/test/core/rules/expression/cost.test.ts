import assert from 'node:assert/strict'
import { describe, expect, test } from 'vitest'
import { Problem } from '../../../../src/base/errors.ts'
import { compileExpression } from '../../../../src/core/rules/expression/compile.ts'
import { EXPRESSIONS_COST_MAX } from '../../../../src/core/rules/expression/cost.ts'
import { FUNCTIONS, METHODS, OPERATORS } from '../../../../src/core/rules/expression/vocabulary.ts'
import {
  inspectRules,
  parseRules,
  RULES_MAX,
  type RuleInput,
} from '../../../../src/core/rules/rule-set.ts'
import { createDesk } from '../../desk.ts'

/** Reads every tag 16 times: among the dearest that can be written in so few words. */
const DEAR = `agent.tags.all(t, ${Array.from({ length: 16 }, (_, n) => `!t.contains('x${n}')`).join(' && ')})`

function costOf(expr: string): number {
  const compiled = compileExpression(expr)
  assert(compiled.ok, expr)
  return compiled.cost
}

function rulesOf(expr: string, count: number): RuleInput[] {
  return Array.from({ length: count }, () => ({ type: 'expression', expr }))
}

describe('the cost of an expression', () => {
  test('grows with what it says', () => {
    expect(costOf("amount <= money('5') && count.day < 3")).toBeGreaterThan(
      costOf("amount <= money('5')"),
    )
  })

  test.each([
    ['the entries that a macro goes over', '[1, 2].all(x, x > 0)', '[1, 2, 3, 4].all(x, x > 0)'],
    ['what a macro does', 'agent.tags.all(t, t == "a")', 'agent.tags.all(t, t == "a" || t == "b")'],
    ['texts that are read whole', "reference.startsWith('a')", "reference.contains('a')"],
    ['the entries that are compared', "vendor in ['a']", "vendor in ['a', 'b', 'c', 'd']"],
    ['what an unknown list may hold', 'vendor in agent.tags', 'vendor in (true ? agent.tags : [])'],
    ['tags that are compared', "agent.id == 'a'", "agent.tags == ['a']"],
  ])('counts %s', (_, less, more) => {
    expect(costOf(more)).toBeGreaterThan(costOf(less))
  })

  test.each([
    ['every entry that an unknown list can have', "vendor in (true ? ['a'] : ['b'])", 64],
    ['every tag that a list is compared with', "agent.tags == ['a']", 32],
    ['every character of a text whose size is read', 'size(vendor) > 0', 32],
  ])('counts %s', (_, expr, least) => {
    expect(costOf(expr)).toBeGreaterThan(least + costOf('true'))
  })

  test('is small for single values and for lists whose size the text shows', () => {
    for (const expr of ["agent.id == 'a'", 'spent.day == 0', 'size([1]) > 0']) {
      expect(costOf(expr)).toBeLessThan(10 + costOf('true'))
    }
  })

  test('counts that the text of an amount is parsed', () => {
    expect(costOf("amount > money('5')") - costOf('amount > 5')).toBeGreaterThan(5)
  })

  test('is that of a macro for every tag that an agent can have', () => {
    expect(costOf('agent.tags.all(t, amount > 0)')).toBeGreaterThan(32 * 3)
  })

  test('does not depend on the order in which conditions would end it', () => {
    expect(costOf(`true || ${DEAR}`)).toBe(costOf(`${DEAR} || true`))
  })
})

describe('the expressions of a mandate', () => {
  const examples = [...Object.values(FUNCTIONS), ...Object.values(METHODS), ...OPERATORS]

  test.each(examples.map(({ example }) => [example]))('can be 64 like %s', (expr) => {
    expect(parseRules(rulesOf(expr, RULES_MAX))).toHaveLength(RULES_MAX)
  })

  test('are refused when they cost too much together, with the cost and the bound', () => {
    const dear = `amount > 0 && [${Array.from({ length: 60 }, (_, n) => n).join(', ')}].all(n, n >= 0)`
    const fitting = Math.floor(EXPRESSIONS_COST_MAX / costOf(dear))
    expect(parseRules(rulesOf(dear, fitting))).toHaveLength(fitting)
    const refusal = refusalOf(rulesOf(dear, fitting + 1))
    const cost = (fitting + 1) * costOf(dear)
    expect(refusal).toMatchObject({
      code: 'expressions_too_costly',
      status: 422,
      extra: { cost, costMax: EXPRESSIONS_COST_MAX },
    })
    expect(refusal.message).toContain(`${cost} units`)
    expect(refusal.message).toContain(`the limit is ${EXPRESSIONS_COST_MAX}`)
  })

  test('may cost exactly the maximum, and then the rules after them are still inspected', () => {
    const all = (entries: number) => `[${Array(entries).fill(1).join(', ')}].all(n, true)`
    const largest = all(64)
    const count = Math.floor(EXPRESSIONS_COST_MAX / costOf(largest))
    const rest = EXPRESSIONS_COST_MAX - count * costOf(largest)
    const last = Array.from({ length: 64 }, (_, entries) => all(entries))
    const rules = [
      ...rulesOf(largest, count),
      ...rulesOf(last.find((expr) => costOf(expr) === rest) ?? '', 1),
    ]
    expect(parseRules(rules)).toHaveLength(count + 1)
    const error = { path: `/rules/${count + 1}`, code: 'incomplete_rule' }
    expect(inspectRules([...rules, { type: 'amount' }])).toMatchObject([error])
  })

  test('are refused when one alone costs too much', () => {
    expect(refusalOf(rulesOf(DEAR, 1)).code).toBe('expressions_too_costly')
  })

  test('are not read any further once they cost too much', () => {
    const rules: RuleInput[] = [...rulesOf(DEAR, 1), { type: 'expression', expr: 'no such thing' }]
    expect(refusalOf(rules).code).toBe('expressions_too_costly')
    expect(refusalOf(rules.reverse())).toMatchObject({ errors: [{ path: '/rules/0/expr' }] })
  })

  test('are judged all the same where a mandate is stored that could not be written now', () => {
    const desk = createDesk({ rules: rulesOf(DEAR, 3) })
    expect(desk.ask().decision).toBe('approved')
  })
})

function refusalOf(rules: RuleInput[]): Problem {
  try {
    parseRules(rules)
  } catch (error) {
    if (error instanceof Problem) return error
  }
  throw new Error('The rules were not refused.')
}
