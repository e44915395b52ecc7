import { openShop } from '../../support/x402/shop.ts'
import type { PathExample } from '../path-example.ts'
import { aPayment } from './payments.ts'
import { NETWORK, someDocument, someOffer } from './some-offer.ts'

/** A payment that was signed: the chain is who knows what became of the money. */
export const x402Example: PathExample = {
  name: 'x402',
  needsChain: true,
  environment: { PURSER_X402_NETWORKS: NETWORK },
  async equip(acme, agentId) {
    await acme.post('/wallets', { name: 'Till' })
    const paymentRequired = someDocument({ accepts: [someOffer({ amount: '1000000' })] })
    return () => ({ path: '/gateway/x402/pay', body: aPayment(agentId, { paymentRequired }) })
  },
  async open(budget) {
    const shop = await openShop({ budget, funds: 1_000_000_000n })
    const { chain, facilitator, acme, agentId, mandateId } = shop
    return {
      acme,
      agentId,
      mandateId,
      spend: (amount, key) =>
        shop.pay(shop.offer({ amount: String(Math.round(amount * 1e6)) }), key),
      async waitInVain() {
        shop.app.clock.now = Date.now() + 86_400_000
      },
      async proveMoved({ body }) {
        await facilitator.settleNow(body.payment?.headerValue ?? '')
        await shop.becomes(body.transactionId, 'settled')
      },
      async proveNotMoved({ body }) {
        await chain.mineAt(Date.parse(body.payment?.validBefore ?? '') / 1_000)
        await shop.becomes(body.transactionId, 'voided')
      },
    }
  },
}
