// Written by `npm run generate` from the list of card issuers. Do not change it by hand.

/** The card issuers that call the gateway in their own protocol, and the names that people know. */
export const CARD_ISSUERS = [
  { provider: 'stripe', title: 'Stripe Issuing' },
  { provider: 'lithic', title: 'Lithic' },
] as const
