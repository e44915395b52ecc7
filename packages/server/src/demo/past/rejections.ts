import type { AgentName } from '../record.ts'
import type { Move } from './play.ts'
import type { Purchase } from './spend.ts'
import type { StoryParts } from './story-parts.ts'
import { dayAt, MINUTE_MS } from './times.ts'

/** Direct spends that rules reject: days ago, the hour, the agent and its spend. */
const SPENDS: readonly (readonly [number, number, AgentName, Purchase])[] = [
  [
    28,
    9,
    'research',
    { amount: 75, vendor: 'api.openai.com', category: 'llm', reason: 'Fine-tuning run' },
  ],
  [27, 11, 'research', { amount: 9, vendor: 'seo.contentmill.example', category: 'data' }],
  [
    26,
    13,
    'research',
    {
      amount: 19,
      vendor: 'store.steampowered.com',
      category: 'games',
      reason: 'Reward for the team',
    },
  ],
  [
    25,
    8,
    'travel',
    { amount: 1_240, vendor: 'sas.se', category: 'travel', reason: 'Flight to New York' },
  ],
  [
    24,
    22.5,
    'ops',
    { amount: 14, vendor: 'hetzner.com', category: 'cloud_data', reason: 'Nightly backup' },
  ],
  [
    23,
    10,
    'ops',
    {
      amount: 16,
      vendor: 'gandi.net',
      category: 'domains',
      reference: 'lindqvist-press.example',
    },
  ],
  [22, 9, 'travel', { amount: 210, vendor: 'sas.se', category: 'travel', currency: 'EUR' }],
  [
    21,
    14,
    'ops',
    { amount: 17, vendor: 'gandi.net', category: 'domains', reference: 'lindqvist-jobs.example' },
  ],
  [
    20,
    12,
    'ops',
    { amount: 50, vendor: 'hetzner.com', category: 'gift_cards', reason: 'Vouchers' },
  ],
  [
    18,
    9,
    'ops',
    { amount: 180, vendor: 'github.com', category: 'software', reason: 'Larger runners' },
  ],
  [
    15,
    15,
    'research',
    { amount: 62, vendor: 'api.anthropic.com', category: 'llm', reason: 'Batch of contracts' },
  ],
  [
    11,
    9,
    'travel',
    { amount: 88, vendor: 'tivoli.dk', category: 'entertainment', reason: 'Team evening' },
  ],
  [7, 11, 'research', { amount: 24, vendor: 'ads.contentmill.example', category: 'data' }],
  [
    5,
    13,
    'ops',
    { amount: 17, vendor: 'gandi.net', category: 'domains', reference: 'lindqvist-blog.example' },
  ],
  [
    2,
    22.2,
    'ops',
    { amount: 8, vendor: 'hetzner.com', category: 'cloud_data', reason: 'Nightly backup' },
  ],
]

/** Spends that rules reject, on all paths. */
export function planRejections({ gateway, agents }: StoryParts): Move[] {
  const { startedAt } = gateway
  const twice = { amount: 11.4, vendor: 'api.openai.com', category: 'llm', reference: 'report-42' }
  return [
    ...SPENDS.map(([daysAgo, hour, agent, purchase]) => ({
      at: dayAt(startedAt, daysAgo, hour),
      run: async () => {
        await agents.spend(agent, purchase)
      },
    })),
    ...[0, 2, 4].map((minutes) => ({
      at: dayAt(startedAt, 13, 10) + minutes * MINUTE_MS,
      run: async () => {
        await agents.spend('research', { ...twice, reason: 'Weekly report' })
      },
    })),
    ...[17, 4].map((daysAgo) => ({
      at: dayAt(startedAt, daysAgo, 19.5),
      run: async () => {
        await agents.swipe('travel', 'casino', 60)
      },
    })),
    {
      at: dayAt(startedAt, 10, 9),
      run: async () => {
        const lines = [{ name: 'Standing desk', quantity: 1, unitMinor: 34_900 }]
        await agents.order(lines, { reason: 'Desk for the new office' })
      },
    },
    {
      at: dayAt(startedAt, 9, 9),
      run: async () => {
        await agents.order([{ name: 'Toner', quantity: 1, unitMinor: 2_900 }], {}, true)
      },
    },
  ]
}
