import assert from 'node:assert/strict'
import { Type } from 'typebox'
import type { FieldError } from '../../errors.ts'
import { toCategory } from '../category.ts'
import { PATH_NAMES } from '../path.ts'
import { defineRule, type SettingsOf } from '../rule.ts'
import { aboveParent } from '../rule-narrowing.ts'
import { inspectCategory, inspectMoney, inspectVendor, moneySetting } from '../rule-setting.ts'
import { toVendorPattern } from '../vendor.ts'
import { parseWindow } from '../window.ts'

const settings = {
  maxCount: Type.Optional(
    Type.Integer({
      minimum: 1,
      maximum: 1_000_000,
      description: 'The most spends within the window.',
      examples: [60],
    }),
  ),
  maxAmount: Type.Optional(moneySetting('The most that is spent within the window.')),
  window: Type.String({
    pattern: '^(?:[1-9][0-9]{0,6}[smhd]|hour|day|week|month|period)$',
    description:
      'Rolling (`90s`, `10m`, `1h`, `30d`; 10 s to 90 days), a calendar window in the zone of the ' +
      'mandate (`hour`, `day`, `week`, `month`), or the `period` of its budget.',
    examples: ['1h', 'day', 'period'],
  }),
  groupBy: Type.Optional(
    Type.Enum(['vendor', 'category'], {
      type: 'string',
      description: 'Counts every vendor, or every category, for itself.',
    }),
  ),
  match: Type.Optional(
    Type.Object(
      {
        vendor: Type.Optional(
          Type.String({
            minLength: 1,
            maxLength: 2_048,
            description: 'A host, or `*.` and a name.',
          }),
        ),
        category: Type.Optional(Type.String({ minLength: 1, maxLength: 64 })),
        path: Type.Optional(Type.Enum([...PATH_NAMES], { type: 'string' })),
      },
      {
        additionalProperties: false,
        minProperties: 1,
        description: 'Counts, and limits, only the spends that have all of these.',
        examples: [{ category: 'search' }],
      },
    ),
  ),
}

type Limit = SettingsOf<typeof settings>

/**
 * Bounds how often and how much is spent over time. Only approved spends count: an agent that keeps
 * trying a purchase it may not make is not locked out of the smaller one it tries next.
 */
export const limit = defineRule({
  type: 'limit',
  title: 'LimitRule',
  summary: 'Limits the number or the sum of spends within a window of time.',
  effects: ['reject', 'require_approval', 'flag'],
  settings,

  inspect({ maxCount, maxAmount, window, match }) {
    const errors = [...inspectMoney('/maxAmount', maxAmount), ...inspectMatch(match)]
    if (maxCount === undefined && maxAmount === undefined) {
      const message = 'must state `maxCount`, `maxAmount` or both'
      errors.push({ path: '', code: 'incomplete_rule', message })
    }
    if (!parseWindow(window)) {
      const message = 'must be between 10s and 90d'
      errors.push({ path: '/window', code: 'out_of_range', message })
    }
    return errors
  },

  normalize(rule) {
    return rule.match ? { ...rule, match: normalizeMatch(rule.match) } : rule
  },

  // Limits that count different things cannot be compared; both are judged on every spend.
  widerThan(child, parents) {
    const alike = parents.filter((parent) => countedBy(parent) === countedBy(child))
    return [
      ...aboveParent(
        '/maxCount',
        child.maxCount,
        alike.map((parent) => parent.maxCount),
      ),
      ...aboveParent(
        '/maxAmount',
        child.maxAmount,
        alike.map((parent) => parent.maxAmount),
      ),
    ]
  },
})

function inspectMatch(match: Limit['match']): FieldError[] {
  return [
    ...(match?.vendor === undefined ? [] : inspectVendor('/match/vendor', match.vendor)),
    ...(match?.category === undefined ? [] : inspectCategory('/match/category', match.category)),
  ]
}

function normalizeMatch(match: NonNullable<Limit['match']>): NonNullable<Limit['match']> {
  const { vendor, category } = match
  return {
    ...match,
    ...(vendor !== undefined && { vendor: toPattern(vendor) }),
    ...(category !== undefined && { category: toCategory(category) ?? category }),
  }
}

function toPattern(text: string): string {
  const result = toVendorPattern(text)
  assert('pattern' in result, 'a limit is normalized after it was inspected')
  return result.pattern
}

/** What a limit counts, as a text that is the same for two limits exactly when they count the same. */
function countedBy({ window, groupBy, match }: Limit): string {
  const parsed = parseWindow(window)
  // `60m` and `1h` are one window.
  const length = parsed?.kind === 'rolling' ? parsed.ms : window
  return JSON.stringify([length, groupBy, match?.vendor, match?.category, match?.path])
}
