import type { AgentName } from '../record.ts'

/** An agent of the demo and the terms of its mandate. */
export interface AgentPlan {
  readonly name: string
  readonly description: string
  readonly tags: readonly string[]
  readonly budgetTotal: number
  /** The part of the budget that is used at the end of the past, in percent. */
  readonly percentUsed: number
  readonly rules: readonly object[]
}

/**
 * Budgets without a period, so that the past month is part of them on whatever day the demo starts.
 */
export const AGENT_PLANS: Readonly<Record<AgentName, AgentPlan>> = {
  research: {
    name: 'Research agent',
    description: 'Reads papers, prices and weather for the planning team.',
    tags: ['team:planning', 'production'],
    budgetTotal: 1_200,
    percentUsed: 64,
    rules: [
      { type: 'paths', allow: ['evaluate', 'x402'] },
      { type: 'categories', allow: ['llm', 'search', 'data', 'papers'] },
      { type: 'vendors', block: ['*.contentmill.example'] },
      { type: 'amount', max: 60 },
      { type: 'approval', above: 40, expiresIn: '4h' },
      { type: 'limit', maxAmount: 150, window: 'day' },
      { type: 'limit', id: 'per-vendor', maxCount: 400, window: '1h', groupBy: 'vendor' },
      { type: 'duplicate', window: '10m', match: ['vendor', 'amount', 'reference'] },
      { type: 'new_vendor', effect: 'flag' },
    ],
  },
  travel: {
    name: 'Travel booker',
    description: 'Books flights, trains and hotels for the sales team.',
    tags: ['team:sales', 'production'],
    budgetTotal: 6_000,
    percentUsed: 86,
    rules: [
      { type: 'paths', allow: ['evaluate', 'card'] },
      { type: 'categories', allow: ['travel', 'transport', 'restaurants'] },
      { type: 'amount', max: 900 },
      { type: 'approval', above: 400, expiresIn: '24h' },
      { type: 'limit', maxAmount: 3_000, window: '7d' },
      { type: 'new_vendor', effect: 'flag' },
      { type: 'price_drift', maxIncreasePercent: 100, effect: 'flag' },
    ],
  },
  ops: {
    name: 'Ops runner',
    description: 'Renews software, domains and office supplies.',
    tags: ['team:operations'],
    budgetTotal: 800,
    percentUsed: 100,
    rules: [
      { type: 'paths', allow: ['evaluate', 'card', 'acp'] },
      { type: 'categories', block: ['gambling', 'gift_cards'] },
      { type: 'amount', max: 120 },
      { type: 'amount', id: 'large', max: 70, effect: 'flag' },
      { type: 'limit', maxAmount: 400, window: '30d', groupBy: 'vendor' },
      { type: 'limit', id: 'domains', maxCount: 2, window: '30d', match: { category: 'domains' } },
      { type: 'schedule', windows: [{ from: '05:00', to: '22:00' }] },
      { type: 'duplicate', window: '1d', match: ['vendor', 'amount', 'reference'] },
      { type: 'new_vendor', effect: 'require_approval' },
      {
        type: 'expression',
        expr: "!(local.weekday in ['sat', 'sun']) || amount <= money('50')",
      },
    ],
  },
}
