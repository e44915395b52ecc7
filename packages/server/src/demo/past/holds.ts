import type { Move } from './play.ts'
import type { Purchase } from './spend.ts'
import type { StoryParts } from './story-parts.ts'
import { dayAt, HOUR_MS, MINUTE_MS } from './times.ts'

/** Holds that end in every way but the usual one, and refunds. */
export function planHolds({ gateway, agents, operator, record }: StoryParts): Move[] {
  const { startedAt } = gateway
  const hold = (amount: number, vendor: string, expiresIn: string, reason: string): Purchase => ({
    ...{ amount, vendor, category: 'travel', reason, hold: { expiresIn } },
  })
  return [
    {
      at: dayAt(startedAt, 19, 9),
      run: async (stage) => {
        const purchase = hold(230, 'sas.se', '1d', 'Flight for a customer visit')
        const { transactionId } = await agents.spend('travel', purchase)
        stage.later(50 * MINUTE_MS, async () => {
          await agents.void('travel', transactionId)
        })
      },
    },
    {
      at: dayAt(startedAt, 16, 9),
      run: async (stage) => {
        await agents.spend('travel', hold(145, 'sj.se', '2h', 'Train to the fair'))
        // A budget that is shown has no overdue holds in it, so reading it releases this one.
        stage.later(2 * HOUR_MS + MINUTE_MS, async () => {
          await operator.get(`/mandates/${record.agents.travel.mandateId}`)
        })
      },
    },
    {
      at: dayAt(startedAt, 14, 12),
      run: async (stage) => {
        await agents.pay(0.4, 'history/baltic', false)
        // The vendor never took the payment, and it has expired on the chain.
        stage.later(3 * MINUTE_MS, stage.round)
      },
    },
    {
      at: dayAt(startedAt, 12, 8),
      run: async (stage) => {
        const bill = {
          amount: 39,
          vendor: 'hetzner.com',
          category: 'cloud_data',
          reference: 'invoice-388',
        }
        const { transactionId } = await agents.spend('ops', bill)
        stage.later(20 * HOUR_MS, async () => {
          await operator.post(`/transactions/${transactionId}/refund`, { amount: 14 })
        })
      },
    },
    {
      at: dayAt(startedAt, 8, 11),
      run: async (stage) => {
        const { authorizationId } = await agents.swipe('travel', 'scandic', 190)
        stage.later(6 * HOUR_MS, () =>
          agents.cardEvent(authorizationId, { type: 'capture', amount: 190, final: true }),
        )
        stage.later(30 * HOUR_MS, () =>
          agents.cardEvent(authorizationId, { type: 'refund', amount: 95 }),
        )
      },
    },
    {
      at: dayAt(startedAt, 6, 12),
      run: async (stage) => {
        const { authorizationId } = await agents.swipe('travel', 'taxi', 42)
        stage.later(40 * MINUTE_MS, () => agents.cardEvent(authorizationId, { type: 'reverse' }))
      },
    },
    {
      at: dayAt(startedAt, 5, 18),
      run: async (stage) => {
        const { authorizationId } = await agents.swipe('travel', 'coffee', 12)
        stage.later(5 * HOUR_MS, () =>
          agents.cardEvent(authorizationId, { type: 'capture', amount: 14.5, final: true }),
        )
      },
    },
  ]
}
