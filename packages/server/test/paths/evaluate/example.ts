import { onTestFinished } from 'vitest'
import { createTestApp } from '../../support/app.ts'
import { anActiveMandate } from '../../support/builders.ts'
import type { PathExample } from '../path-example.ts'

/** The direct path with a hold: the caller is who knows what became of the money. */
export const evaluateExample: PathExample = {
  name: 'evaluate',
  needsChain: false,
  async equip(_acme, agentId) {
    return () => ({
      path: '/gateway/evaluate',
      body: { agentId, amount: 1, vendor: 'shop.example', category: 'goods' },
    })
  },
  async open(budgetTotal, shared) {
    const app = shared ?? (await createTestApp())
    if (!shared) onTestFinished(app.stop)
    const acme = await app.organization()
    const { id: mandateId, agentId } = await anActiveMandate(acme, { budgetTotal })
    return {
      acme,
      agentId,
      mandateId,
      spend: (amount, key) =>
        acme.post(
          '/gateway/evaluate',
          { agentId, amount, vendor: 'shop.example', category: 'goods', hold: { expiresIn: '1h' } },
          key ? { 'idempotency-key': key } : {},
        ),
      async waitInVain() {
        app.clock.now = Date.now() + 59 * 60_000
      },
      async proveMoved({ body }) {
        await acme.post(`/transactions/${body.transactionId}/settle`)
      },
      async proveNotMoved({ body }) {
        await acme.post(`/transactions/${body.transactionId}/void`)
      },
    }
  },
}
