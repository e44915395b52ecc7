import { Problem } from '../../base/errors.ts'
import { fromPublicId, toTimestamp } from '../../http/document/schemas.ts'
import type { Database, Queryable } from '../../storage/engine/database.ts'
import { findRemoval } from '../../storage/retention.ts'
import type { Sealer } from '../../storage/secrets/sealed.ts'
import type { AttemptRow } from '../../storage/webhooks/attempts.ts'
import { type DeliveryRow, findDelivery } from '../../storage/webhooks/deliveries.ts'
import { listEventIdsOf } from '../../storage/webhooks/read-events.ts'
import { openUrl } from '../../storage/webhooks/urls.ts'

/** With the whole URL, as long as its encrypted copy is stored. */
export function withUrl(sealer: Sealer, organizationId: string, attempt: AttemptRow): AttemptRow {
  if (attempt.sealedUrl === null) return attempt
  return { ...attempt, url: openUrl(sealer, organizationId, attempt) ?? attempt.url }
}

export async function requireDelivery(
  db: Queryable,
  organizationId: string,
  publicId: string,
): Promise<DeliveryRow> {
  const id = fromPublicId('dlv', publicId)
  const delivery = await findDelivery(db, organizationId, id)
  if (delivery) return delivery
  const removedBefore = await findRemoval(db, organizationId, id)
  if (removedBefore !== undefined) {
    throw new Problem(
      'event_removed',
      `Retention has removed the deliveries of events before ${toTimestamp(removedBefore)}.`,
    )
  }
  throw new Problem(
    'delivery_not_found',
    `Webhook delivery ${publicId} does not exist in this organization.`,
  )
}

/** A transaction has a few events. Only a card that reports for years could reach this number. */
const EVENTS_OF_TRANSACTION_MAX = 1_000

/** The events that a query names by their id or by their transaction. Undefined: all events. */
export async function readEventIds(
  db: Database,
  organizationId: string,
  query: { readonly eventId?: string | undefined; readonly transactionId?: string | undefined },
): Promise<readonly string[] | undefined> {
  const eventId = query.eventId === undefined ? undefined : fromPublicId('evt', query.eventId)
  if (query.transactionId === undefined) return eventId === undefined ? undefined : [eventId]
  const transactionId = fromPublicId('txn', query.transactionId)
  const ids = await listEventIdsOf(db, organizationId, transactionId, EVENTS_OF_TRANSACTION_MAX)
  return eventId === undefined ? ids : ids.filter((id) => id === eventId)
}
