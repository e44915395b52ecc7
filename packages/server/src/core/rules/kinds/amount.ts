import { Type } from 'typebox'
import { MICROS_MAX, showMoney, toMicros, toUnits } from '../../money.ts'
import { purchaseOf, roomUpTo } from '../../spend.ts'
import { defineCodes } from '../codes.ts'
import { defineRule } from '../define-rule.ts'
import { aboveParent, widerThanParent } from '../narrowing.ts'
import { inspectMoney, moneySetting, WHOLE_PURCHASE_NOTE, withExactAmounts } from '../settings.ts'
import { fail, pass } from '../verdict.ts'

const codes = defineCodes({
  amount_below_min: {
    meaning: 'The amount is below the minimum for a single spend.',
    action: 'Spend at least the `limit` of the finding, or do not spend.',
    repeat: 'no',
  },
  amount_above_max: {
    meaning: 'The amount is above the maximum for a single spend.',
    action: 'Ask for at most `next.maxAmountNow`.',
    repeat: 'no',
  },
})

/** Bounds a single spend. Both bounds are inclusive: a maximum of 50 permits a spend of 50. */
export const amount = defineRule({
  type: 'amount',
  title: 'AmountRule',
  summary: 'Sets a minimum or a maximum for the amount of a single spend.',
  effects: ['reject', 'require_approval', 'flag'],

  settings: {
    min: Type.Optional(moneySetting('The smallest amount that passes.')),
    max: Type.Optional(moneySetting('The largest amount that passes.')),
  },

  codes,
  examples: [{ says: 'Amounts from a tenth of a cent to 50 pass.', rule: { min: 0.001, max: 50 } }],

  notes: [
    'At least one of `min` and `max` is required. An amount equal to a bound passes.',
    WHOLE_PURCHASE_NOTE,
  ],
  narrower:
    '`max` must not exceed the lowest `max` of the parents, and `min` must not be below their highest `min`.',

  inspect({ min, max }) {
    const errors = [...inspectMoney('/min', min), ...inspectMoney('/max', max)]
    if (min === undefined && max === undefined) {
      errors.push({ path: '', code: 'incomplete_rule', message: 'must state `min`, `max` or both' })
    }
    const isComparable = errors.length === 0 && min !== undefined && max !== undefined
    if (isComparable && toMicros(min) > toMicros(max)) {
      const message = `must not be above \`max\`, which is ${max}`
      errors.push({ path: '/min', code: 'min_above_max', message })
    }
    return errors
  },

  normalize: (rule) => withExactAmounts(rule, ['min', 'max']),

  judge({ min, max }, { currency }) {
    const least = min === undefined ? 0n : toMicros(min)
    const most = max === undefined ? MICROS_MAX : toMicros(max)
    const limit = max ?? min ?? null
    return {
      check({ spend }) {
        const spent = purchaseOf(spend)
        if (spent < least) {
          const message = `${showMoney(spent, currency)} is below the minimum of ${showMoney(least, currency)}.`
          return fail(codes.amount_below_min, toUnits(spent), toUnits(least), message)
        }
        if (spent > most) {
          const message = `${showMoney(spent, currency)} is above the maximum of ${showMoney(most, currency)}.`
          return fail(codes.amount_above_max, toUnits(spent), toUnits(most), message)
        }
        return pass(toUnits(spent), limit, 'The amount is within its bounds.')
      },
      amountMax: ({ spend }) => roomUpTo(most, spend),
    }
  },

  widerThan({ min, max }, parents) {
    const highestMin = Math.max(...parents.map((parent) => parent.min ?? 0))
    return [
      ...aboveParent(
        '/max',
        max,
        parents.map((parent) => parent.max),
      ),
      ...(min !== undefined && min < highestMin
        ? [widerThanParent('/min', `at least ${highestMin}`)]
        : []),
    ]
  },
})
