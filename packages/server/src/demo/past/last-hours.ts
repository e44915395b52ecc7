import type { Instant } from '../../core/time/instant.ts'
import type { AgentName } from '../record.ts'
import { AGENT_PLANS } from './mandates.ts'
import type { Move, Stage } from './play.ts'
import type { Purchase } from './spend.ts'
import type { StoryParts } from './story-parts.ts'
import { dayAt, HOUR_MS, MINUTE_MS, SETTLED_AFTER_MS } from './times.ts'

/** Open requests and holds, and budgets at the percentages of the plan. */
export function planLastHours(parts: StoryParts): Move[] {
  const { gateway, agents } = parts
  const { startedAt } = gateway
  // Some seconds more, because nothing happens at full minutes only.
  const ago = (ms: number): Instant => startedAt - ms - ((ms / 1_000) % 53) * 997 - 1_613
  const once = (at: Instant, run: (stage: Stage) => Promise<unknown>): Move => ({
    at,
    run: async (stage) => {
      await run(stage)
    },
  })
  const hotel = { vendor: 'scandichotels.com', category: 'travel' } as const
  const software = { vendor: 'github.com', category: 'software' } as const
  const server = { vendor: 'hetzner.com', category: 'cloud_data' } as const
  return [
    once(ago(24 * HOUR_MS - 11 * MINUTE_MS), () =>
      agents.spend('travel', { ...hotel, amount: 540, reason: 'Team week in Malmö, two rooms' }),
    ),
    once(dayAt(startedAt, 1, 13), () => fill(parts, 'ops', { ...server, amount: 45 })),
    once(dayAt(startedAt, 1, 15), () =>
      agents.spend('ops', { ...server, amount: 19, reason: 'Load balancer' }),
    ),
    once(ago(6 * HOUR_MS), () => agents.swipe('ops', 'github', 21)),
    once(ago(5 * HOUR_MS), () =>
      agents.spend('travel', { ...hotel, amount: 615, reason: 'Hotel for the annual meeting' }),
    ),
    once(ago(3 * HOUR_MS), () =>
      agents.spend('travel', {
        ...{ vendor: 'sas.se', category: 'travel', amount: 268, reason: 'Flight to Helsinki' },
        hold: { expiresIn: '2d' },
      }),
    ),
    once(ago(2 * HOUR_MS), () => agents.swipe('travel', 'scandic', 164)),
    once(ago(90 * MINUTE_MS), async (stage) => {
      await agents.pay(0.35, 'forecast/stockholm')
      stage.later(SETTLED_AFTER_MS, stage.round)
    }),
    once(ago(75 * MINUTE_MS), () =>
      fill(parts, 'travel', { vendor: 'sj.se', category: 'travel', amount: 320 }),
    ),
    once(ago(50 * MINUTE_MS), () =>
      agents.spend('research', {
        ...{ vendor: 'api.anthropic.com', category: 'llm', amount: 55 },
        reason: 'Read all tenders of the quarter again',
      }),
    ),
    once(ago(40 * MINUTE_MS), () =>
      fill(parts, 'research', { vendor: 'api.openai.com', category: 'llm', amount: 36 }),
    ),
    once(ago(20 * MINUTE_MS), () =>
      agents.spend('ops', { ...software, amount: 23, reason: 'Two more seats' }),
    ),
    once(ago(9 * MINUTE_MS), () =>
      agents.spend('travel', { ...hotel, amount: 432, reason: 'Customer visit in Oslo' }),
    ),
    once(ago(2 * MINUTE_MS), () =>
      agents.spend('research', {
        ...{ vendor: 'seo.contentmill.example', category: 'data', amount: 4.2 },
        reason: 'Keyword list',
      }),
    ),
  ]
}

/** Spends until the budget is used as far as the plan says, in pieces of at most this amount. */
async function fill(
  { agents, operator, record }: StoryParts,
  agent: AgentName,
  piece: Purchase,
): Promise<void> {
  const { budgetTotal, percentUsed } = AGENT_PLANS[agent]
  const { budgetSpent } = await operator.get(`/mandates/${record.agents[agent].mandateId}`)
  let left = Math.round(((budgetTotal * percentUsed) / 100) * 100 - budgetSpent * 100)
  for (let number = 1; left > 0; number++) {
    const cents = Math.min(left, piece.amount * 100)
    const reference = `statement-${number}`
    await agents.spend(agent, { ...piece, amount: cents / 100, reference })
    left -= cents
  }
}
