import type { Answer } from '../caller.ts'
import type { AgentName } from '../record.ts'
import type { DemoPeople } from './people.ts'
import type { Move, Stage } from './play.ts'
import type { Purchase } from './spend.ts'
import type { StoryParts } from './story-parts.ts'
import { dayAt, HOUR_MS, MINUTE_MS } from './times.ts'

/** The ops runner may buy at a new vendor once a person has approved it. */
export function planFirstVendors({ gateway, agents, people }: StoryParts): Move[] {
  const at = (hour: number) => dayAt(gateway.startedAt, 29, hour)
  const first = (hour: number, purchase: Purchase): Move => ({
    at: at(hour),
    run: async (stage) => {
      const asked = await agents.spend('ops', purchase)
      answerLater(stage, people, asked, 20 * MINUTE_MS, { decision: 'approve' }, (approvalId) =>
        agents.spend('ops', { ...purchase, approvalId }),
      )
    },
  })
  const toner = [{ name: 'Toner', quantity: 1, unitMinor: 2_410 }]
  return [
    first(7, { amount: 12, vendor: 'github.com', category: 'software', reason: 'Build minutes' }),
    first(7.2, { amount: 21.5, vendor: 'hetzner.com', category: 'cloud_data', reason: 'Servers' }),
    first(7.4, {
      amount: 18,
      vendor: 'gandi.net',
      category: 'domains',
      reference: 'lindqvist.example',
    }),
    {
      at: at(8),
      run: async (stage) => {
        const asked = await agents.order(toner)
        const answer = { decision: 'approve', comment: 'We buy our supplies there.' }
        answerLater(stage, people, asked, 15 * MINUTE_MS, answer, (approvalId) =>
          agents.order(toner, { approvalId }),
        )
      },
    },
  ]
}

/** Bo signs in and answers; then the agent sends its spend again. */
function answerLater(
  stage: Stage,
  people: DemoPeople,
  asked: Answer,
  ms: number,
  answer: object,
  again?: (approvalId: string) => Promise<unknown>,
): void {
  const approvalId = asked.evaluationDetails.approval?.id
  if (approvalId === undefined) return
  stage.later(ms, async () => {
    const bo = await people.bo()
    await bo.post(`/approvals/${approvalId}/decision`, answer)
    await again?.(approvalId)
  })
}

/** Requests that a person approved, approved for less, rejected, or did not answer in time. */
export function planApprovals({ gateway, agents, people }: StoryParts): Move[] {
  const { startedAt } = gateway
  const ask = (
    daysAgo: number,
    agent: AgentName,
    purchase: Purchase,
    answer?: { readonly decision: string; readonly comment?: string; readonly maxAmount?: number },
  ): Move => ({
    at: dayAt(startedAt, daysAgo, 8.5),
    run: async (stage) => {
      const asked = await agents.spend(agent, purchase)
      if (!answer) return stage.later(4 * HOUR_MS + MINUTE_MS, stage.round)
      const amount = answer.maxAmount ?? purchase.amount
      const again = (approvalId: string) => agents.spend(agent, { ...purchase, amount, approvalId })
      const isYes = answer.decision === 'approve'
      answerLater(stage, people, asked, 35 * MINUTE_MS, answer, isYes ? again : undefined)
    },
  })
  const at = { category: 'travel' } as const
  return [
    ask(
      24,
      'travel',
      { ...at, amount: 460, vendor: 'scandichotels.com', reason: 'Four nights, trade fair' },
      { decision: 'approve', comment: 'Agreed with the sales team.' },
    ),
    ask(
      19,
      'travel',
      { ...at, amount: 720, vendor: 'sas.se', reason: 'Business class to Berlin' },
      { decision: 'reject', comment: 'Economy, please.' },
    ),
    ask(
      13,
      'travel',
      { ...at, amount: 640, vendor: 'scandichotels.com', reason: 'Offsite, five rooms' },
      { decision: 'approve', comment: 'Three rooms are enough.', maxAmount: 410 },
    ),
    ask(
      9,
      'research',
      { amount: 46, vendor: 'api.openai.com', category: 'llm', reason: 'Batch of 9,000 tenders' },
      { decision: 'approve' },
    ),
    ask(6, 'research', {
      ...{ amount: 52, vendor: 'papers.openshelf.example', category: 'papers' },
      reason: 'Yearly subscription',
    }),
  ]
}
