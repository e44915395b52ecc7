import { Type } from 'typebox'
import { Problem } from '../../base/errors.ts'
import { type ApiKey, scopesBeyond } from '../../core/api-key.ts'
import { toPublicId } from '../../core/id.ts'
import { rolesWith } from '../../core/people/role.ts'
import type { Principal } from '../../core/principal.ts'
import type { Instant } from '../../core/time/instant.ts'
import type { App } from '../../http/app.ts'
import { exampleId } from '../../http/document/examples.ts'
import { fromPublicId } from '../../http/document/schemas.ts'
import { recordedTransaction } from '../../http/record-change.ts'
import { alwaysStops } from '../../http/stops.ts'
import type { DatabaseClock } from '../../storage/engine/clock.ts'
import type { Database, Tx } from '../../storage/engine/database.ts'
import {
  findApiKey,
  hasManagerBesides,
  listKeysMadeBy,
  revokeApiKeys,
} from '../../storage/key-revocation.ts'
import { lockOrganization } from '../../storage/organizations.ts'
import { countMembers } from '../../storage/people/members.ts'
import { ApiKeyId, toApiKeyShape } from './shape.ts'

interface RevocationParts {
  readonly db: Database
  readonly clock: DatabaseClock
}

export function apiKeyRevocationRoutes(app: App, { db, clock }: RevocationParts): void {
  app.route({
    method: 'DELETE',
    url: '/api-keys/:id',
    schema: {
      operationId: 'revokeApiKey',
      summary: 'Revoke an API key within a second',
      description:
        'Every gateway process refuses the key within a second, and its open event streams and exports end. A key can only revoke keys whose scopes it has itself. The last key that can manage keys cannot be revoked while the organization has no owner or admin, who could create another one.',
      tags: ['API keys'],
      params: Type.Object({ id: ApiKeyId }),
      querystring: Type.Object(
        {
          withDescendants: Type.Boolean({
            default: false,
            description:
              'If true, also revoke all keys that this key has created, directly or through other keys.',
          }),
        },
        { additionalProperties: false },
      ),
      response: {
        200: Type.Object(
          {
            id: ApiKeyId,
            revoked: Type.Literal(true, { description: 'The key is revoked.' }),
            revokedKeys: Type.Integer({
              description: 'How many keys were revoked, including this one.',
            }),
          },
          {
            title: 'RevokedApiKey',
            examples: [{ id: exampleId('key'), revoked: true, revokedKeys: 1 }],
          },
        ),
      },
    },
    config: {
      scope: 'keys:write',
      stops: alwaysStops,
      problems: ['api_key_not_found', 'last_managing_key'],
    },
    handler: (request) =>
      recordedTransaction(db, request, async (tx, record) => {
        const { organizationId, principal: caller, params, query } = request
        const id = fromPublicId('key', params.id)
        // Otherwise each of two concurrent revocations would count on the other's key to remain.
        const [, now] = await Promise.all([lockOrganization(tx, organizationId), clock(tx)])
        const [key, ...made] = await keysToRevoke(tx, organizationId, id, query.withDescendants)
        for (const each of [key, ...made]) checkReach(caller, each)
        const ids = [key, ...made].map((each) => each.id)
        await requireOtherManager(tx, organizationId, ids, now)
        await revokeApiKeys(tx, organizationId, ids, now)
        const revoked = { id: params.id, revoked: true as const, revokedKeys: ids.length }
        record({
          operation: 'api_key.revoked',
          subjectId: params.id,
          at: now,
          before: toApiKeyShape(key),
          after: revoked,
        })
        return revoked
      }),
  })
}

async function keysToRevoke(
  tx: Tx,
  organizationId: string,
  id: string,
  withDescendants: boolean,
): Promise<[ApiKey, ...ApiKey[]]> {
  const [key, made] = await Promise.all([
    findApiKey(tx, organizationId, id),
    withDescendants ? listKeysMadeBy(tx, organizationId, id) : [],
  ])
  if (key) return [key, ...made]
  throw new Problem(
    'api_key_not_found',
    `API key ${toPublicId('key', id)} does not exist in this organization, or is already revoked.`,
  )
}

/** Otherwise a key with few scopes could revoke or replace the keys with more. */
export function checkReach(caller: Principal, key: ApiKey): void {
  const beyond = scopesBeyond(caller, key)
  if (beyond.length === 0) return
  throw new Problem(
    'insufficient_scope',
    `You can revoke or replace only keys whose scopes you have, and you lack ${beyond.join(', ')} of ${toPublicId('key', key.id)}.`,
    { extra: { missingScopes: beyond } },
  )
}

/**
 * Refuses if the organization would lock itself out: no other key and no member could create a key. The
 * caller has locked the organization, which changes of keys and of members wait for.
 */
export async function requireOtherManager(
  tx: Tx,
  organizationId: string,
  ids: readonly string[],
  at: Instant,
): Promise<void> {
  if (await hasManagerBesides(tx, organizationId, ids, at)) return
  const roles = rolesWith('keys:write')
  if ((await countMembers(tx, organizationId, { roles, most: 1 })) > 0) return
  throw new Problem(
    'last_managing_key',
    'No key that can manage keys would be left (scope keys:write, not bound to agents), and no owner or admin could create one. Create another one first, then revoke this one.',
  )
}
