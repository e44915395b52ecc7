import type { Instant } from '../../core/time/instant.ts'
import { addressesAt } from '../places.ts'
import { AGENT_PLANS } from './mandates.ts'
import { BO } from './people.ts'
import type { Move } from './play.ts'
import type { StoryParts } from './story-parts.ts'
import { dayAt, HOUR_MS, MINUTE_MS, webhookFrom } from './times.ts'

/** Changes that people make: a stop of all spending, a paused agent, a new version of a mandate. */
export function planChanges({ gateway, agents, people, record }: StoryParts): Move[] {
  const { startedAt } = gateway
  const { research, ops, travel } = record.agents
  const model = { vendor: 'api.anthropic.com', category: 'llm' } as const
  return [
    {
      at: dayAt(startedAt, 20, 7),
      run: async () => {
        const ada = await people.ada()
        // The sales team travels less from now on.
        const rules = AGENT_PLANS.travel.rules.map((rule) =>
          'window' in rule ? { ...rule, maxAmount: 2_800 } : rule,
        )
        await ada.patch(`/mandates/${travel.mandateId}`, { rules })
      },
    },
    {
      at: dayAt(startedAt, 12, 13),
      run: async (stage) => {
        const ada = await people.ada()
        await ada.patch('/organization', { frozen: true })
        stage.later(MINUTE_MS, async () => {
          await agents.spend('research', { ...model, amount: 3.2, reason: 'Draft an answer' })
        })
        stage.later(2 * MINUTE_MS, async () => {
          await agents.swipe('travel', 'coffee', 6.5)
        })
        stage.later(4 * MINUTE_MS, async () => {
          await ada.patch('/organization', { frozen: false })
        })
      },
    },
    {
      at: dayAt(startedAt, 8, 8),
      run: async (stage) => {
        const ada = await people.ada()
        await ada.patch(`/agents/${research.id}`, { status: 'paused' })
        stage.later(10 * MINUTE_MS, async () => {
          await agents.spend('research', { ...model, amount: 1.9, reason: 'Retry of a failed job' })
        })
        stage.later(30 * MINUTE_MS, async () => {
          // A change that allows spending needs a recent sign-in.
          const again = await people.ada()
          await again.patch(`/agents/${research.id}`, { status: 'active' })
        })
      },
    },
    {
      at: dayAt(startedAt, 6, 7),
      run: async () => {
        const ada = await people.ada()
        await ada.patch(`/agents/${ops.id}`, { metadata: { owner: BO.email } })
      },
    },
  ]
}

const WEBHOOK_EVENTS = [
  'transaction.approved',
  'transaction.rejected',
  'mandate.budget.warning',
  'mandate.budget.exhausted',
  'approval.requested',
  'approval.decided',
  'transaction.refunded',
]

/** A webhook with a delivery that needed retries and one that failed. */
export function planWebhook({ gateway, agents, people }: StoryParts): Move[] {
  const { startedAt, receiver, config } = gateway
  const model = { vendor: 'api.openai.com', category: 'llm' } as const
  const failing = (at: Instant, times: number, amount: number): Move => ({
    at,
    run: async (stage) => {
      receiver.failNext(times)
      await agents.spend('research', { ...model, amount, reason: 'Answer a customer' })
      await stage.round()
      for (const delayMs of config.webhooks.retryDelaysMs) {
        // Each delay varies by some percent.
        stage.pass(delayMs * 1.25)
        await stage.round()
      }
    },
  })
  return [
    {
      at: webhookFrom(startedAt),
      run: async () => {
        const ada = await people.ada()
        await ada.patch('/organization', {
          webhookUrl: addressesAt(gateway.standInPort).hooks,
          webhookEvents: WEBHOOK_EVENTS,
        })
      },
    },
    failing(dayAt(startedAt, 2, 9.1), 2, 1.85),
    failing(startedAt - 7 * HOUR_MS, 99, 2.35),
  ]
}
