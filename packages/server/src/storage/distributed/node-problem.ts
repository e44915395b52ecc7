import { Problem } from '../../base/errors.ts'
import { NODE_AWAY } from '../engine/storage-error.ts'
import type { NodeAddress } from './node-map.ts'

/** Such as `10.0.0.7:5432`. */
export function nameOf({ host, port }: NodeAddress): string {
  return `${host}:${port}`
}

/** For a request that was not begun, because the node of its organization does not answer. */
export function refusedFor(node: NodeAddress): Problem {
  const reason = new Error(`The node ${nameOf(node)} does not answer.`)
  const cause = Object.assign(reason, { code: NODE_AWAY })
  const detail =
    'The part of the database that holds this organization does not answer. Nothing was changed; retry shortly.'
  return new Problem('storage_unavailable', detail, { retryAfterSeconds: 2, cause })
}

/** For a request that was under way when its node stopped answering. Its outcome is unknown. */
export function lostWith(cause: unknown): Problem {
  const detail =
    'The part of the database that holds this organization stopped answering. Retry shortly; with an Idempotency-Key the request is executed at most once.'
  return new Problem('storage_unavailable', detail, { retryAfterSeconds: 2, cause })
}
