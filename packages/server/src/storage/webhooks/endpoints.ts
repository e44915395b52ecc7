import type { EventKind } from '../../core/events/event.ts'
import { type Instant, toIso } from '../../core/time/instant.ts'
import { ACTIVE, type EndpointState, type WebhookEndpoint } from '../../core/webhook-endpoint.ts'
import type { Queryable, Statement, Tx } from '../engine/database.ts'
import type { NewWebhookSecret } from '../organizations.ts'
import type { Sealer } from '../secrets/sealed.ts'
import { openUrl, type StoredUrl } from './urls.ts'

const STATE = `e.is_paused as "isPaused", e.paused_at as "pausedAt", e.failing_since as "failingSince"`

type Row = Omit<WebhookEndpoint, 'url'> & StoredUrl

/** All endpoints with their whole URLs: the first one if it has a URL, then the others by age. */
export async function listEndpoints(
  db: Queryable,
  sealer: Sealer,
  organizationId: string,
): Promise<WebhookEndpoint[]> {
  const rows = await db.query<Row>({
    text: `
      select o.id, o.webhook_url as url, o.webhook_url_id as "urlId", u.sealed as "sealedUrl",
             o.webhook_events as events, o.webhook_secret_hint as "secretHint",
             o.webhook_secret_rotated_at as "secretRotatedAt",
             o.webhook_previous_secret_until as "previousSecretUntil",
             coalesce(e.is_paused, false) as "isPaused", e.paused_at as "pausedAt",
             e.failing_since as "failingSince", e.created_at as "createdAt"
      from organizations o
      left join webhook_endpoints e on e.organization_id = o.id and e.id = o.id
      left join webhook_urls u on u.organization_id = o.id and u.id = o.webhook_url_id
      where o.id = $1 and o.webhook_url is not null
      union all
      (select e.id, e.url, e.url_id, u.sealed, e.events, e.secret_hint, e.secret_rotated_at,
              e.previous_secret_until, e.is_paused, e.paused_at, e.failing_since, e.created_at
       from webhook_endpoints e
       left join webhook_urls u on u.organization_id = e.organization_id and u.id = e.url_id
       where e.organization_id = $1 and e.id <> $1 order by e.id)`,
    values: [organizationId],
  })
  return rows.map(({ urlId, sealedUrl, url, ...row }) => ({
    ...row,
    url: openUrl(sealer, organizationId, { url, urlId, sealedUrl }) ?? '',
  }))
}

/**
 * Locks the endpoints before a change. The fan-out of events takes a share lock, so an endpoint that is
 * removed gets no further entries in the queue. A transaction that locks both locks endpoints first.
 */
export async function lockEndpoints(tx: Tx, organizationId: string): Promise<void> {
  await tx.query({
    text: 'select 1 from webhook_endpoints where organization_id = $1 order by id for update',
    values: [organizationId],
  })
}

/** The state of the first endpoint, also while it has no URL. */
export async function findFirstState(
  db: Queryable,
  organizationId: string,
): Promise<EndpointState> {
  const [row] = await db.query<EndpointState>({
    text: `select ${STATE} from webhook_endpoints e where e.organization_id = $1 and e.id = $1`,
    values: [organizationId],
  })
  return row ?? ACTIVE
}

export interface NewEndpoint {
  readonly id: string
  /** The receiver, and the id of the sealed copy of the whole URL. */
  readonly receiver: string
  readonly urlId: string
  readonly events: readonly EventKind[] | null
  readonly secret: Buffer
  readonly secretHint: string
  readonly state: EndpointState
}

/** Creates an endpoint, which receives the events that are committed from now on. */
export function insertEndpoint(
  organizationId: string,
  endpoint: NewEndpoint,
  at: Instant,
): Statement {
  const { id, receiver, urlId, events, secret, secretHint, state } = endpoint
  return {
    text: `
      insert into webhook_endpoints (organization_id, id, url, url_id, events, secret, secret_hint,
                                     secret_rotated_at, is_paused, paused_at, created_at, after_number)
      select f.organization_id, $2::uuid, $3, $4::uuid, $5::text[], $6::bytea, $7,
             $8::timestamptz, $9::boolean, $10::timestamptz, $8::timestamptz, f.last_number
      from event_feeds f where f.organization_id = $1`,
    values: [
      organizationId,
      id,
      receiver,
      urlId,
      events,
      secret,
      secretHint,
      toIso(at),
      state.isPaused,
      state.pausedAt === null ? null : toIso(state.pausedAt),
    ],
  }
}

