import type { Static } from 'typebox'
import type { VendorField } from '../../../http/path-fields.ts'
import type { PathParts } from '../../path.ts'
import type { AcpEntry } from './acp-entry.ts'
import { changeMerchant } from './change-merchant.ts'
import { readMerchantHealth } from './merchant-health.ts'
import { Merchant, MerchantChange, MerchantInput, toMerchantShape } from './merchant-schemas.ts'

type FieldParts = Pick<PathParts, 'db' | 'sealer' | 'clock' | 'publicUrl'>

/**
 * The field `acp` of a vendor: how the gateway calls the merchant, and which payees it may pay
 * there.
 */
export function createVendorField(
  parts: FieldParts,
): VendorField<AcpEntry, Static<typeof MerchantChange>> {
  const { db, clock, publicUrl } = parts
  const show = (acp: AcpEntry | null, token?: string) =>
    acp && toMerchantShape(acp, publicUrl(), token)
  return {
    shown: Merchant,
    input: MerchantInput,
    change: MerchantChange,
    withoutCards: ['merchantIds', 'apiBaseUrl'],
    addressesOf: (input) => [['/acp/apiBaseUrl', input?.apiBaseUrl]],
    store: (tx, organizationId, vendor, input) =>
      changeMerchant(tx, parts, organizationId, vendor, input),
    show,
    async showList(organizationId, vendors) {
      const healthOf = await readMerchantHealth(db, organizationId, vendors, await clock(db))
      return new Map(
        vendors.map((vendor) => {
          const shape = show(vendor.acp)
          return [vendor.id, shape && { ...shape, health: healthOf(vendor) }]
        }),
      )
    },
  }
}
