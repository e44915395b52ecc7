import { type Static, Type } from 'typebox'
import {
  BOUND_KEY_SCOPES,
  type ApiKey as CoreApiKey,
  MADE_BY_CLI,
  SCOPES,
} from '../../core/api-key.ts'
import {
  AgentId,
  Name,
  nullable,
  publicId,
  Timestamp,
  toPublicId,
  toTimestamp,
} from '../../http/schemas.ts'

export const ApiKeyId = publicId('key', 'an API key')
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

const Warning = Type.Object(
  { code: Type.String(), message: Type.String() },
  { title: 'ApiKeyWarning', description: 'What should be changed about the key.' },
)

export const ApiKey = Type.Object(
  {
    id: ApiKeyId,
    name: Name,
    prefix: Type.String({ description: 'The public beginning of the key.' }),
    scopes: Type.Union([Scopes, Type.Null()], { description: 'Null: every scope.' }),
    agentIds: Type.Union([AgentIds, Type.Null()], { description: 'Null: not bound to agents.' }),
    expiresAt: nullable(Timestamp),
    lastUsedAt: Type.Union([Timestamp, Type.Null()], { description: 'To the minute.' }),
    createdAt: Timestamp,
    createdBy: Type.Union([ApiKeyId, Type.Literal(MADE_BY_CLI), Type.Null()], {
      description: 'The key that made it, or `cli` for the operator; null if it was not kept.',
    }),
    warnings: Type.Array(Warning),
  },
  { title: 'ApiKey' },
)

export const CreatedApiKey = Type.Object(
  {
    ...ApiKey.properties,
    apiKey: Type.String({ description: 'The key itself, shown only here.' }),
  },
  { title: 'CreatedApiKey' },
)

export const ApiKeyInput = Type.Object(
  {
    name: Name,
    scopes: Type.Optional(
      Type.Union([Scopes, Type.Null()], {
        description: `Without them, a key that is bound to agents gets ${BOUND_KEY_SCOPES.join(', ')}, and any other key every scope.`,
      }),
    ),
    agentIds: Type.Optional(nullable(AgentIds)),
    expiresAt: Type.Optional(nullable(Timestamp)),
  },
  {
    additionalProperties: false,
    title: 'ApiKeyInput',
    examples: [{ name: 'Research crew', scopes: ['gateway:write'] }],
  },
)

export function toApiKeyShape(key: CoreApiKey): Static<typeof ApiKey> {
  return {
    id: toPublicId('key', key.id),
    name: key.name,
    prefix: key.prefix,
    scopes: key.scopes && [...key.scopes],
    agentIds: key.agentIds && [...key.agentIds],
    expiresAt: toTimestamp(key.expiresAt),
    lastUsedAt: toTimestamp(key.lastUsedAt),
    createdAt: toTimestamp(key.createdAt),
    createdBy: makerOf(key),
    warnings: warningsOf(key),
  }
}

function makerOf({ createdBy }: CoreApiKey): string | null {
  if (createdBy === null || createdBy === MADE_BY_CLI) return createdBy
  return toPublicId('key', createdBy)
}

/** Keys that are bound to agents once got every scope when they were made without any. */
function warningsOf({ agentIds, scopes }: CoreApiKey): Static<typeof Warning>[] {
  if (agentIds === null || scopes !== null) return []
  const message = `The key is bound to agents and has every scope. Make another with only those it needs (${BOUND_KEY_SCOPES.join(', ')} are enough to spend), and revoke this one.`
  return [{ code: 'bound_key_has_every_scope', message }]
}
