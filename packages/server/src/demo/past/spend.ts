import { randomUUID } from 'node:crypto'
import { type Answer, callerWithKey } from '../caller.ts'
import { HOSTS } from '../places.ts'
import type { AgentName, DemoRecord } from '../record.ts'
import { NETWORK, USDC } from '../stand-ins/chain.ts'
import type { Line } from '../stand-ins/shop.ts'
import type { DemoGateway } from '../start.ts'
import { CARDS, MERCHANTS } from './set-up.ts'

export interface Purchase {
  readonly amount: number
  readonly vendor: string
  readonly category: string
  readonly reason?: string
  readonly reference?: string
  readonly currency?: string
  readonly hold?: { readonly expiresIn: string }
  readonly approvalId?: string
}

export type MerchantName = keyof typeof MERCHANTS

/** The agents of the demo, on the four paths. */
export interface Agents {
  /** A direct spend. */
  spend(agent: AgentName, purchase: Purchase): Promise<Answer>
  settle(agent: AgentName, transactionId: string, amount?: number): Promise<Answer>
  void(agent: AgentName, transactionId: string): Promise<Answer>
  /** An x402 payment of the research agent. The vendor takes it, unless `isTaken` is false. */
  pay(amount: number, what: string, isTaken?: boolean): Promise<Answer>
  /** An order of the ops runner at the shop. */
  order(lines: readonly Line[], further?: object, isDeclined?: boolean): Promise<Answer>
  /** A card authorization. Returns the id of the purchase, and the answer. */
  swipe(agent: 'travel' | 'ops', merchant: MerchantName, amount: number): Promise<Swipe>
  cardEvent(authorizationId: string, event: object): Promise<void>
}

interface Swipe {
  readonly authorizationId: string
  readonly answer: Answer
}

type Parts = Pick<DemoGateway, 'app' | 'chain' | 'shop' | 'clock' | 'time' | 'storage'>

export function createAgentsOf(parts: Parts, record: DemoRecord): Agents {
  const { app, chain, shop } = parts
  const callerOf = (agent: AgentName) => callerWithKey(app, record.agents[agent].apiKey)
  const callers = {
    research: callerOf('research'),
    travel: callerOf('travel'),
    ops: callerOf('ops'),
  }
  const adapter = callerWithKey(app, record.card.apiKey)
  const { connectionId } = record.card
  const nowText = async (): Promise<string> =>
    new Date(await parts.time(parts.storage.db)).toISOString()

  return {
    spend: (agent, purchase) => callers[agent].post('/gateway/evaluate', purchase),
    settle: (agent, id, amount) =>
      callers[agent].post(`/transactions/${id}/settle`, amount === undefined ? {} : { amount }),
    void: (agent, id) => callers[agent].post(`/transactions/${id}/void`),
    async pay(amount, what, isTaken = true) {
      const url = `https://${HOSTS.weather}/v2/${what}`
      const answer = await callers.research.post('/gateway/x402/pay', {
        url,
        paymentRequired: toPaymentRequired(url, amount, record.payTo),
        category: 'data',
        reason: `Weather data for the delivery plan: ${what}`,
      })
      if (isTaken && answer.payment) chain.redeem(answer.payment.headerValue)
      return answer
    },
    order(lines, further = {}, isDeclined = false) {
      const checkoutSessionId = shop.fill(lines, isDeclined)
      const sent = { vendor: HOSTS.shop, checkoutSessionId, reason: 'Office order', ...further }
      return callers.ops.post('/gateway/acp/checkouts', sent)
    },
    async swipe(agent, merchant, amount) {
      const authorizationId = `net-${randomUUID().slice(0, 13)}`
      const answer = await adapter.post('/gateway/card/authorize', {
        ...{ connectionId, authorizationId, requestId: `${authorizationId}-1`, type: 'initial' },
        ...{ card: { externalId: CARDS[agent] }, amount, currency: 'USD' },
        ...{ merchant: MERCHANTS[merchant], occurredAt: await nowText() },
      })
      return { authorizationId, answer }
    },
    async cardEvent(authorizationId, event) {
      const eventId = `evt-${randomUUID()}`
      const occurredAt = await nowText()
      const told = { connectionId, eventId, authorizationId, currency: 'USD', occurredAt }
      await adapter.post('/gateway/card/events', { ...told, ...event })
    },
  }
}

/** The 402 response of a vendor, in version 2 of x402. */
function toPaymentRequired(url: string, amount: number, payTo: string): object {
  return {
    x402Version: 2,
    error: 'Payment required',
    resource: { url, description: 'Weather data', mimeType: 'application/json' },
    accepts: [
      {
        scheme: 'exact',
        network: NETWORK,
        amount: String(Math.round(amount * 1_000_000)),
        asset: USDC,
        payTo,
        maxTimeoutSeconds: 60,
        extra: { name: 'USDC', version: '2' },
      },
    ],
  }
}
