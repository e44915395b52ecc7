import { receiverOf } from '../../core/change.ts'
import type { Instant } from '../../core/time/instant.ts'
import {
  ACTIVE,
  type WebhookEndpoint,
  withNewUrl,
  withStatus,
} from '../../core/webhook-endpoint.ts'
import type { Tx } from '../../storage/engine/database.ts'
import { newId } from '../../storage/new-id.ts'
import type { Sealer } from '../../storage/secrets/sealed.ts'
import {
  hintOf,
  newWebhookSecret,
  webhookSecretPurpose,
} from '../../storage/secrets/webhook-secret.ts'
import {
  deleteEndpoint,
  findUrlIds,
  insertEndpoint,
  storeEndpointState,
  updateEndpoint,
} from '../../storage/webhooks/endpoints.ts'
import { insertUrl, retireUrl } from '../../storage/webhooks/urls.ts'
import type { PlannedEndpoint } from './plan-endpoints.ts'

interface Place {
  readonly tx: Tx
  readonly sealer: Sealer
  readonly organizationId: string
  readonly at: Instant
  /** The ids of the sealed URLs before the change, by endpoint. */
  readonly urlIds: ReadonlyMap<string, string>
}

/**
 * Stores the endpoints other than the first one: removes, creates and changes. The caller has locked
 * them. Returns the secrets of new endpoints by id.
 */
export async function storeFurther(
  tx: Tx,
  sealer: Sealer,
  organizationId: string,
  before: readonly WebhookEndpoint[],
  planned: readonly PlannedEndpoint[],
  at: Instant,
): Promise<Map<string, string>> {
  const secrets = new Map<string, string>()
  if (before.length + planned.length === 0) return secrets
  const place = { tx, sealer, organizationId, at, urlIds: await findUrlIds(tx, organizationId) }
  for (const { id } of before) {
    if (planned.some((endpoint) => endpoint.id === id)) continue
    retire(place, id)
    tx.send(deleteEndpoint(organizationId, id))
  }
  for (const endpoint of planned) {
    const old = before.find(({ id }) => id === endpoint.id)
    if (old) changeOne(place, old, endpoint)
    else secrets.set(...createOne(place, endpoint))
  }
  return secrets
}

/** Returns the id and the secret of the new endpoint. */
function createOne(place: Place, { url, events, status = 'active' }: PlannedEndpoint) {
  const { tx, sealer, organizationId, at } = place
  const id = newId(at)
  const secret = newWebhookSecret()
  const endpoint = {
    id,
    receiver: receiverOf(url),
    urlId: seal(place, url),
    events,
    secret: sealer.seal(organizationId, webhookSecretPurpose(organizationId, id), secret),
    secretHint: hintOf(secret),
    state: withStatus(ACTIVE, status, at),
  }
  tx.send(insertEndpoint(organizationId, endpoint, at))
  return [id, secret] as const
}

function changeOne(
  place: Place,
  old: WebhookEndpoint,
  { url, events, status }: PlannedEndpoint,
): void {
  const { tx, organizationId, at, urlIds } = place
  const isMoved = url !== old.url
  if (isMoved) retire(place, old.id)
  // A leaf of the audit log names the copy, so an unchanged URL keeps its copy.
  const urlId = isMoved ? seal(place, url) : (urlIds.get(old.id) ?? null)
  tx.send(updateEndpoint(organizationId, { id: old.id, receiver: receiverOf(url), urlId, events }))
  const state = isMoved ? withNewUrl(old) : old
  const next = status === undefined ? state : withStatus(state, status, at)
  if (next !== old) tx.send(storeEndpointState(organizationId, old.id, next))
}

/** Stores the whole URL encrypted, and returns the id of the copy. */
function seal({ tx, sealer, organizationId, at }: Place, url: string): string {
  const id = newId(at)
  tx.send(insertUrl(sealer, organizationId, { id, url }, null))
  return id
}

function retire({ tx, organizationId, at, urlIds }: Place, endpointId: string): void {
  const urlId = urlIds.get(endpointId)
  if (urlId !== undefined) tx.send(retireUrl(organizationId, urlId, at))
}
