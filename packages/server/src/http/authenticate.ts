import { timingSafeEqual } from 'node:crypto'
import type { FastifyReply, FastifyRequest } from 'fastify'
import { type ApiKey, hasScope } from '../core/api-key.ts'
import { Problem } from '../errors.ts'
import { parseApiKey } from '../storage/api-key-secret.ts'
import type { StoredKey } from '../storage/api-keys.ts'
import type { LastUse } from '../storage/last-use.ts'
import type { KeyCache } from './key-cache.ts'
import type { RateLimit } from './rate-limit.ts'

/** Compared against when there is no such key, so that both cases take the same steps. */
const NO_HASH = Buffer.alloc(32)

interface Authentication {
  readonly rateLimit: RateLimit
  readonly keys: KeyCache
  readonly keyUse: LastUse
  readonly now: () => number
}

/** Sets `request.apiKey` and `request.organizationId`, or refuses. Runs before the body is read. */
export async function authenticate(
  request: FastifyRequest,
  reply: FastifyReply,
  { keys, keyUse, rateLimit, now }: Authentication,
): Promise<void> {
  const stored = await findKey(request.headers.authorization, keys)
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
}

async function findKey(header: string | undefined, keys: KeyCache): Promise<StoredKey | undefined> {
  const [, token] = /^Bearer ([\x21-\x7e]{1,200})$/i.exec(header ?? '') ?? []
  const given = token === undefined ? undefined : parseApiKey(token)
  if (!given) return undefined
  const stored = await keys.find(given.publicId)
  const matches = timingSafeEqual(given.hash, stored?.hash ?? NO_HASH)
  return matches ? stored : undefined
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
