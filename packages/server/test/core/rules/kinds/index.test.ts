import { readdirSync } from 'node:fs'
import { resolve } from 'node:path'
import { Ajv } from 'ajv'
import { describe, expect, test } from 'vitest'
import type { RuleDefinition } from '../../../../src/core/rules/define-rule.ts'
import { RULES } from '../../../../src/core/rules/kinds/index.ts'
import { inspectRules, RuleInput } from '../../../../src/core/rules/rule-set.ts'

const FOLDER = resolve(import.meta.dirname, '../../../../src/core/rules/kinds')

test('every file of the folder is in the list, and nothing else is', () => {
  const files = readdirSync(FOLDER).filter((file) => file !== 'index.ts')
  const listed = RULES.map((rule) => `${rule.type.replaceAll('_', '-')}.ts`)
  expect(files.sort()).toEqual(listed.sort())
})

test('findings are reported in the order of the API', () => {
  expect(RULES.map((rule) => rule.type)).toEqual([
    'paths',
    'vendors',
    'categories',
    'amount',
    'schedule',
    'limit',
    'duplicate',
    'new_vendor',
    'price_drift',
    'expression',
    'approval',
  ])
})

test('every rule is described in one sentence, and so is every setting and every note', () => {
  const texts = RULES.flatMap((rule: RuleDefinition) => [
    rule.summary,
    ...(rule.notes ?? []),
    ...Object.values(rule.settings).map((setting: { description?: string }) => setting.description),
  ])
  expect(texts.filter((text) => !text || !/^[A-Z].*\.$/.test(text))).toEqual([])
})

test('a rule says what is narrower exactly when it is compared with those above', () => {
  const said = RULES.filter((rule: RuleDefinition) => rule.narrower?.endsWith('.'))
  const compared = RULES.filter((rule: RuleDefinition) => rule.widerThan)
  expect(said.map(({ type }) => type)).toEqual(compared.map(({ type }) => type))
})

test('no two rules have the same title in the OpenAPI document', () => {
  expect(new Set(RULES.map((rule) => rule.title)).size).toBe(RULES.length)
})

describe.each<RuleDefinition>([...RULES])(
  'the examples of $type',
  ({ type, settings, examples }) => {
    const isRuleInput = new Ajv({ strict: true, discriminator: true }).compile<RuleInput>(RuleInput)

    test('are accepted in a mandate, and say in a sentence what they mean', () => {
      expect(examples.length).toBeGreaterThan(0)
      for (const { says, rule } of examples) {
        const stated = { type, ...rule }
        expect([isRuleInput(stated), isRuleInput.errors]).toEqual([true, null])
        expect(isRuleInput(stated) && inspectRules([stated])).toEqual([])
        expect(says).toMatch(/^[A-Z].*\.$/)
      }
    })

    test('use every setting, also those inside others', () => {
      const used = new Set(examples.flatMap(({ rule }) => namesIn(rule)))
      expect(namesOf(settings).filter((name) => !used.has(name))).toEqual([])
    })
  },
)

interface Shape {
  readonly items?: Shape
  readonly properties?: Readonly<Record<string, Shape>>
}

/** The names of settings as paths: `match`, `match.vendor`, `windows.from`. */
function namesOf(settings: Readonly<Record<string, Shape>>): string[] {
  return Object.entries(settings).flatMap(([name, shape]) => {
    const { properties = {} } = shape.items ?? shape
    return [name, ...namesOf(properties).map((inner) => `${name}.${inner}`)]
  })
}

function namesIn(value: unknown): string[] {
  if (Array.isArray(value)) return value.flatMap(namesIn)
  if (typeof value !== 'object' || value === null) return []
  return Object.entries(value).flatMap(([name, inner]) => [
    name,
    ...namesIn(inner).map((path) => `${name}.${path}`),
  ])
}
