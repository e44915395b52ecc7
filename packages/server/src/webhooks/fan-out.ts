import { type EventKind, isStandardKind } from '../core/events/event.ts'
import type { Instant } from '../core/time/instant.ts'
import type { Tx } from '../storage/engine/database.ts'
import { newId } from '../storage/new-id.ts'
import {
  dropShared,
  type EndpointFilter,
  findEventKinds,
  keepForFirst,
  lockFilters,
  lockSharedEntries,
  queueFurther,
} from '../storage/webhooks/fan-out.ts'

/** How many events one step divides among endpoints, so that it locks no entry for long. */
export const FANNED_OUT_MAX = 200

export interface FanOut {
  /** The endpoints that have new entries. */
  readonly endpointIds: readonly string[]
  /** Whether more entries may be due. */
  readonly hasMore: boolean
}

/**
 * Divides due events among the endpoints of an organization, in one transaction: the entry that the
 * decision wrote becomes the first endpoint's, and each other endpoint gets an entry of its own
 * (ADR 62). From here on, no endpoint waits for a different one.
 */
export async function fanOut(tx: Tx, organizationId: string, now: Instant): Promise<FanOut> {
  const filters = await lockFilters(tx, organizationId)
  const entries = await lockSharedEntries(tx, organizationId, now, FANNED_OUT_MAX)
  if (entries.length === 0) return { endpointIds: [], hasMore: false }
  const eventIds = entries.map(({ eventId }) => eventId)
  const kinds = await findEventKinds(tx, organizationId, eventIds)
  const isFirst = ({ id }: EndpointFilter): boolean => id === organizationId
  const first = filters.find(isFirst)
  const kept = first
    ? entries.filter(({ eventId, isManual }) => isManual || takes(first, kinds.get(eventId)))
    : []
  const further = filters
    .filter((filter) => !isFirst(filter))
    .flatMap((filter) =>
      entries
        .filter(({ number, isManual }) => !isManual && number > filter.afterNumber)
        .filter(({ eventId }) => takes(filter, kinds.get(eventId)))
        .map(({ eventId, number }) => ({ id: newId(now), endpointId: filter.id, eventId, number })),
    )
  const dropped = entries.filter((entry) => !kept.includes(entry))
  if (kept.length > 0) tx.send(keepForFirst(organizationId, kept.map(idOf)))
  if (dropped.length > 0) tx.send(dropShared(organizationId, dropped.map(idOf)))
  if (further.length > 0) tx.send(queueFurther(organizationId, now, further))
  const endpointIds = new Set(further.map(({ endpointId }) => endpointId))
  if (kept.length > 0) endpointIds.add(organizationId)
  return { endpointIds: [...endpointIds], hasMore: entries.length === FANNED_OUT_MAX }
}

const idOf = ({ id }: { readonly id: string }): string => id

/** An event whose kind is unknown was removed; the claim of its entry ends the delivery. */
function takes({ kinds }: EndpointFilter, kind: EventKind | undefined): boolean {
  if (kind === undefined) return true
  return kinds === null ? isStandardKind(kind) : kinds.includes(kind)
}
