import { approvedAt } from '../../counters/usage.ts'
import { MICROS_MAX, showMoney, toUnits } from '../../money.ts'
import { isIncrement, purchaseOf, roomUpTo } from '../../spend.ts'
import { defineCodes, sharedCodes } from '../codes.ts'
import { defineRule } from '../define-rule.ts'
import { HISTORY_NOTE } from '../settings.ts'
import { fail, pass } from '../verdict.ts'

const DAY_MS = 86_400_000

const codes = {
  ...defineCodes({
    new_vendor: {
      meaning:
        'The agent has never spent at this vendor; or a person has approved a smaller amount there, and nothing is settled yet.',
      action:
        'Choose a vendor at which the agent has spent before, or ask a person. With the effect `require_approval` they are asked, and their yes makes the vendor known up to the amount that they approved. They can also put a `vendors` rule that allows the vendor in the place of this one.',
      repeat: 'after_change',
    },
  }),
  payee_mismatch: sharedCodes.payee_mismatch,
}

/** Fails for a vendor that the agent has never paid before: the first time is a person's call. */
export const newVendor = defineRule({
  type: 'new_vendor',
  title: 'NewVendorRule',
  summary: 'Stops the first spend of an agent with a vendor.',
  effects: ['reject', 'require_approval', 'flag'],
  settings: {},
  codes,
  examples: [
    {
      says: 'The first spend at a vendor passes and is flagged; from then on the vendor is known.',
      rule: { effect: 'flag' },
    },
    { says: 'A person is asked about every new vendor.', rule: { effect: 'require_approval' } },
  ],
  notes: [
    'Vendors are known per agent: what one agent has bought does not make the vendor known to another.',
    'A vendor becomes known when a spend at it is settled, or when a person approves a spend that this rule asked about. A hold alone does not do it.',
    'An approval makes the vendor known up to what was approved: the `maxAmount` of the answer, else the amount that was asked for. Until something is settled there, a larger spend asks again. Of several answers, the last one counts.',
    'With the effect `reject`, which is the default, a new vendor never becomes known: its first spend is rejected each time.',
    'To let vendors become known, use the effect `require_approval`, or begin with `flag` and change it later. To name the vendors yourself, use the rule [`vendors`](#vendors) instead.',
    'More that a card asks for a purchase that is already approved passes. Where a person has approved the vendor up to an amount and nothing is settled there yet, the whole purchase is compared with that amount.',
    HISTORY_NOTE,
  ],

  inspect: () => [],

  judge(_, { currency }) {
    return {
      needsVendorHistory: true,
      readsVendor: () => true,
      check({ spend, usage, now }) {
        const { vendor } = spend
        if (!usage.vendor && isIncrement(spend)) {
          return pass(null, null, 'The purchase is already approved.')
        }
        if (!usage.vendor) {
          const message = `This would be the first spend at ${vendor}.`
          return fail(codes.new_vendor, null, null, message)
        }
        const approved = approvedAt(usage.vendor)
        const spent = purchaseOf(spend)
        if (approved !== null && spent > approved) {
          const message = `Nothing is settled at ${vendor} yet, and a person approved at most ${showMoney(approved, currency)} there.`
          return fail(codes.new_vendor, toUnits(spent), toUnits(approved), message)
        }
        if (isIncrement(spend)) return pass(null, null, 'The purchase is already approved.')
        const daysKnown = Math.max(0, Math.floor((now - usage.vendor.firstAt) / DAY_MS))
        return pass(daysKnown, null, 'The agent knows the vendor already.')
      },
      amountMax({ spend, usage }) {
        const approved = approvedAt(usage.vendor)
        return approved === null ? MICROS_MAX : roomUpTo(approved, spend)
      },
    }
  },
})
