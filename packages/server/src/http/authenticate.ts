import { timingSafeEqual } from 'node:crypto'
import type { FastifyReply, FastifyRequest } from 'fastify'
import { type ApiKey, hasScope } from '../core/api-key.ts'
import { Problem } from '../errors.ts'
import type { StoredKey } from '../storage/api-keys.ts'
import type { LastUse } from '../storage/last-use.ts'
import { type GivenKey, parseApiKey } from '../storage/secrets/api-key-secret.ts'
import type { InFlight } from './in-flight.ts'
import type { KeyCache } from './key-cache.ts'
import type { RateLimit } from './rate-limit.ts'

/** The hash to compare with when there is no such key, so that both cases take the same steps. */
const NO_HASH = Buffer.alloc(32)

interface Authentication {
  readonly rateLimit: RateLimit
  readonly inFlight: InFlight
  readonly keys: KeyCache
  readonly keyUse: LastUse
  readonly now: () => number
}

/**
 * Sets `request.apiKey` and `request.organizationId`, or refuses. It runs before the body is read,
 * and waits only for a key that is not cached, or for its organization's turn.
 */
export function authenticate(
  request: FastifyRequest,
  reply: FastifyReply,
  parts: Authentication,
): Promise<void> | undefined {
  const given = readToken(request.headers.authorization)
  const found = given && parts.keys.find(given.publicId)
  if (!(found instanceof Promise)) return admit(request, reply, parts, verified(given, found))
  return found.then((stored) => admit(request, reply, parts, verified(given, stored)))
}

function admit(
  request: FastifyRequest,
  reply: FastifyReply,
  { keyUse, rateLimit, inFlight, now }: Authentication,
  stored: StoredKey | undefined,
): Promise<void> | undefined {
  const key = stored?.key
  if (!stored || !key || (key.expiresAt !== null && key.expiresAt <= now())) {
    throw new Problem(
      'unauthenticated',
      'Send an API key as "Authorization: Bearer psr_…". The one given is missing, mistyped, expired or revoked.',
    )
  }
  request.apiKey = key
  request.organizationId = key.organizationId
  request.plan = stored.plan
  rateLimit(request, reply)
  authorize(request, key)
  keyUse.note(key.organizationId, key.id)
  return inFlight(request, reply)
}

function readToken(header: string | undefined): GivenKey | undefined {
  const [, token] = /^Bearer ([\x21-\x7e]{1,200})$/i.exec(header ?? '') ?? []
  return token === undefined ? undefined : parseApiKey(token)
}

function verified(
  given: GivenKey | undefined,
  stored: StoredKey | undefined,
): StoredKey | undefined {
  const isMatch = given && timingSafeEqual(given.hash, stored?.hash ?? NO_HASH)
  return isMatch ? stored : undefined
}

function authorize(request: FastifyRequest, key: ApiKey): void {
  const { scope, agentKeys } = request.routeOptions.config
  if (scope !== undefined && !hasScope(key, scope)) {
    throw new Problem('insufficient_scope', `The API key needs the scope ${scope} for this.`, {
      extra: { requiredScope: scope },
    })
  }
  if (key.agentIds !== null && agentKeys !== 'allowed') {
    throw new Problem(
      'agent_bound_key',
      'The API key is bound to agents; such keys can never do this. Use a key of the organization.',
    )
  }
}
