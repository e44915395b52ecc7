import { defineCodes } from '../codes.ts'
import { defineRule } from '../define-rule.ts'
import { HISTORY_NOTE } from '../settings.ts'
import { fail, pass } from '../verdict.ts'

const DAY_MS = 86_400_000

const codes = defineCodes({
  new_vendor: {
    meaning: 'The agent has never spent at this vendor.',
    action: 'Ask a person about the vendor, or choose one at which the agent has spent before.',
    repeat: 'after_change',
  },
})

/** Fails for a vendor that the agent has never paid before: the first time is a person's call. */
export const newVendor = defineRule({
  type: 'new_vendor',
  title: 'NewVendorRule',
  summary: 'Stops the first spend with a vendor.',
  effects: ['reject', 'require_approval', 'flag'],
  settings: {},
  codes,
  examples: [
    { says: 'A person is asked about every new vendor.', rule: { effect: 'require_approval' } },
  ],
  notes: [HISTORY_NOTE],

  inspect: () => [],

  judge() {
    return {
      needsVendorHistory: true,
      check({ spend: { vendor }, usage, now }) {
        if (!usage.vendor) {
          const message = `This would be the first spend at ${vendor}.`
          return fail(codes.new_vendor, null, null, message)
        }
        const daysKnown = Math.max(0, Math.floor((now - usage.vendor.firstAt) / DAY_MS))
        return pass(daysKnown, null, 'The vendor is known from earlier spends.')
      },
    }
  },
})
