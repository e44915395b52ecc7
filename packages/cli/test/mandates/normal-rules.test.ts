import type { RuleInput } from '@purser/sdk'
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { RULES } from '../../../server/src/core/rules/kinds/index.ts'
import { inspectRules, parseRules } from '../../../server/src/core/rules/rule-set.ts'
import { toNormalRules } from '../../src/mandates/normal-rules.ts'

type ServerInput = Parameters<typeof parseRules>[0]

function asStored(rules: readonly object[]) {
  return parseRules(rules as ServerInput)
}

test('rules of files get the form in which the gateway stores them', () => {
  const rules = RULES.flatMap(({ type, examples }) =>
    examples.map(({ rule }) => ({ ...rule, type }) as unknown as RuleInput),
  )
  expect(toNormalRules(rules)).toEqual(asStored(rules))
})

const host = fc.constantFrom(
  'API.OpenAI.com',
  'https://api.openai.com/v1?x=1',
  'http://Shop.example.com:8080',
  'example.com.',
  '*.Example.com',
  'bücher.example.com',
  '*.bücher.example.com',
  '127.0.0.1',
  '[::1]',
  'http://[2001:DB8::1]:80/a',
  'localhost',
  'my_service.example.com',
  'xn--bcher-kva.example.com',
)
const category = fc.constantFrom('LLM', 'llm', 'mcc:5734', 'Team:Search', 'a_b.C-d')
const id = fc.option(fc.constantFrom('limit', 'limit-2', 'vendors', 'own'), { nil: undefined })

const rule = fc.oneof(
  fc.record({ type: fc.constant('vendors'), id, allow: fc.array(host, { minLength: 1 }) }),
  fc.record({ type: fc.constant('vendors'), block: fc.array(host, { minLength: 1 }) }),
  fc.record({ type: fc.constant('categories'), id, block: fc.array(category, { minLength: 1 }) }),
  fc.record({
    type: fc.constant('limit'),
    id,
    maxAmount: fc.constantFrom(10, 10.5, 0.000001, 0.1 + 0.2),
    window: fc.constant('1h'),
    match: fc.record({ vendor: host, category }),
  }),
  fc.record({ type: fc.constant('approval'), above: fc.constantFrom(1, 2.5) }),
  fc.record({ type: fc.constant('new_vendor'), effect: fc.constant('flag') }),
)

test('every way to write hosts, categories and ids gets the form of the gateway', () => {
  fc.assert(
    fc.property(fc.array(rule, { maxLength: 6 }), (drawn) => {
      const rules = drawn.map((each) => JSON.parse(JSON.stringify(each)))
      fc.pre(inspectRules(rules).length === 0)
      expect(toNormalRules(rules)).toEqual(asStored(rules))
    }),
  )
})
