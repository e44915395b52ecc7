import { DAY_MS } from '../../support/builders.ts'
import type { PathExample } from '../path-example.ts'
import { HOST, openShop, openStalls, register } from './shop.ts'

const MINUTE_MS = 60_000
/** More often than anybody asks. */
const ALWAYS = 10_000

/** Merchant and provider know what became of the money; a payer who has to prove something keeps it open. */
export const acpExample: PathExample = {
  name: 'acp',
  needsChain: false,
  async equip(acme, agentId) {
    const { merchant, psp } = await openStalls()
    await register(acme, merchant, psp)
    const lines = [{ itemId: 'a', name: 'A', quantity: 1, unitMinor: 100 }]
    return (n) => ({
      path: '/gateway/acp/checkouts',
      headers: { 'idempotency-key': `purchase-${n}` },
      body: {
        agentId,
        vendor: HOST,
        checkoutSessionId: merchant.openCheckout({ lines, deliveryMinor: 0 }),
      },
    })
  },
  async open(budget) {
    const shop = await openShop({ budget })
    const { acme, agentId, mandateId, merchant, psp } = shop
    const sessions = new Map<string, string>()
    const spent = new Map<string, string>()
    let count = 0
    return {
      acme,
      agentId,
      mandateId,
      async spend(amount, key) {
        count += 1
        const name = key ?? `spend-${count}`
        const session = sessions.get(name) ?? openSession(amount)
        sessions.set(name, session)
        const answer = await shop.ask({ agentId, vendor: HOST, checkoutSessionId: session }, name)
        spent.set(answer.body.transactionId, session)
        return answer
      },
      async waitInVain() {
        for (const call of ['look', 'cancel'] as const) merchant.failNext(call, '503', ALWAYS)
        for (const call of ['revoke', 'inspect'] as const) psp.failNext(call, '503', ALWAYS)
        shop.later(365 * DAY_MS)
      },
      async proveMoved({ body }) {
        const session = spent.get(body.transactionId) ?? ''
        const permalink_url = 'https://shop.example.com/orders/1'
        const order = { id: 'ord_1', checkout_session_id: session, permalink_url }
        merchant.change(session, { status: 'completed', order })
        shop.later(2 * MINUTE_MS)
        await shop.becomes(body.transactionId, 'settled')
      },
      async proveNotMoved({ body }) {
        await shop.ask({ transactionId: body.transactionId, cancel: true })
        await shop.becomes(body.transactionId, 'voided')
      },
    }

    function openSession(amount: number): string {
      const lines = [{ itemId: 'a', name: 'A', quantity: 1, unitMinor: Math.round(amount * 100) }]
      const session = merchant.openCheckout({ lines, deliveryMinor: 0 })
      merchant.turnNext(session, 'authentication')
      return session
    }
  },
}
