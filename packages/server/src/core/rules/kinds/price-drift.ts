import { Type } from 'typebox'
import { approvedAt, type VendorHistory } from '../../counters/usage.ts'
import { MICROS_MAX, type Micros, showMoney, toUnits } from '../../money.ts'
import { purchaseOf, roomUpTo } from '../../spend.ts'
import { defineCodes, sharedCodes } from '../codes.ts'
import { defineRule } from '../define-rule.ts'
import { aboveParent } from '../narrowing.ts'
import { HISTORY_NOTE, WHOLE_PURCHASE_NOTE } from '../settings.ts'
import { fail, pass } from '../verdict.ts'

const codes = {
  ...defineCodes({
    price_drift: {
      meaning: 'The amount is too far above the last price at this vendor.',
      action: 'Ask for at most `next.maxAmountNow`, or tell a person about the new price.',
      repeat: 'no',
    },
  }),
  payee_mismatch: sharedCodes.payee_mismatch,
}

/** Catches a vendor that becomes expensive after the agent chose it. */
export const priceDrift = defineRule({
  type: 'price_drift',
  title: 'PriceDriftRule',
  summary: 'Stops a spend that costs much more than the last one at the vendor.',
  effects: ['reject', 'require_approval', 'flag'],

  settings: {
    maxIncreasePercent: Type.Number({
      minimum: 0,
      maximum: 10_000,
      description:
        'The largest increase over the last price that passes, in percent. 0 allows no increase.',
      examples: [25],
    }),
  },

  codes,
  examples: [
    {
      says: 'Flags a price that is more than a quarter above the last one.',
      rule: { maxIncreasePercent: 25, effect: 'flag' },
    },
  ],

  notes: [
    'The last price is the amount that the same agent last settled at the vendor, in any category and under any of its mandates. Before the first settled spend, it is the amount that a person approved when [`new_vendor`](#new_vendor) asked. Without either, the first spend at a vendor passes.',
    WHOLE_PURCHASE_NOTE,
    HISTORY_NOTE,
  ],
  narrower: '`maxIncreasePercent` must not exceed the lowest of the parents.',

  inspect({ maxIncreasePercent }) {
    // Two decimals keep the comparison in whole numbers, where it is exact.
    if (Math.round(maxIncreasePercent * 100) / 100 === maxIncreasePercent) return []
    const message = 'must have at most two decimals'
    return [{ path: '/maxIncreasePercent', code: 'invalid_percentage', message }]
  },

  judge({ maxIncreasePercent }, { currency }) {
    // In hundredths of a percent, so that the comparison is exact.
    const allowed = 10_000n + BigInt(Math.round(maxIncreasePercent * 100))
    const mostAfter = (last: Micros): Micros => (last * allowed) / 10_000n
    return {
      needsVendorHistory: true,
      readsVendor: () => true,
      check({ spend, usage }) {
        const price = purchaseOf(spend)
        const observed = toUnits(price)
        // The first price is not an increase. A mandate that is concerned about new vendors has a
        // rule for them.
        const known = priceAt(usage.vendor)
        if (known === null)
          return pass(observed, null, 'There is no earlier price to compare with.')
        const most = mostAfter(known)
        if (price <= most) {
          return pass(observed, toUnits(most), 'The price is within the allowed increase.')
        }
        const last = showMoney(known, currency)
        const told =
          approvedAt(usage.vendor) === null
            ? `The last price at ${spend.vendor} was ${last}`
            : `A person approved ${last} at ${spend.vendor}`
        const message = `${told}; ${observed} is more than ${maxIncreasePercent} % above it.`
        return fail(codes.price_drift, observed, toUnits(most), message)
      },
      amountMax({ spend, usage }) {
        const known = priceAt(usage.vendor)
        return known === null ? MICROS_MAX : roomUpTo(mostAfter(known), spend)
      },
    }
  },

  widerThan({ maxIncreasePercent }, parents) {
    const stated = parents.map((parent) => parent.maxIncreasePercent)
    return aboveParent('/maxIncreasePercent', maxIncreasePercent, stated)
  },
})

/** The price that a spend is compared with. */
function priceAt(vendor: VendorHistory | undefined): Micros | null {
  return vendor?.lastAmount ?? approvedAt(vendor)
}
