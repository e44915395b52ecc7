import { toPublicId } from '../../core/id.ts'
import type { TransactionFlag } from '../../core/transaction.ts'
import type { CardMerchant } from './issuers/issuer.ts'
import { categoryOfMcc } from './mapping/mcc.ts'
import { unrecognisedVendor } from './mapping/merchant.ts'
import type { KnownMerchant } from './storage/vendor-of-merchant.ts'

/** Who sells, as rules and records see it. */
export interface Seller {
  readonly vendor: string
  readonly category: string
  readonly flags: readonly TransactionFlag[]
}

/**
 * The vendor that rules see. A name is the merchant's own text: where the directory knows ids of a
 * vendor, one with its name and another id is somebody else until the organization says otherwise.
 * Then nothing that the directory says of the vendor is true of the merchant, its category included.
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

/** What the record of every card transaction says of its purchase; nothing of a person. */
export function externalOfPurchase(purchase: {
  readonly connectionId: string
  readonly cardId: string | null
  readonly authorizationId: string
  readonly merchant: CardMerchant | null
}): object {
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
