import type { IdempotencyKey } from '../../../core/idempotency.ts'
import type { Micros } from '../../../core/money.ts'
import type { Instant } from '../../../core/time/instant.ts'
import type { Gateway } from '../../../gateway/gateway.ts'
import type { Database } from '../../../storage/engine/database.ts'
import { newId } from '../../../storage/new-id.ts'
import { categoryOfMcc, highRiskOf } from '../mapping/mcc.ts'
import { unrecognisedVendor } from '../mapping/merchant.ts'
import { externalOfPurchase, type Seller, sellerOf } from '../seller.ts'
import { type CardAuthorization, noteRecorded } from '../storage/authorizations.ts'
import { findCurrencyOf } from '../storage/card-holders.ts'
import { findVendorOf } from '../storage/vendor-of-merchant.ts'

interface RecordParts {
  readonly db: Database
  readonly gateway: Gateway
  readonly now: () => Instant
}

/** A merchant without any details from the issuer. */
const NO_MERCHANT = { network: null, id: null, name: '', url: null }

/**
 * Records money that no request covers, once for each authorization, as a hold. The booking then
 * captures or releases it like any other hold.
 */
export async function recordUnasked(
  parts: RecordParts,
  organizationId: string,
  authorization: CardAuthorization,
  amount: Micros,
): Promise<void> {
  const { id, agentId, merchant, connectionId, externalId } = authorization
  if (agentId === null) throw new Error('An unknown card has no agent to charge.')
  const mcc = merchant?.mcc ?? null
  const seller = await findSeller(parts.db, organizationId, authorization)
  const external = externalOfPurchase({ ...authorization, authorizationId: externalId })
  const terms = await findCurrencyOf(parts.db, organizationId, agentId)
  const isOther =
    terms !== undefined && authorization.currency !== null && terms !== authorization.currency
  const receivedAt = performance.now()
  await parts.gateway.record({
    spend: {
      transactionId: newId(parts.now()),
      organizationId,
      agentId,
      path: 'card',
      amount,
      currency: authorization.currency,
      vendor: seller?.vendor ?? unrecognisedVendor(NO_MERCHANT),
      category: seller?.category ?? categoryOfMcc(mcc),
      reference: null,
      payee: null,
      holdMs: Number.POSITIVE_INFINITY,
      card: {
        cardId: null,
        mcc,
        highRisk: highRiskOf(mcc),
        total: null,
        partialUnit: null,
        stop: null,
      },
    },
    reason: null,
    metadata: null,
    idempotency: keyOf(connectionId, `recorded:${id}`),
    // If the gateway found no mandate and the currencies differ, the money is in no budget and gets a
    // flag.
    alongside: (row) => {
      const flags = isOther && row.mandateId === null ? (['other_currency'] as const) : []
      return [noteRecorded(organizationId, id, row.id, external, seller, flags)]
    },
    receivedAt,
  })
}

/**
 * Finds the seller: the one stored with the request, else the directory's current vendor for the
 * merchant. Undefined if the issuer has not named a merchant yet.
 */
async function findSeller(
  db: Database,
  organizationId: string,
  { vendor, category, merchant, merchantFlags }: CardAuthorization,
): Promise<Seller | undefined> {
  if (vendor !== null && category !== null) return { vendor, category, flags: merchantFlags }
  if (merchant === null) return undefined
  return sellerOf(merchant, await findVendorOf(db, organizationId, merchant))
}

const SAME = Buffer.from('card')

/** Issuers name their requests: the same name is the same request, even if its content differs. */
export function keyOf(connectionId: string, key: string): IdempotencyKey {
  return { space: connectionId, key, fingerprint: SAME, matches: () => true }
}
