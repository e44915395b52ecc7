import { type Static, Type } from 'typebox'
import { actorText } from '../../core/actor.ts'
import { BOUND_KEY_SCOPES, type ApiKey as CoreApiKey, SCOPES } from '../../core/api-key.ts'
import { isUuid, toPublicId } from '../../core/id.ts'
import type { Principal } from '../../core/principal.ts'
import { EXAMPLE_TIME, exampleId } from '../../http/document/examples.ts'
import {
  ActorName,
  ActorsOwnName,
  AgentId,
  Name,
  nullable,
  publicId,
  Timestamp,
  timeWhen,
  toTimestamp,
} from '../../http/document/schemas.ts'
import type { ListedApiKey } from '../../storage/api-keys.ts'

const OVERLAP_MAX_S = 604_800

export const ApiKeyId = publicId('key', 'the API key')
const ScopeName = Type.Enum([...SCOPES], { type: 'string' })
const Scopes = Type.Array(ScopeName, {
  minItems: 1,
  maxItems: SCOPES.length,
  uniqueItems: true,
  description: 'The operations that the key may call. A write scope includes the read scope.',
  examples: [['gateway:write', 'transactions:read']],
})
const AgentIds = Type.Array(AgentId, {
  minItems: 1,
  maxItems: 100,
  uniqueItems: true,
  description:
    'Binds the key to these agents, at most 100. An agent-bound key acts only for its agents and can never approve requests or change mandates.',
})

const Warning = Type.Object(
  {
    code: Type.String({ description: "The warning's code." }),
    message: Type.String({ description: 'The recommended change and its reason.' }),
  },
  {
    title: 'ApiKeyWarning',
    description: 'A warning about something that you should change about the key.',
  },
)

const KEY_EXAMPLE = {
  id: exampleId('key'),
  name: 'Research crew',
  prefix: 'psr_test_tO37c3B8j5',
  scopes: ['gateway:write'],
  agentIds: null,
  expiresAt: null,
  lastUsedAt: null,
  createdAt: EXAMPLE_TIME,
  createdBy: 'cli',
  warnings: [],
}

export const ApiKey = Type.Object(
  {
    id: ApiKeyId,
    name: Name,
    prefix: Type.String({ description: 'The public prefix of the key.' }),
    scopes: Type.Union([Scopes, Type.Null()], {
      description: 'The operations that the key may call. Null: every scope.',
    }),
    agentIds: Type.Union([AgentIds, Type.Null()], {
      description: 'The agents that the key is bound to. Null: the key is not bound to agents.',
    }),
    expiresAt: nullable(timeWhen('When the key expires', 'Null: never.')),
    lastUsedAt: Type.Union([Timestamp, Type.Null()], {
      description:
        'When the key was last used (ISO 8601, UTC), accurate to the minute. Null if it was never used.',
    }),
    createdAt: Timestamp,
    createdBy: ActorName,
    createdByName: ActorsOwnName,
    revokedAt: Type.Optional(
      nullable(
        timeWhen('When the key was revoked', 'Null if it was not. Only in the list of keys.'),
      ),
    ),
    warnings: Type.Array(Warning, { description: 'Warnings about the key, usually none.' }),
  },
  { title: 'ApiKey', examples: [KEY_EXAMPLE] },
)

export const CreatedApiKey = Type.Object(
  {
    ...ApiKey.properties,
    apiKey: Type.String({ description: 'The API key itself. Only this response shows it.' }),
  },
  {
    title: 'CreatedApiKey',
    examples: [
      { ...KEY_EXAMPLE, apiKey: 'psr_test_tO37c3B8j5_9S871ghlM8vM2agETTDhtLTe8XFwFaoD1AaNhI' },
    ],
  },
)

export const ApiKeyInput = Type.Object(
  {
    name: Type.Optional({
      ...Name,
      description:
        'A name for people to read, 1 to 120 characters, without control and invisible characters. Required unless `replaces` is sent.',
    }),
    scopes: Type.Optional(
      Type.Union([Scopes, Type.Null()], {
        description: `The operations that the key may call. Default: ${BOUND_KEY_SCOPES.join(', ')} for an agent-bound key, and every scope for any other key.`,
      }),
    ),
    agentIds: Type.Optional(nullable(AgentIds)),
    replaces: Type.Optional({
      ...ApiKeyId,
      description:
        'Rotates this key: the new key takes its name, scopes and agents, unless you send others, and the replaced key expires after `overlapSeconds`.',
    }),
    overlapSeconds: Type.Optional(
      Type.Integer({
        minimum: 0,
        maximum: OVERLAP_MAX_S,
        description:
          'How many seconds the replaced key remains valid, at most 7 days. Default: 0, it expires at once. A key never gets a later expiry than it has.',
      }),
    ),
    expiresAt: Type.Optional(nullable(timeWhen('When the key expires', 'Null (default): never.'))),
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

/** The key in a list, which may have revoked keys. */
export function toListedShape(key: ListedApiKey): Static<typeof ApiKey> {
  return { ...toApiKeyShape(key), revokedAt: toTimestamp(key.revokedAt) }
}

/** For a creating key, only its id is stored; the revocation of created keys searches by it. */
function makerOf({ createdBy }: CoreApiKey): string | null {
  return createdBy !== null && isUuid(createdBy) ? toPublicId('key', createdBy) : createdBy
}

/** The stored name of a key's creator. */
export function toMaker(principal: Principal): string {
  return principal.kind === 'key' ? principal.id : actorText(principal)
}

/** Agent-bound keys that were created without scopes used to get every scope. */
function warningsOf({ agentIds, scopes }: CoreApiKey): Static<typeof Warning>[] {
  if (agentIds === null || scopes !== null) return []
  const message = `The key is bound to agents and has every scope. Create a key with only the scopes it needs (${BOUND_KEY_SCOPES.join(', ')} are enough to spend), and revoke this one.`
  return [{ code: 'bound_key_has_every_scope', message }]
}
