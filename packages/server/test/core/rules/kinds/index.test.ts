import { readdirSync } from 'node:fs'
import { resolve } from 'node:path'
import { expect, test } from 'vitest'
import { RULES } from '../../../../src/core/rules/kinds/index.ts'

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

test('every rule is described in one sentence, and so is every setting', () => {
  const texts = RULES.flatMap((rule) => [
    rule.summary,
    ...Object.values(rule.settings).map((setting: { description?: string }) => setting.description),
  ])
  expect(texts.filter((text) => !text || !/^[A-Z].*\.$/.test(text))).toEqual([])
})

test('no two rules have the same title in the OpenAPI document', () => {
  expect(new Set(RULES.map((rule) => rule.title)).size).toBe(RULES.length)
})
