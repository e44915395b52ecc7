import { Type } from 'typebox'
import { defineRule } from '../rule.ts'
import { aboveParent } from '../rule-narrowing.ts'

/** Catches the vendor who was cheap when it was chosen. */
export const priceDrift = defineRule({
  type: 'price_drift',
  title: 'PriceDriftRule',
  summary: 'Stops a spend that costs much more than the last one of its kind.',
  effects: ['reject', 'require_approval', 'flag'],

  settings: {
    maxIncreasePercent: Type.Number({
      minimum: 0,
      maximum: 10_000,
      description: 'How far above the last price a spend still passes. 0 permits no increase.',
      examples: [25],
    }),
  },

  inspect({ maxIncreasePercent }) {
    // Two decimals keep the comparison in whole numbers, where it is exact.
    if (Math.round(maxIncreasePercent * 100) / 100 === maxIncreasePercent) return []
    const message = 'must have at most two decimals'
    return [{ path: '/maxIncreasePercent', code: 'invalid_percentage', message }]
  },

  widerThan({ maxIncreasePercent }, parents) {
    const stated = parents.map((parent) => parent.maxIncreasePercent)
    return aboveParent('/maxIncreasePercent', maxIncreasePercent, stated)
  },
})
