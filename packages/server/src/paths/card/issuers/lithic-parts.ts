import type { Micros } from '../../../core/money.ts'
import { toCountry } from '../mapping/country.ts'
import {
  childOf,
  childOrNull,
  currencyOf,
  type Fields,
  mccOrNull,
  minorOf,
  shownOf,
  textOrNull,
} from './fields.ts'
import type { CardMerchant, CardState } from './issuer.ts'

/** Lithic itself declines cards that are not yet sent or activated. */
const STATES: ReadonlyMap<string | null, CardState> = new Map([
  ['OPEN', 'active'],
  ['PAUSED', 'paused'],
  ['PENDING_ACTIVATION', 'paused'],
  ['PENDING_FULFILLMENT', 'paused'],
  ['CLOSED', 'closed'],
])

export function lithicStateOf(word: string | null): CardState | null {
  return STATES.get(word) ?? null
}

export interface Priced {
  /** The amount in the card's currency. */
  readonly amount: Micros
  readonly currency: string
  readonly merchantAmount: Micros
  readonly merchantCurrency: string
}

/**
 * The amounts of a request, from its `amounts`. Debits are positive, credits negative. Lithic may hold
 * more than it bills, as at fuel pumps, or nothing if it captures at once: the larger of the two is the
 * amount that may be spent.
 */
export function readPriced(amounts: Fields): Priced {
  const cardholder = childOf(amounts, 'cardholder')
  const currency = currencyOf(cardholder, 'currency')
  const billed = minorOf(cardholder, 'amount', currency)
  const held = heldIn(amounts, currency)
  const merchant = childOf(amounts, 'merchant')
  const merchantCurrency = currencyOf(merchant, 'currency')
  return {
    amount: held !== null && held > billed ? held : billed,
    currency,
    merchantAmount: minorOf(merchant, 'amount', merchantCurrency),
    merchantCurrency,
  }
}

/**
 * The held amount, if it is in the card's currency. Lithic gives it in the currency of the expected
 * settlement, and we do not convert.
 */
export function heldIn(amounts: Fields, currency: string): Micros | null {
  const hold = childOrNull(amounts, 'hold')
  if (!hold || currencyOf(hold, 'currency') !== currency) return null
  return minorOf(hold, 'amount', currency)
}

export function readLithicMerchant(owner: Fields): CardMerchant {
  const merchant = childOf(owner, 'merchant')
  const network = textOrNull(owner, 'network')?.toLowerCase() ?? null
  return {
    network: network === 'unknown' ? null : network,
    id: textOrNull(merchant, 'acceptor_id'),
    name: shownOf(merchant, 'descriptor'),
    url: null,
    mcc: mccOrNull(merchant, 'mcc'),
    country: toCountry(textOrNull(merchant, 'country')),
  }
}
