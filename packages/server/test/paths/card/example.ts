import { DAY_MS } from '../../support/builders.ts'
import type { PathExample } from '../path-example.ts'
import { isoAt, openCardDesk } from './desk.ts'

/** A card over the generic endpoints: its issuer is who knows what became of the money. */
export const cardExample: PathExample = {
  name: 'card',
  needsChain: false,
  async equip(acme, agentId) {
    // Nothing here is about how fast a machine is.
    const issuer = { provider: 'generic', name: 'Issuer', deadlineMs: 5_000 }
    const { body: connection } = await acme.post('/card-connections', issuer)
    const { id: connectionId } = connection
    await acme.post('/cards', { connectionId, agentId, externalId: 'tok_1' })
    return (n) => ({
      path: '/gateway/card/authorize',
      body: {
        connectionId,
        requestId: `request-${n}`,
        authorizationId: `authorization-${n}`,
        type: 'initial',
        card: { externalId: 'tok_1' },
        amount: 1,
        currency: 'USD',
        merchant: { name: 'EXAMPLE SAAS', id: '100200300400', mcc: '5734', country: 'US' },
        occurredAt: isoAt(n),
      },
    })
  },
  async open(budget, app) {
    const desk = await openCardDesk({ budget, ...(app && { app }) })
    const { acme, agentId, mandateId } = desk
    // Every spend is a purchase, which is named as its transaction is.
    const purchases = new Map<string, string>()
    let count = 0
    return {
      acme,
      agentId,
      mandateId,
      async spend(amount, key) {
        count += 1
        const name = key ?? `purchase-${count}`
        const answer = await desk.ask({ amount, requestId: name, authorizationId: name })
        purchases.set(answer.body.transactionId, name)
        return answer
      },
      async waitInVain() {
        desk.app.clock.now = Date.now() + 365 * DAY_MS
      },
      async proveMoved({ body }) {
        const authorizationId = purchases.get(body.transactionId)
        const { amount } = body
        await desk.tell('capture', { authorizationId, amount, currency: 'USD', final: true })
      },
      async proveNotMoved({ body }) {
        await desk.tell('reverse', { authorizationId: purchases.get(body.transactionId) })
      },
    }
  },
}
