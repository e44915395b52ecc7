import { type Static, Type } from 'typebox'
import type { DirectoryEntry } from '../../../core/directory-entry.ts'
import type { Instant } from '../../../core/time/instant.ts'
import { nullable, Timestamp, toTimestamp } from '../../../http/document/schemas.ts'
import type { Queryable } from '../../../storage/engine/database.ts'
import { END_MARGIN_MS } from '../checkout/steps.ts'
import { listMerchantHealth } from '../storage/due-checkouts.ts'

export const MerchantHealth = Type.Object(
  {
    heldPastEnd: Type.Integer({
      minimum: 0,
      description:
        'How many checkouts still hold budget more than ten minutes after their payment token expired, because neither the merchant nor the token provider reports the outcome. The gateway keeps asking. You can close them with POST /transactions/:id/settle or void.',
    }),
    oldestTokenEnd: nullable({
      ...Timestamp,
      description:
        'When the payment token of the oldest of these checkouts expired (ISO 8601, UTC).',
    }),
  },
  {
    title: 'VendorAcpHealth',
    description:
      'Checkouts at this merchant whose outcome is overdue. Only present in the list of vendors.',
  },
)

/** Reads the health of the vendors that speak ACP, and returns a lookup by vendor. */
export async function readMerchantHealth(
  db: Queryable,
  organizationId: string,
  vendors: readonly Pick<DirectoryEntry, 'id' | 'acp'>[],
  now: Instant,
): Promise<(vendor: Pick<DirectoryEntry, 'id'>) => Static<typeof MerchantHealth>> {
  const ids = vendors.filter(({ acp }) => acp !== null).map(({ id }) => id)
  const before = now - END_MARGIN_MS
  const rows = ids.length > 0 ? await listMerchantHealth(db, organizationId, ids, before) : []
  return ({ id }) => {
    const row = rows.find(({ vendorId }) => vendorId === id)
    return {
      heldPastEnd: Number(row?.heldPastEnd ?? 0n),
      oldestTokenEnd: row ? toTimestamp(row.oldestTokenEnd) : null,
    }
  }
}
