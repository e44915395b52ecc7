import { type CardAlias, isKeyOfId, keysOfMerchant } from '../../../core/card-alias.ts'
import type { Queryable } from '../../../storage/engine/database.ts'
import type { Merchant } from '../mapping/merchant.ts'

/** A vendor that the directory knows a merchant as. */
export interface KnownMerchant {
  readonly host: string
  readonly category: string | null
  /** Its name is the merchant's own text, and proves less than an id. */
  readonly matchedBy: 'id' | 'name'
  /** Whether the directory knows ids of this vendor: another id under its name may be another merchant. */
  readonly hasIds: boolean
}

/** The vendor of the directory that the merchant is; undefined where no alias knows it. */
export async function findVendorOf(
  db: Queryable,
  organizationId: string,
  merchant: Pick<Merchant, 'network' | 'id' | 'name'>,
): Promise<KnownMerchant | undefined> {
  const keys = keysOfMerchant(merchant)
  const found = await db.query<{
    key: string
    host: string
    category: string | null
    aliases: CardAlias[]
  }>({
    name: 'find-vendor-of-merchant',
    text: `
      select a.key, v.host, v.category, v.card_aliases as aliases
      from vendor_card_aliases a
      join vendors v on v.organization_id = $1 and v.id = a.vendor_id
      where a.organization_id = $1 and a.key = any($2::text[])`,
    values: [organizationId, keys],
  })
  const [surest] = keys.flatMap((key) => found.filter((row) => row.key === key))
  if (!surest) return undefined
  const { key, host, category, aliases } = surest
  return {
    host,
    category,
    matchedBy: isKeyOfId(key) ? 'id' : 'name',
    hasIds: aliases.some((alias) => 'merchantId' in alias),
  }
}
