import { Type } from 'typebox'
import { invalidFields, Problem } from '../../base/errors.ts'
import { BOUND_KEY_SCOPES, scopesBeyond } from '../../core/api-key.ts'
import type { Principal } from '../../core/principal.ts'
import type { App } from '../../http/app.ts'
import {
  PagingFields,
  pageSchema,
  toPage,
  toPageRequest,
  toTimestamp,
} from '../../http/document/schemas.ts'
import type { Write } from '../../http/idempotency.ts'
import { findAgentIds } from '../../storage/agents.ts'
import { insertApiKey, listApiKeys } from '../../storage/api-keys.ts'
import type { Database, Tx } from '../../storage/engine/database.ts'
import { newId } from '../../storage/new-id.ts'
import { mintApiKey } from '../../storage/secrets/api-key-secret.ts'
import { requireAsker } from '../../storage/spending-stops.ts'
import { ApiKey, ApiKeyInput, CreatedApiKey, toApiKeyShape, toMaker } from './shape.ts'

interface ApiKeyParts {
  readonly db: Database
  readonly write: Write
  readonly now: () => number
  readonly keyKind: 'live' | 'test'
}

export function apiKeyRoutes(app: App, { db, write, now, keyKind }: ApiKeyParts): void {
  app.route({
    method: 'POST',
    url: '/api-keys',
    schema: {
      operationId: 'createApiKey',
      summary: 'Create an API key, which is shown only once',
      description:
        'A key can only grant scopes that it has itself, and the new key cannot expire later than it does.',
      tags: ['API keys'],
      body: ApiKeyInput,
      response: { 200: CreatedApiKey },
    },
    config: { scope: 'keys:write', sensitive: true },
    handler: (request, reply) =>
      write(request, reply, async (tx, record) => {
        const { organizationId, principal: creator, body } = request
        // A key created by a key that is being revoked at this moment would survive it, although the
        // caller revoked the key with everything that it created.
        await requireAsker(tx, creator, 'keys:write')
        const at = now()
        const agentIds = body.agentIds ?? null
        const scopes = body.scopes ?? (agentIds === null ? null : BOUND_KEY_SCOPES)
        checkDelegation(creator, scopes, (body.scopes ?? null) === null && agentIds !== null)
        const expiresAt = readExpiry(body.expiresAt, creator, at)
        if (agentIds !== null) await checkAgents(tx, organizationId, agentIds)
        const { token, publicId: prefix, hash } = mintApiKey(keyKind)
        const made = { createdAt: at, createdBy: toMaker(creator) }
        const key = { id: newId(at), name: body.name, scopes, agentIds, expiresAt, ...made }
        await insertApiKey(tx, organizationId, { ...key, publicId: prefix, hash })
        const shape = toApiKeyShape({ ...key, organizationId, prefix, lastUsedAt: null })
        record({
          operation: 'api_key.created',
          subjectId: shape.id,
          at,
          before: null,
          after: shape,
        })
        return { ...shape, apiKey: token }
      }),
  })

  app.route({
    method: 'GET',
    url: '/api-keys',
    schema: {
      operationId: 'listApiKeys',
      summary: 'List active API keys without their secrets, newest first',
      tags: ['API keys'],
      querystring: Type.Object(PagingFields, { additionalProperties: false }),
      response: { 200: pageSchema(ApiKey) },
    },
    config: { scope: 'keys:read' },
    handler: async ({ organizationId, query }) =>
      toPage(await listApiKeys(db, organizationId, toPageRequest(query)), toApiKeyShape),
  })
}

/** Otherwise a key with few scopes could create a key with all scopes. */
function checkDelegation(
  creator: Principal,
  scopes: Principal['scopes'],
  isDefault: boolean,
): void {
  const beyond = scopesBeyond(creator, { scopes })
  if (beyond.length === 0) return
  const lacks = `You can grant only scopes that you have, and you lack ${beyond.join(', ')}.`
  const advice =
    ' To grant fewer scopes than an agent-bound key gets by default, list them in `scopes`.'
  throw new Problem('insufficient_scope', isDefault ? `${lacks}${advice}` : lacks, {
    extra: { missingScopes: beyond },
  })
}

/**
 * A key cannot create a key that outlives it: without its own expiry, the new key expires with its
 * creator.
 */
function readExpiry(
  text: string | null | undefined,
  { expiresAt: end }: Principal,
  now: number,
): number | null {
  if (text === undefined || text === null) return end
  const at = Date.parse(text)
  if (at <= now) throw badExpiry('in_the_past', 'must be in the future')
  if (end !== null && at > end) throw badExpiry('too_late', `must not be after ${toTimestamp(end)}`)
  return at
}

function badExpiry(code: string, message: string): Problem {
  return invalidFields([{ path: '/expiresAt', code, message }])
}

async function checkAgents(
  tx: Tx,
  organizationId: string,
  agentIds: readonly string[],
): Promise<void> {
  const known = await findAgentIds(tx, organizationId, agentIds)
  const errors = agentIds.flatMap((id, index) =>
    known.has(id)
      ? []
      : [{ path: `/agentIds/${index}`, code: 'unknown', message: 'is not an agent of yours' }],
  )
  if (errors.length > 0) throw invalidFields(errors)
}
