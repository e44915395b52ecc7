import { isKeyOfId, keysOfMerchant } from '../../../core/card-alias.ts'
import type { Queryable } from '../../../storage/engine/database.ts'
import type { Merchant } from '../mapping/merchant.ts'

/** The directory's vendor for a merchant. */
export interface KnownMerchant {
  readonly host: string
  readonly category: string | null
  /** A name is the merchant's own text, and proves less than an id. */
  readonly matchedBy: 'id' | 'name'
  /**
   * Whether the directory knows ids of this vendor: a different id under its name may be a different
   * merchant.
   */
  readonly hasIds: boolean
}

/** A vendor found by one of the keys. */
export interface VendorOfKey {
  readonly key: string
  readonly host: string
  readonly category: string | null
  readonly hasIds: boolean
}

/**
 * Selects all vendors of the organization `$1` that the keys lead to, as one value, so that it can be a
 * part of a larger statement. `keys` is the parameter that holds the keys.
 */
export function vendorsOfKeys(keys: string): string {
  return `
    (select jsonb_agg(jsonb_build_object(
        'key', k.key, 'host', v.host, 'category', v.category,
        'hasIds', jsonb_path_exists(v.card_aliases, '$[*].merchantId')))
      from vendor_card_aliases k
      join vendors v on v.organization_id = $1 and v.id = k.vendor_id
      where k.organization_id = $1 and k.key = any(${keys}::text[]))`
}

/** Picks the vendor of the first matching key. The keys are sorted by how much they prove. */
export function surestOf(
  keys: readonly string[],
  vendors: readonly VendorOfKey[],
): KnownMerchant | undefined {
  const [surest] = keys.flatMap((key) => vendors.filter((vendor) => vendor.key === key))
  if (!surest) return undefined
  const { key, host, category, hasIds } = surest
  return { host, category, matchedBy: isKeyOfId(key) ? 'id' : 'name', hasIds }
}

/** Finds the vendor of a merchant in the directory; undefined if no alias matches. */
export async function findVendorOf(
  db: Queryable,
  organizationId: string,
  merchant: Pick<Merchant, 'network' | 'id' | 'name'>,
): Promise<KnownMerchant | undefined> {
  const keys = keysOfMerchant(merchant)
  const [row] = await db.query<{ vendors: readonly VendorOfKey[] | null }>({
    name: 'find-vendor-of-merchant',
    text: `select ${vendorsOfKeys('$2')} as vendors`,
    values: [organizationId, keys],
  })
  return surestOf(keys, row?.vendors ?? [])
}
