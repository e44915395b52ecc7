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
        'The agent has never paid this vendor, or a person approved a smaller amount there and no spend has been settled yet.',
      action:
        'Choose a vendor that the agent has paid before, or ask a person. With the effect `require_approval`, the gateway asks, and an approval makes the vendor known up to the approved amount. A person can also replace this rule with a `vendors` rule that allows the vendor.',
      repeat: 'after_change',
    },
  }),
  payee_mismatch: sharedCodes.payee_mismatch,
}

/**
 * Fails for a vendor that the agent has never paid before: a person decides about the first payment.
 */
export const newVendor = defineRule({
  type: 'new_vendor',
  title: 'NewVendorRule',
  summary: 'Stops the first spend of an agent at a vendor.',
  effects: ['reject', 'require_approval', 'flag'],
  settings: {},
  codes,
  examples: [
    {
      says: 'The first spend at a vendor passes and is flagged. After that, the vendor is known.',
      rule: { effect: 'flag' },
    },
    { says: 'A person must approve every new vendor.', rule: { effect: 'require_approval' } },
  ],
  notes: [
    'Vendors are known per agent: a purchase by one agent does not make the vendor known to other agents.',
    'A vendor becomes known when a spend there is settled, or when a person approves a spend that this rule asked about. A hold alone does not make it known.',
    'An approval makes the vendor known up to the approved amount: the `maxAmount` of the answer, or otherwise the requested amount. Until a spend is settled there, a larger spend needs a new approval. If there are several answers, the last one counts.',
    'With the effect `reject` (the default), a new vendor never becomes known: its first spend is rejected each time.',
    'To let vendors become known, use the effect `require_approval`, or start with `flag` and change it later. To list the vendors yourself, use the rule [`vendors`](#vendors) instead.',
    'Incremental card authorizations always pass this rule, with one exception: if a person approved the vendor up to an amount and no spend has been settled there yet, the new total must not exceed that amount.',
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
          const message = `No spend at ${vendor} has been settled yet, and a person approved at most ${showMoney(approved, currency)} there.`
          return fail(codes.new_vendor, toUnits(spent), toUnits(approved), message)
        }
        if (isIncrement(spend)) return pass(null, null, 'The purchase is already approved.')
        const daysKnown = Math.max(0, Math.floor((now - usage.vendor.firstAt) / DAY_MS))
        return pass(daysKnown, null, 'The vendor is known to the agent.')
      },
      amountMax({ spend, usage }) {
        const approved = approvedAt(usage.vendor)
        return approved === null ? MICROS_MAX : roomUpTo(approved, spend)
      },
    }
  },
})
