import { EXAMPLE_DECISION, exampleDetails } from '../../http/document/examples.ts'

/** Shows a purchase: the gateway judged, paid and completed the merchant's session. */
export const CHECKOUT_EXAMPLE = {
  ...EXAMPLE_DECISION,
  remainingBudget: 55,
  evaluationDetails: exampleDetails('acp', 45),
  amount: 45,
  vendor: 'shop.example.com',
  category: 'office',
  status: 'completed',
  failure: null,
  checkout: {
    sessionId: 'cs_123',
    vendor: 'shop.example.com',
    merchantId: 'acct_merchant_1',
    version: '2026-04-17',
    currency: 'USD',
    totals: [
      { type: 'subtotal', amount: 40 },
      { type: 'fulfillment', amount: 5 },
      { type: 'total', amount: 45 },
    ],
    lineItems: [{ id: 'line_1', itemId: 'item_1', name: 'Toner', quantity: 1, amount: 40 }],
  },
  order: {
    id: 'ord_1',
    permalinkUrl: 'https://shop.example.com/orders/ord_1',
    status: 'confirmed',
  },
  authentication: null,
}
