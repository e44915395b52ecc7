import { ADJUSTED, type EventKind, isStandardKind } from '../../core/events/event.ts'
import type { UsageEvent } from '../../core/events/usage-events.ts'
import type { Instant } from '../../core/time/instant.ts'
import type { Statement, Tx } from '../engine/database.ts'
import { newId } from '../new-id.ts'
import { type EventRow, storeEvents } from './events.ts'
import { queueEvents, queueSomeEvents } from './queue-events.ts'

/** The event kinds that an organization has chosen for its endpoints, and whether it has any. */
export interface Subscription {
  readonly hasWebhook: boolean
  /** Null means the kinds of the specification. */
  readonly kinds: readonly EventKind[] | null
}

export async function readSubscription(tx: Tx, organizationId: string): Promise<Subscription> {
  const [row] = await tx.query<Subscription>({
    name: 'read-subscription',
    text: `select (webhook_url is not null or webhook_kinds is not null) as "hasWebhook",
                  coalesce(webhook_kinds, webhook_events) as kinds
           from organizations where id = $1`,
    values: [organizationId],
  })
  if (!row) throw new Error('An event belongs to an organization that does not exist.')
  return row
}

/** Whether events of this kind are published, and sent to an endpoint of the organization. */
export function isWanted({ kinds }: Subscription, kind: EventRow['kind']): boolean {
  if (kind === ADJUSTED) return false
  return kinds === null ? isStandardKind(kind) : kinds.includes(kind)
}

/** Marks an event that the organization has not chosen, so that only the audit log has it. */
export function untoldUnless(
  subscription: Subscription,
  kind: EventKind,
): Pick<EventRow, 'isUntold'> {
  return isWanted(subscription, kind) ? {} : { isUntold: true }
}

/** Events about the plan's usage. They concern no transaction and no agent. */
export function toPlanRows(
  events: readonly UsageEvent[],
  subscription: Subscription,
  now: Instant,
): EventRow[] {
  return events.map(({ kind, told }) => ({
    id: newId(now),
    kind,
    transactionId: null,
    agentId: null,
    mandateId: null,
    budgetTotal: null,
    budgetSpent: null,
    outcome: JSON.stringify(told),
    sample: null,
    ...untoldUnless(subscription, kind),
  }))
}

/**
 * Stores the events of a change, and queues those that the organization has chosen. They go last
 * (`sendLast`), because every decision of the organization waits for its feed.
 */
export function tellEvents(
  organizationId: string,
  at: Instant,
  events: readonly EventRow[],
  subscription: Subscription,
): Statement[] {
  if (events.length === 0) return []
  const queued = queueWanted(organizationId, at, events, subscription)
  return [storeEvents(organizationId, at, events), ...queued]
}

/** Queues the chosen ones of all events that the transaction has stored, in their order. */
export function queueWanted(
  organizationId: string,
  at: Instant,
  events: readonly { readonly id: string; readonly kind: EventRow['kind'] }[],
  subscription: Subscription,
): Statement[] {
  if (!subscription.hasWebhook) return []
  const places = events.flatMap(({ kind }, index) => (isWanted(subscription, kind) ? [index] : []))
  if (places.length === 0) return []
  if (places.length === events.length) return [queueEvents(organizationId, at, events)]
  return [queueSomeEvents(organizationId, at, events, places)]
}
