import { type EventKind, STANDARD_KINDS } from '../../core/events/event.ts'
import type { Organization } from '../../core/organization.ts'
import type { Instant } from '../../core/time/instant.ts'
import {
  ACTIVE,
  type WebhookEndpoint,
  withNewUrl,
  withStatus,
} from '../../core/webhook-endpoint.ts'
import type { Tx } from '../../storage/engine/database.ts'
import type { Sealer } from '../../storage/secrets/sealed.ts'
import {
  findFirstState,
  listEndpoints,
  lockEndpoints,
  storeEndpointState,
} from '../../storage/webhooks/endpoints.ts'
import { cancelLanes } from '../../storage/webhooks/queue.ts'
import { type PlannedEndpoint, planEndpoints } from './plan-endpoints.ts'
import { storeFurther } from './store-endpoints.ts'
import type { EndpointInput } from './webhook-endpoints.ts'
import { shownUrl } from './webhook-url.ts'

/** The part of a request that is about webhooks. Undefined leaves a field as it is. */
interface WebhookChange {
  readonly webhookUrl?: string | null | undefined
  readonly webhookEvents?: readonly EventKind[] | undefined
  readonly webhookEndpoints?: readonly EndpointInput[] | undefined
}

/** A change of endpoints that is checked, and stored in two parts. */
export interface PlannedChange {
  /** The endpoints before the change. */
  readonly endpoints: readonly WebhookEndpoint[]
  /** The whole URL of the first endpoint; undefined leaves it as it is. */
  readonly url: string | null | undefined
  /** The columns of the organization's row, which are stored first. */
  readonly settings: Partial<Pick<Organization, 'webhookUrl' | 'webhookEvents' | 'webhookKinds'>>
  /** Stores the rest. Returns the secrets of new endpoints by id. */
  store(): Promise<ReadonlyMap<string, string>>
}

/**
 * Plans a change of the webhook endpoints. The caller has locked the organization. `webhookUrl` and
 * `webhookEvents` are the first endpoint, and `webhookEndpoints` is the whole list.
 */
export async function planWebhooks(
  tx: Tx,
  sealer: Sealer,
  organization: Organization,
  change: WebhookChange,
  at: Instant,
): Promise<PlannedChange> {
  const isTouched = Object.values(change).some((value) => value !== undefined)
  if (isTouched) await lockEndpoints(tx, organization.id)
  const endpoints = await listEndpoints(tx, sealer, organization.id)
  if (!isTouched) {
    return { endpoints, url: undefined, settings: {}, store: async () => new Map() }
  }
  const { url, events, status, planned } = readChange(organization, endpoints, change)
  const webhookKinds = kindsOfAll(organization, planned, {
    hasUrl: (url === undefined ? organization.webhookUrl : url) !== null,
    events: events === undefined ? organization.webhookEvents : events,
  })
  const settings = {
    ...(url !== undefined && shownUrl(url)),
    ...(events !== undefined && { webhookEvents: events }),
    webhookKinds,
  }
  const further = endpoints.filter(({ id }) => id !== organization.id)
  const store = async (): Promise<ReadonlyMap<string, string>> => {
    const first = endpoints.find(({ id }) => id === organization.id)
    const next = { url, status, isShared: webhookKinds !== null }
    await storeFirst(tx, organization.id, first, next, at)
    const lanes = removedLanes(organization, further, planned, { url, webhookKinds })
    if (lanes.length > 0) tx.send(cancelLanes(organization.id, lanes))
    return storeFurther(tx, sealer, organization.id, further, planned, at)
  }
  return { endpoints, url, settings, store }
}

/** The first endpoint as the request wants it, and all others. Undefined leaves a value as it is. */
interface ReadChange extends Pick<PlannedChange, 'url'> {
  readonly events: readonly EventKind[] | null | undefined
  readonly status: PlannedEndpoint['status']
  readonly planned: readonly PlannedEndpoint[]
}

function readChange(
  { id, webhookEvents: eventsBefore }: Organization,
  endpoints: readonly WebhookEndpoint[],
  { webhookUrl, webhookEvents, webhookEndpoints }: WebhookChange,
): ReadChange {
  if (!webhookEndpoints) {
    const planned = endpoints
      .filter((endpoint) => endpoint.id !== id)
      .map((endpoint) => ({ ...endpoint, status: undefined }))
    return { url: webhookUrl, events: webhookEvents, status: undefined, planned }
  }
  const list = planEndpoints(id, endpoints, webhookEndpoints)
  const first = list.find((endpoint) => endpoint.id === id)
  return {
    url: first?.url ?? null,
    events: first ? first.events : eventsBefore,
    status: first?.status,
    planned: list.filter((endpoint) => endpoint !== first),
  }
}

/**
 * The kinds of all endpoints. An organization that has had several keeps the list, so that entries of
 * the queue stay divided by endpoint, until it has no endpoint at all.
 */
function kindsOfAll(
  { webhookKinds }: Organization,
  further: readonly Pick<PlannedEndpoint, 'events'>[],
  first: { readonly hasUrl: boolean; readonly events: readonly EventKind[] | null },
): readonly EventKind[] | null {
  if (further.length === 0 && (webhookKinds === null || !first.hasUrl)) return null
  const all = [first, ...further].flatMap(({ events }) => events ?? STANDARD_KINDS)
  return [...new Set(all)]
}

/** The lanes whose deliveries end because their endpoint is removed. */
function removedLanes(
  { id, webhookKinds: kindsBefore }: Organization,
  before: readonly WebhookEndpoint[],
  after: readonly PlannedEndpoint[],
  { url, webhookKinds }: Pick<PlannedChange, 'url'> & Pick<Organization, 'webhookKinds'>,
): (string | null)[] {
  const kept = new Set(after.map((endpoint) => endpoint.id))
  const removed = before.filter((endpoint) => !kept.has(endpoint.id)).map((one) => one.id)
  // Entries without an endpoint belong to the first one, unless others may still get them.
  const belongsToFirst = kindsBefore === null || webhookKinds === null
  return [...removed, ...(url === null ? [id, ...(belongsToFirst ? [null] : [])] : [])]
}

async function storeFirst(
  tx: Tx,
  organizationId: string,
  before: WebhookEndpoint | undefined,
  {
    url,
    status,
    isShared,
  }: { readonly isShared: boolean } & Pick<PlannedChange, 'url'> &
    Partial<Pick<PlannedEndpoint, 'status'>>,
  at: Instant,
): Promise<void> {
  const state = await findFirstState(tx, organizationId)
  const isNew = url !== undefined && url !== before?.url
  const moved = url === null ? ACTIVE : isNew ? withNewUrl(state) : state
  const next = status === undefined ? moved : withStatus(moved, status, at)
  if (isShared || next !== state) tx.send(storeEndpointState(organizationId, organizationId, next))
}
