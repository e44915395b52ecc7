import type { IdempotencyKey } from '../../../core/idempotency.ts'
import type { Micros } from '../../../core/money.ts'
import type { Instant } from '../../../core/time/instant.ts'
import type { Gateway } from '../../../gateway/gateway.ts'
import { newId } from '../../../storage/new-id.ts'
import { categoryOfMcc, highRiskOf } from '../mapping/mcc.ts'
import { unrecognisedVendor } from '../mapping/merchant.ts'
import { type CardAuthorization, noteRecorded } from '../storage/authorizations.ts'

interface RecordParts {
  readonly gateway: Gateway
  readonly now: () => Instant
}

/** A merchant of which the issuer says nothing at all. */
const NOBODY = { network: null, id: null, name: '', url: null }

/**
 * Books money that nobody asked about, once for each authorization, as a hold: what became of it is
 * booked afterwards, like that of every other.
 */
export async function recordUnasked(
  { gateway, now }: RecordParts,
  organizationId: string,
  authorization: CardAuthorization,
  amount: Micros,
): Promise<void> {
  const { id, agentId, merchant, connectionId, cardId, externalId } = authorization
  if (agentId === null) throw new Error('Nobody can be charged for an unknown card.')
  const mcc = merchant?.mcc ?? null
  const external = { connectionId, cardId, authorizationId: externalId, merchant }
  const receivedAt = performance.now()
  await gateway.record({
    spend: {
      transactionId: newId(now()),
      organizationId,
      agentId,
      path: 'card',
      amount,
      currency: authorization.currency,
      vendor: authorization.vendor ?? unrecognisedVendor(merchant ?? NOBODY),
      category: authorization.category ?? categoryOfMcc(mcc),
      reference: null,
      payee: null,
      holdMs: Number.POSITIVE_INFINITY,
      card: {
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
    alongside: (row) => [noteRecorded(organizationId, id, row.id, external)],
    receivedAt,
  })
}

const SAME = Buffer.from('card')

/** Issuers name what they ask: the same name is the same question, whatever else differs. */
export function keyOf(connectionId: string, key: string): IdempotencyKey {
  return { space: connectionId, key, fingerprint: SAME, matches: () => true }
}
