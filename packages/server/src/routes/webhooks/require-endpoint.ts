import { Problem } from '../../base/errors.ts'
import { toPublicId } from '../../core/id.ts'
import { fromPublicId, publicId } from '../../http/document/schemas.ts'
import type { Tx } from '../../storage/engine/database.ts'
import { listEndpointIds } from '../../storage/webhooks/endpoints.ts'

export const EndpointId = publicId('whe', 'the endpoint')

/** Null is the first endpoint. Undefined: deliveries to all endpoints. */
export function endpointFilter(
  organizationId: string,
  given: string | undefined,
): string | null | undefined {
  if (given === undefined) return undefined
  const id = fromPublicId('whe', given)
  return id === organizationId ? null : id
}

/** Returns the id of the endpoint, or of the first one that there is. */
export async function requireEndpoint(
  tx: Tx,
  organizationId: string,
  endpointId?: string | undefined,
): Promise<string> {
  const ids = await listEndpointIds(tx, organizationId, 'all')
  const found = endpointId === undefined ? ids[0] : ids.find((id) => id === endpointId)
  if (found !== undefined) return found
  if (ids.length === 0 || endpointId === undefined || endpointId === organizationId) {
    throw new Problem(
      'webhook_not_configured',
      'The organization has no webhook URL. Set one first: in the console under Settings, Webhook, or with PATCH /organization.',
    )
  }
  throw endpointNotFound(endpointId)
}

export function endpointNotFound(endpointId: string): Problem {
  return new Problem(
    'webhook_endpoint_not_found',
    `Webhook endpoint ${toPublicId('whe', endpointId)} does not exist in this organization, or was removed.`,
  )
}
