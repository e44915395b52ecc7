import type { Purchase } from '../../packages/server/src/paths/card/issuers/purchase.ts'

/**
 * Merchants as a card network describes them: a name, the id from their bank, and the kind of
 * business.
 */
export const MERCHANTS = {
  saas: { name: 'EXAMPLE SAAS INC', id: '100200300400', mcc: '5734', country: 'US' },
  shop: { name: 'EXAMPLE SHOP 0042', id: '100200300401', mcc: '5999', country: 'US' },
  bistro: { name: 'SQ *EXAMPLE BISTRO', id: '100200300402', mcc: '5812', country: 'US' },
  garage: { name: 'EXAMPLE PARKING', id: '100200300404', mcc: '7523', country: 'US' },
  casino: { name: 'EXAMPLE CASINO', id: '100200300403', mcc: '7995', country: 'US' },
} as const

/** A purchase with the card of the example, in cents. */
export function purchase(merchant: keyof typeof MERCHANTS, amount: number): Purchase {
  return {
    card: 'ic_example',
    amount,
    currency: 'USD',
    merchant: MERCHANTS[merchant],
    partialSupported: false,
  }
}
