import { Type } from 'typebox'
import { showMoney, toMicros, toUnits } from '../../money.ts'
import { purchaseOf, roomUpTo } from '../../spend.ts'
import { sharedCodes } from '../codes.ts'
import { defineRule } from '../define-rule.ts'
import { widerThanParent } from '../narrowing.ts'
import {
  durationSetting,
  inspectDuration,
  inspectMoney,
  moneySetting,
  WHOLE_PURCHASE_NOTE,
  withExactAmounts,
} from '../settings.ts'
import { fail, pass } from '../verdict.ts'

/** How long a request waits for a person, unless the rule says otherwise. */
export const APPROVAL_EXPIRES_IN_DEFAULT = '30m'

const codes = { approval_required: sharedCodes.approval_required }

/**
 * Asks for approval. The threshold itself still passes: `above: 25` asks from the first micro over
 * 25.
 */
export const approval = defineRule({
  type: 'approval',
  title: 'ApprovalRule',
  summary: 'Requires the approval of a person before a spend.',
  effects: ['require_approval'],

  settings: {
    above: Type.Optional(
      moneySetting('Only larger amounts need approval. Without it, every spend does.'),
    ),
    expiresIn: Type.Optional(
      durationSetting(
        `How long the request waits for an answer: 1 minute to 7 days. Default: ${APPROVAL_EXPIRES_IN_DEFAULT}.`,
        '30m',
      ),
    ),
  },

  codes,
  examples: [
    {
      says: 'A person must approve amounts above 25, and has half an hour to answer.',
      rule: { above: 25, expiresIn: '30m' },
    },
  ],

  notes: [WHOLE_PURCHASE_NOTE],
  narrower:
    '`above` must not exceed the lowest `above` of the parents. A rule of a parent without `above` counts as 0.',

  inspect({ above, expiresIn = APPROVAL_EXPIRES_IN_DEFAULT }) {
    return [
      ...inspectMoney('/above', above),
      ...inspectDuration('/expiresIn', expiresIn, '1m', '7d'),
    ]
  },

  normalize: (rule) => withExactAmounts(rule, ['above']),

  judge({ above }, { currency }) {
    const unasked = above === undefined ? 0n : toMicros(above)
    const asks =
      above === undefined
        ? 'Every spend needs the approval of a person.'
        : `A spend of more than ${showMoney(unasked, currency)} needs the approval of a person.`
    return {
      check({ spend }) {
        const amount = purchaseOf(spend)
        const [observed, limit] = [toUnits(amount), above ?? 0]
        if (amount > unasked) return fail(codes.approval_required, observed, limit, asks)
        return pass(observed, limit, 'The amount needs no approval.')
      },
      amountMax: ({ spend }) => roomUpTo(unasked, spend),
    }
  },

  widerThan({ above }, parents) {
    // A parent without a threshold asks about every spend, as if its threshold were zero.
    const lowest = Math.min(...parents.map((parent) => parent.above ?? 0))
    if (above === undefined || above <= lowest) return []
    const unasked = lowest === 0 ? 'no spend' : `spends of at most ${lowest}`
    return [widerThanParent('/above', `${unasked} without approval`)]
  },
})
