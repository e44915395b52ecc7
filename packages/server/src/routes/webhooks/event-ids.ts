import { fromPublicId } from '../../http/document/schemas.ts'
import type { Database } from '../../storage/engine/database.ts'
import { listEventIdsOf } from '../../storage/webhooks/read-events.ts'

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