/** Changes an endpoint other than the first one. */
export function updateEndpoint(
  organizationId: string,
  {
    id,
    receiver,
    urlId,
    events,
  }: Pick<NewEndpoint, 'id' | 'receiver' | 'events'> & { readonly urlId: string | null },
): Statement {
  return {
    text: `update webhook_endpoints set url = $3, url_id = $4, events = $5
           where organization_id = $1 and id = $2`,
    values: [organizationId, id, receiver, urlId, events],
  }
}

/** Stores the state of any endpoint. The first one gets its row with its first state. */
export function storeEndpointState(
  organizationId: string,
  id: string,
  { isPaused, pausedAt, failingSince }: EndpointState,
): Statement {
  return {
    text: `
      insert into webhook_endpoints (organization_id, id, is_paused, paused_at, failing_since)
      values ($1, $2, $3, $4, $5)
      on conflict (organization_id, id) do update
      set is_paused = excluded.is_paused, paused_at = excluded.paused_at,
          failing_since = excluded.failing_since`,
    values: [
      organizationId,
      id,
      isPaused,
      pausedAt === null ? null : toIso(pausedAt),
      failingSince === null ? null : toIso(failingSince),
    ],
  }
}

/** The caller has locked the endpoints and has canceled its deliveries. */
export function deleteEndpoint(organizationId: string, id: string): Statement {
  return {
    text: 'delete from webhook_endpoints where organization_id = $1 and id = $2',
    values: [organizationId, id],
  }
}

/** The ids of the sealed URLs of endpoints other than the first one. */
export async function findUrlIds(tx: Tx, organizationId: string): Promise<Map<string, string>> {
  const rows = await tx.query<{ id: string; urlId: string }>({
    text: `select id, url_id as "urlId" from webhook_endpoints
           where organization_id = $1 and url_id is not null`,
    values: [organizationId],
  })
  return new Map(rows.map(({ id, urlId }) => [id, urlId]))
}

/**
 * The endpoints that deliveries can go to: those that exist, or of them those that are not paused.
 * The id of the first one is the organization's.
 */
export async function listEndpointIds(
  db: Queryable,
  organizationId: string,
  which: 'all' | 'active',
): Promise<string[]> {
  const isWanted = which === 'all' ? '' : 'and e.paused_at is null'
  const rows = await db.query<{ id: string }>({
    text: `
      select o.id from organizations o
      left join webhook_endpoints e on e.organization_id = o.id and e.id = o.id
      where o.id = $1 and o.webhook_url is not null ${isWanted}
      union all
      (select e.id from webhook_endpoints e
       where e.organization_id = $1 and e.id <> $1 ${isWanted} order by e.id)`,
    values: [organizationId],
  })
  return rows.map(({ id }) => id)
}

/** The parts of the secret of a further endpoint that may be shown. Undefined: there is none. */
export async function findEndpointSecret(
  tx: Tx,
  organizationId: string,
  id: string,
): Promise<{ readonly hint: string; readonly rotatedAt: Instant } | undefined> {
  const [row] = await tx.query<{ hint: string; rotatedAt: Instant }>({
    text: `select secret_hint as hint, secret_rotated_at as "rotatedAt" from webhook_endpoints
           where organization_id = $1 and id = $2 and url is not null`,
    values: [organizationId, id],
  })
  return row
}

/** Replaces the secret of an endpoint other than the first one. */
export function replaceEndpointSecret(
  organizationId: string,
  id: string,
  { sealed, hint, previousUntil }: NewWebhookSecret,
  at: Instant,
): Statement {
  return {
    text: `
      update webhook_endpoints
      set previous_secret = case when $5::timestamptz is null then null else secret end,
          previous_secret_until = $5, secret = $3, secret_hint = $4, secret_rotated_at = $6
      where organization_id = $1 and id = $2`,
    values: [
      organizationId,
      id,
      sealed,
      hint,
      previousUntil === null ? null : toIso(previousUntil),
      toIso(at),
    ],
  }
}
