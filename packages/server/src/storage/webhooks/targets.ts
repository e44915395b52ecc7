import type { Instant } from '../../core/time/instant.ts'
import type { Queryable } from '../engine/database.ts'
import type { Lane } from './lanes.ts'
import type { StoredUrl } from './urls.ts'

/** The URL that a lane's events are sent to, and the sealed secrets that sign them. */
export interface WebhookTarget extends StoredUrl {
  readonly secret: Buffer
  readonly previousSecret: Buffer | null
  readonly previousSecretUntil: Instant | null
  readonly isPaused: boolean
  /** The first failed attempt since the last one that succeeded. */
  readonly failingSince: Instant | null
  /** Whether the organization has, or had, several endpoints. */
  readonly isShared: boolean
}

/** Returns undefined if the endpoint was removed. */
export async function findWebhookTarget(
  db: Queryable,
  { organizationId, endpointId }: Lane,
): Promise<WebhookTarget | undefined> {
  const isFirst = endpointId === null || endpointId === organizationId
  const [target] = await db.query<WebhookTarget>(
    isFirst
      ? { name: 'find-webhook-target', text: FIRST, values: [organizationId] }
      : { name: 'find-endpoint-target', text: FURTHER, values: [organizationId, endpointId] },
  )
  return target
}

const FIRST = `
  select o.webhook_url as url, o.webhook_url_id as "urlId", u.sealed as "sealedUrl",
         o.webhook_secret as secret, o.webhook_previous_secret as "previousSecret",
         o.webhook_previous_secret_until as "previousSecretUntil",
         e.paused_at is not null as "isPaused", e.failing_since as "failingSince",
         o.webhook_kinds is not null as "isShared"
  from organizations o
  left join webhook_endpoints e on e.organization_id = o.id and e.id = o.id
  left join webhook_urls u on u.organization_id = o.id and u.id = o.webhook_url_id
  where o.id = $1`

const FURTHER = `
  select e.url, e.url_id as "urlId", u.sealed as "sealedUrl", e.secret,
         e.previous_secret as "previousSecret", e.previous_secret_until as "previousSecretUntil",
         e.paused_at is not null as "isPaused", e.failing_since as "failingSince",
         true as "isShared"
  from webhook_endpoints e
  left join webhook_urls u on u.organization_id = e.organization_id and u.id = e.url_id
  where e.organization_id = $1 and e.id = $2`
