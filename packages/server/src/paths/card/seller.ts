import { toPublicId } from '../../core/id.ts'
import type { TransactionFlag } from '../../core/transaction.ts'
import type { CardMerchant } from './issuers/issuer.ts'
import { categoryOfMcc } from './mapping/mcc.ts'
import { unrecognisedVendor } from './mapping/merchant.ts'
import type { KnownMerchant } from './storage/vendor-of-merchant.ts'

/** The seller, as rules and records see it. */
export interface Seller {
  readonly vendor: string
  readonly category: string
  readonly flags: readonly TransactionFlag[]
}

/**
 * Returns the vendor that rules see. A name is the merchant's own text. If the directory knows the ids
 * of a vendor, a merchant with the same name but a different id is a different seller until the
 * organization says otherwise. Then nothing in the vendor's directory entry applies to the merchant,
 * not even its category.
 */
export function sellerOf(merchant: CardMerchant, known: KnownMerchant | undefined): Seller {
  const category = categoryOfMcc(merchant.mcc)
  const unrecognised = (flag: TransactionFlag): Seller => ({
    vendor: unrecognisedVendor(merchant),
    category,
    flags: [flag],
  })
  if (!known) return unrecognised('merchant_unrecognised')
  const isDrifted = known.matchedBy === 'name' && known.hasIds && merchant.id !== null
  if (isDrifted) return unrecognised('merchant_drift')
  return { vendor: known.host, category: known.category ?? category, flags: [] }
}

interface ShownPurchase {
  readonly connectionId: string
  readonly cardId: string | null
  readonly authorizationId: string
  readonly merchant: object | null
}

/** The purchase as the record of every card transaction shows it. It contains no personal data. */
export function externalOfPurchase(purchase: {
  readonly connectionId: string
  readonly cardId: string | null
  readonly authorizationId: string
  readonly merchant: CardMerchant | null
}): ShownPurchase {
  const { connectionId, cardId, authorizationId, merchant } = purchase
  return {
    connectionId: toPublicId('conn', connectionId),
    cardId: cardId === null ? null : toPublicId('card', cardId),
    authorizationId,
    merchant: merchant === null ? null : shown(merchant),
  }
}

function shown({ name, id, network, mcc, country }: CardMerchant): object {
  return { name, id, network, mcc, country }
}
