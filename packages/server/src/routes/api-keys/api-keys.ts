import { type Static, Type } from 'typebox'
import { type ApiKey as CoreApiKey, hasScope, SCOPES } from '../core/api-key.ts'
import { invalidFields, Problem } from '../errors.ts'
import type { App } from '../http/app.ts'
import type { Write } from '../http/idempotency.ts'
import {
  AgentId,
  fromPublicId,
  Name,
  nullable,
  PagingFields,
  pageSchema,
  publicId,
  Timestamp,
  toPage,
  toPageRequest,
  toPublicId,
  toTimestamp,
} from '../http/schemas.ts'
import { findAgentIds } from '../storage/agents.ts'
import { insertApiKey, listApiKeys, revokeApiKey } from '../storage/api-keys.ts'
import type { Database, Tx } from '../storage/engine/database.ts'
import { newId } from '../storage/new-id.ts'
import { mintApiKey } from '../storage/secrets/api-key-secret.ts'

const ApiKeyId = publicId('key', 'an API key')
const ScopeName = Type.Enum([...SCOPES], { type: 'string' })
const Scopes = Type.Array(ScopeName, {
  minItems: 1,
  maxItems: SCOPES.length,
  uniqueItems: true,
  description: 'What the key may do; a write scope includes reading.',
  examples: [['gateway:write', 'transactions:read']],
})
const AgentIds = Type.Array(AgentId, {
  minItems: 1,
  maxItems: 100,
  uniqueItems: true,
  description: 'The key acts only for these agents, and can never approve or change a mandate.',
})

const ApiKey = Type.Object(
  {
    id: ApiKeyId,
    name: Name,
    prefix: Type.String({ description: 'The public beginning of the key.' }),
    scopes: Type.Union([Scopes, Type.Null()], { description: 'Null: every scope.' }),
    agentIds: Type.Union([AgentIds, Type.Null()], { description: 'Null: not bound to agents.' }),
    expiresAt: nullable(Timestamp),
    lastUsedAt: Type.Union([Timestamp, Type.Null()], { description: 'To the minute.' }),
    createdAt: Timestamp,
  },
  { title: 'ApiKey' },
)

const CreatedApiKey = Type.Object(
  {
    ...ApiKey.properties,
    apiKey: Type.String({ description: 'The key itself, shown only here.' }),
  },
  { title: 'CreatedApiKey' },
)

const ApiKeyInput = Type.Object(
  {
    name: Name,
    scopes: Type.Optional(nullable(Scopes)),
    agentIds: Type.Optional(nullable(AgentIds)),
    expiresAt: Type.Optional(nullable(Timestamp)),
  },
  {
    additionalProperties: false,
    title: 'ApiKeyInput',
    examples: [{ name: 'Research crew', scopes: ['gateway:write'] }],
  },
)

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
      summary: 'Create an API key; it is shown once',
      description: 'A key can give only the scopes it has itself, and no longer life than its own.',
      tags: ['API keys'],
      body: ApiKeyInput,
      response: { 200: CreatedApiKey },
    },
    config: { scope: 'keys:write' },
    handler: (request, reply) =>
      write(request, reply, async (tx) => {
        const { organizationId, apiKey: creator, body } = request
        const at = now()
        const scopes = body.scopes ?? null
        checkDelegation(creator, scopes)
        const expiresAt = readExpiry(body.expiresAt, creator, at)
        const agentIds = body.agentIds ?? null
        if (agentIds !== null) await checkAgents(tx, organizationId, agentIds)
        const { token, publicId: prefix, hash } = mintApiKey(keyKind)
        const key = { id: newId(at), name: body.name, scopes, agentIds, expiresAt, createdAt: at }
        await insertApiKey(tx, organizationId, { ...key, publicId: prefix, hash })
        const shape = toApiKeyShape({ ...key, organizationId, prefix, lastUsedAt: null })
        return { ...shape, apiKey: token }
      }),
  })

  app.route({
    method: 'GET',
    url: '/api-keys',
    schema: {
      operationId: 'listApiKeys',
      summary: 'List live API keys, newest first, without their secrets',
      tags: ['API keys'],
      querystring: Type.Object(PagingFields, { additionalProperties: false }),
      response: { 200: pageSchema(ApiKey) },
    },
    config: { scope: 'keys:read' },
    handler: async ({ organizationId, query }) =>
      toPage(await listApiKeys(db, organizationId, toPageRequest(query)), toApiKeyShape),
  })

  app.route({
    method: 'DELETE',
    url: '/api-keys/:id',
    schema: {
      operationId: 'revokeApiKey',
      summary: 'Revoke an API key; every process refuses it within a second',
      tags: ['API keys'],
      params: Type.Object({ id: ApiKeyId }),
      response: { 200: Type.Object({ id: ApiKeyId, revoked: Type.Literal(true) }) },
    },
    config: { scope: 'keys:write', problems: ['api_key_not_found'] },
    handler: async ({ organizationId, params }) => {
      const id = fromPublicId('key', params.id)
      const revoked = await revokeApiKey(db, organizationId, id, now())
      if (revoked) return { id: params.id, revoked: true as const }
      throw new Problem(
        'api_key_not_found',
        `There is no live API key ${params.id} in this organization.`,
      )
    },
  })
}

/** Otherwise a key with few scopes could create a key with all scopes. */
function checkDelegation(creator: CoreApiKey, scopes: CoreApiKey['scopes']): void {
  const asked = scopes ?? SCOPES
  const beyond = asked.filter((scope) => !hasScope(creator, scope))
  if (beyond.length === 0) return
  throw new Problem(
    'insufficient_scope',
    `A key can give only scopes it has itself, and yours lacks ${beyond.join(', ')}.`,
    { extra: { missingScopes: beyond } },
  )
}

/**
 * A key cannot create one that outlives it: without its own expiry, the new key ends with its
 * creator.
 */
function readExpiry(
  text: string | null | undefined,
  { expiresAt: end }: CoreApiKey,
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

function toApiKeyShape(key: CoreApiKey): Static<typeof ApiKey> {
  return {
    id: toPublicId('key', key.id),
    name: key.name,
    prefix: key.prefix,
    scopes: key.scopes && [...key.scopes],
    agentIds: key.agentIds && [...key.agentIds],
    expiresAt: toTimestamp(key.expiresAt),
    lastUsedAt: toTimestamp(key.lastUsedAt),
    createdAt: toTimestamp(key.createdAt),
  }
}
