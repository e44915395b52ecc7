import { Type } from 'typebox'
import { invalidFields, Problem } from '../../base/errors.ts'
import { BOUND_KEY_SCOPES, scopesBeyond } from '../../core/api-key.ts'
import type { Principal } from '../../core/principal.ts'
import type { Instant } from '../../core/time/instant.ts'
import { pageWithNames } from '../../http/actor-names.ts'
import type { App } from '../../http/app.ts'
import {
  AgentId,
  PagingFields,
  pageSchema,
  toPage,
  toPageRequest,
  toTimestamp,
} from '../../http/document/schemas.ts'
import type { Write } from '../../http/idempotency.ts'
import { findAgentIds } from '../../storage/agents.ts'
import { insertApiKey, listApiKeys } from '../../storage/api-keys.ts'
import type { DatabaseClock } from '../../storage/engine/clock.ts'
import type { Database, Tx } from '../../storage/engine/database.ts'
import { newId } from '../../storage/new-id.ts'
import { mintApiKey } from '../../storage/secrets/api-key-secret.ts'
import { requireAsker } from '../../storage/spending-stops.ts'
import { endReplaced, findReplaced, type KeyTerms, termsOf } from './replacement.ts'
import {
  ApiKey,
  ApiKeyInput,
  CreatedApiKey,
  toApiKeyShape,
  toListedShape,
  toMaker,
} from './shape.ts'

interface ApiKeyParts {
  readonly db: Database
  readonly write: Write
  readonly now: () => number
  readonly clock: DatabaseClock
  readonly keyKind: 'live' | 'test'
}

export function apiKeyRoutes(app: App, { db, write, now, clock, keyKind }: ApiKeyParts): void {
  app.route({
    method: 'POST',
    url: '/api-keys',
    schema: {
      operationId: 'createApiKey',
      summary: 'Create an API key, which is shown only once',
      description:
        'A key can only grant scopes that it has itself, and the new key cannot expire later than it does. With `replaces`, the new key takes the place of an older one, which remains valid for `overlapSeconds`. While the organization has no owner or admin, the last key that can manage keys can only be replaced by one that can manage keys too.',
      tags: ['API keys'],
      body: ApiKeyInput,
      response: { 200: CreatedApiKey },
    },
    config: {
      scope: 'keys:write',
      sensitive: true,
      problems: ['api_key_not_found', 'last_managing_key'],
    },
    handler: (request, reply) =>
      write(request, reply, async (tx, record) => {
        const { organizationId, principal: creator } = request
        const replaced = await findReplaced(tx, creator, request.body)
        const body = termsOf(request.body, replaced)
        // A key created by a key that is being revoked at this moment would survive it, although the
        // caller revoked the key with everything that it created.
        await requireAsker(tx, creator, 'keys:write')
        const at = replaced ? await clock(tx) : now()
        const { agentIds, scopes, expiresAt } = grantedBy(creator, body, at)
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
        if (replaced) {
          const { overlapSeconds = 0 } = request.body
          await endReplaced(tx, record, { replaced, replacedBy: shape.id, overlapSeconds, at })
        }
        return { ...shape, apiKey: token }
      }),
  })

  app.route({
    method: 'GET',
    url: '/api-keys',
    schema: {
      operationId: 'listApiKeys',
      summary: 'List API keys without their secrets, newest first',
      description: 'Without `status`, the list has the keys that are not revoked.',
      tags: ['API keys'],
      querystring: Type.Object(
        {
          ...PagingFields,
          agentId: Type.Optional({
            ...AgentId,
            description: 'Only keys that are bound to this agent.',
          }),
          status: Type.Enum(['active', 'revoked', 'all'], {
            type: 'string',
            default: 'active',
            description:
              '`active` (default): keys that are not revoked, also expired ones. `revoked`: only revoked keys. `all`: both.',
          }),
        },
        { additionalProperties: false },
      ),
      response: { 200: pageSchema(ApiKey) },
    },
    config: { scope: 'keys:read' },
    handler: async (request) => {
      const { organizationId, query } = request
      const { agentId, status } = query
      const filter = { agentId, status }
      const page = await listApiKeys(db, organizationId, filter, toPageRequest(query))
      return pageWithNames(db, request, 'createdBy', toPage(page, toListedShape))
    },
  })
}

/** The reach of the new key, which the creator must be able to grant. */
function grantedBy(creator: Principal, terms: KeyTerms, at: Instant) {
  const agentIds = terms.agentIds ?? null
  const isDefault = (terms.scopes ?? null) === null && agentIds !== null
  const scopes = isDefault ? BOUND_KEY_SCOPES : (terms.scopes ?? null)
  checkDelegation(creator, scopes, isDefault)
  return { agentIds, scopes, expiresAt: readExpiry(terms.expiresAt, creator, at) }
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
