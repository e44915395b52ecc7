import type { RuleInput } from './types.ts'

/**
 * A rule of each kind. It does not compile if a kind is missing, or if the generated types cannot
 * say one of them.
 */
export const EVERY_RULE: {
  readonly [Kind in RuleInput['type']]: Extract<RuleInput, { type: Kind }>
} = {
  paths: { type: 'paths', allow: ['evaluate', 'x402'] },
  vendors: { type: 'vendors', allow: ['*.example.com'], block: ['ads.example.com'] },
  categories: { type: 'categories', allow: ['llm', 'search'] },
  amount: { type: 'amount', id: 'small', effect: 'reject', min: 0.001, max: 50 },
  schedule: {
    type: 'schedule',
    timezone: 'Europe/Berlin',
    windows: [{ days: ['mon', 'fri'], from: '08:00', to: '18:00' }],
  },
  limit: { type: 'limit', maxCount: 60, maxAmount: 100, window: '1h', groupBy: 'vendor' },
  duplicate: { type: 'duplicate', window: '10m', match: ['vendor', 'amount', 'reference'] },
  new_vendor: { type: 'new_vendor', effect: 'flag' },
  price_drift: { type: 'price_drift', maxIncreasePercent: 25, effect: 'flag' },
  expression: { type: 'expression', expr: "!(category == 'search' && amount > money('20'))" },
  approval: { type: 'approval', above: 25, expiresIn: '30m' },
}
