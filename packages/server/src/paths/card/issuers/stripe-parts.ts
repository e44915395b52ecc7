import { toCountry } from '../mapping/country.ts'
import {
  childOf,
  type Fields,
  mccOrNull,
  shownOf,
  textOf,
  textOrNull,
  wholeOrNull,
} from './fields.ts'
import type { CardMerchant, CardState, IssuerCard } from './issuer.ts'

const STATES: ReadonlyMap<string | null, CardState> = new Map([
  ['active', 'active'],
  ['inactive', 'paused'],
  ['canceled', 'closed'],
])

export function readStripeCard(card: Fields): IssuerCard {
  return {
    externalId: textOf(card, 'id'),
    last4: textOrNull(card, 'last4'),
    state: STATES.get(textOrNull(card, 'status')) ?? null,
  }
}

/**
 * Reads the merchant of an authorization or a transaction. Only authorizations have the card, and with
 * it the network.
 */
export function readStripeMerchant(owner: Fields): CardMerchant {
  const merchant = childOf(owner, 'merchant_data')
  const card = wholeOrNull(owner, 'card')
  const url = shownOf(merchant, 'url')
  return {
    network: (card && textOrNull(card, 'brand'))?.toLowerCase() ?? null,
    id: textOrNull(merchant, 'network_id'),
    name: shownOf(merchant, 'name'),
    url: url === '' ? null : url,
    mcc: mccOrNull(merchant, 'category_code'),
    country: toCountry(textOrNull(merchant, 'country')),
  }
}
