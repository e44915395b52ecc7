import { describe, expect, test } from 'vitest'
import {
  compileExpression,
  type ExpressionInput,
} from '../../../../src/core/rules/expression/compile.ts'
import {
  FUNCTIONS,
  METHODS,
  OPERATORS,
  RECORDS,
  SCALARS,
} from '../../../../src/core/rules/expression/vocabulary.ts'

const SPEND: ExpressionInput = {
  amount: 25_000_000n,
  currency: 'USD',
  vendor: 'api.example.com',
  category: 'search',
  path: 'evaluate',
  reference: 'order-7',
  spent: { hour: 0n, day: 10_000_000n, period: 50_000_000n, total: 90_000_000n },
  count: { hour: 1, day: 3 },
  vendorFirstSeenDays: 8,
  agent: { id: '019a8561-7c5e-7d40-9b5e-6f1f0a3c2b11', tags: ['team:research', 'beta'] },
  local: { hour: 9, weekday: 'mon', date: '2026-10-12' },
}

const words = [...Object.values(FUNCTIONS), ...Object.values(METHODS), ...OPERATORS]
const fields = Object.entries(RECORDS).flatMap(([record, inside]) =>
  Object.entries(inside).map(([field, variable]) => [`${record}.${field}`, variable] as const),
)
const variables = [...Object.entries(SCALARS), ...fields]

describe.each(words)('the example of $form', ({ form, meaning, example }) => {
  test('is an expression that can be judged, and draws no warning', () => {
    const compiled = compileExpression(example)
    expect(compiled).toMatchObject({ ok: true, warnings: [] })
    expect(compiled.ok && compiled.evaluate(SPEND)).toEqual({ value: expect.any(Boolean) })
  })

  test('is told in a sentence and shows the word itself', () => {
    expect(meaning).toMatch(/^[A-Z].*\.$/)
    const signs = form.match(/\w+(?=\()|[^\w\s()',.]+|\bin\b/g) ?? []
    expect(signs.some((sign) => example.includes(sign))).toBe(true)
  })
})

test.each(variables)('%s has a value of its type', (name, { type, meaning }) => {
  const alike = { int: '0', string: "''", 'list<string>': "['']" }[type]
  const compiled = compileExpression(`${name} == ${alike} || ${name} == ${name}`)
  expect(compiled.ok && compiled.evaluate(SPEND)).toEqual({ value: true })
  expect(meaning).toMatch(/^[A-Z].*\.$/)
})
