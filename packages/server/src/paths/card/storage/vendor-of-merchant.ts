import { isKeyOfId, keysOfMerchant } from '../../../core/card-alias.ts'
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

/** A vendor that one of the keys leads to. */
export interface VendorOfKey {
  readonly key: string
  readonly host: string
  readonly category: string | null
  readonly hasIds: boolean
}

/**
 * All vendors of the organization `$1` that the keys lead to, as one value, so that it can be a part
 * of a larger statement. `keys` is the parameter that holds them.
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

/** The keys are in the order of what they prove. */
export function surestOf(
  keys: readonly string[],
  vendors: readonly VendorOfKey[],
): KnownMerchant | undefined {
  const [surest] = keys.flatMap((key) => vendors.filter((vendor) => vendor.key === key))
  if (!surest) return undefined
  const { key, host, category, hasIds } = surest
  return { host, category, matchedBy: isKeyOfId(key) ? 'id' : 'name', hasIds }
}

/** The vendor of the directory that the merchant is; undefined where no alias knows it. */
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
