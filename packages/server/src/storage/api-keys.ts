import type { ApiKey, Scope } from '../core/api-key.ts'
import type { Principal } from '../core/principal.ts'
import { type Instant, toIso } from '../core/time/instant.ts'
import type { Queryable } from './engine/database.ts'
import { type Use, useColumns } from './last-use.ts'
import { findRequestTerms, type RequestTerms } from './organizations.ts'
import { type Condition, type Page, type PageRequest, pageOf } from './page.ts'

/** The channel that tells every process about revoked keys. */
export const KEYS_CHANGED_CHANNEL = 'purser_api_keys'

/** A stored key with everything that authentication compares a request with. */
export interface StoredKey {
  readonly key: ApiKey & Principal
  readonly hash: Buffer
  /** The organization's plan, which sets the key's rate limit, and its time zone. */
  readonly terms: RequestTerms
}

export const API_KEY_COLUMNS = `
  id, organization_id as "organizationId", public_id as "prefix", name, scopes,
  agent_ids as "agentIds", expires_at as "expiresAt", last_used_at as "lastUsedAt",
  created_at as "createdAt", created_by as "createdBy"`

export interface NewApiKey {
  readonly id: string
  readonly publicId: string
  readonly hash: Buffer
  readonly name: string
  readonly scopes: readonly Scope[] | null
  readonly agentIds: readonly string[] | null
  readonly expiresAt: Instant | null
  readonly createdAt: Instant
  readonly createdBy: string
}

export async function insertApiKey(
  db: Queryable,
  organizationId: string,
  key: NewApiKey,
): Promise<void> {
  await db.query({
    text: `
      insert into api_keys (organization_id, id, public_id, secret_hash, name, scopes, agent_ids,
                            expires_at, created_at, created_by)
      values ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10)`,
    values: [
      organizationId,
      key.id,
      key.publicId,
      key.hash,
      key.name,
      key.scopes,
      key.agentIds,
      key.expiresAt === null ? null : toIso(key.expiresAt),
      toIso(key.createdAt),
      key.createdBy,
    ],
  })
}

/**
 * Finds the key, and the terms of its organization that requests need. These are two queries,
 * because keys may be stored in a different database than organizations. A caller that already
 * knows the key's organization, which never changes, passes it, and both queries run at once.
 */
export async function findLiveKey(
  db: Queryable,
  publicId: string,
  knownOrganization: string | undefined,
): Promise<StoredKey | undefined> {
  const [found, knownTerms] = await Promise.all([
    findKeyWithHash(db, publicId),
    knownOrganization === undefined ? undefined : findRequestTerms(db, knownOrganization),
  ])
  if (!found) {
    // A miss does the same work as a hit, so the response time does not reveal whether a key
    // exists.
    if (knownOrganization === undefined) await findRequestTerms(db, NO_ORGANIZATION)
    return undefined
  }
  const { hash, ...key } = found
  const isKnown = key.organizationId === knownOrganization
  const terms = isKnown ? knownTerms : await findRequestTerms(db, key.organizationId)
  return terms && { key: { ...key, kind: 'key' }, hash, terms }
}

/** Stands in for the organization of a key that the last lookup did not find. */
export const NO_ORGANIZATION = '00000000-0000-0000-0000-000000000000'

/** The only query that cannot name the organization: the key identifies it. */
async function findKeyWithHash(
  db: Queryable,
  publicId: string,
): Promise<(ApiKey & { readonly hash: Buffer }) | undefined> {
  const [row] = await db.query<ApiKey & { readonly hash: Buffer }>({
    name: 'find-live-key',
    text: `select ${API_KEY_COLUMNS}, secret_hash as "hash"
           from api_keys where public_id = $1 and revoked_at is null`,
    values: [publicId],
    isUnshared: true,
  })
  return row
}

export interface ApiKeyFilter {
  /** Only keys that are bound to this agent. */
  readonly agentId: string | undefined
  readonly status: 'active' | 'revoked' | 'all'
}

/** A key in a list, which may have revoked keys. */
export interface ListedApiKey extends ApiKey {
  readonly revokedAt: Instant | null
}

export function listApiKeys(
  db: Queryable,
  organizationId: string,
  { agentId, status }: ApiKeyFilter,
  page: PageRequest,
): Promise<Page<ListedApiKey>> {
  const conditions: Condition[] = [['organization_id = ?', organizationId]]
  const filters: Condition[] = []
  if (status !== 'all') filters.push([`revoked_at is ${status === 'active' ? '' : 'not '}null`])
  if (agentId !== undefined) filters.push(['?::uuid = any(agent_ids)', agentId])
  const columns = `${API_KEY_COLUMNS}, revoked_at as "revokedAt"`
  return pageOf<ListedApiKey>(db, page, { columns, from: 'api_keys', conditions, filters })
}

/**
 * Removes a deleted agent from the keys bound to it. A key that would be left without agents is
 * revoked: an empty binding must never become a key that acts for everyone.
 */
export async function unbindAgentFromKeys(
  db: Queryable,
  organizationId: string,
  agentId: string,
  now: Instant,
): Promise<void> {
  await db.query({
    text: `
      with unbound as (
        update api_keys
        set agent_ids = case when cardinality(agent_ids) = 1 then agent_ids
                             else array_remove(agent_ids, $2::uuid) end,
            revoked_at = case when cardinality(agent_ids) = 1 then $3::timestamptz end
        where organization_id = $1 and $2::uuid = any(agent_ids) and revoked_at is null
        returning public_id
      )
      select pg_notify($4, public_id) from unbound`,
    values: [organizationId, agentId, toIso(now), KEYS_CHANGED_CHANNEL],
  })
}

/** One write a minute is enough for all processes: a recent write of a different process stays. */
export async function recordKeyUses(
  db: Queryable,
  organizationId: string,
  uses: readonly Use[],
): Promise<void> {
  await db.query({
    name: 'record-key-uses',
    text: `
      update api_keys k set last_used_at = u.at
      from unnest($2::uuid[], $3::timestamptz[], $4::timestamptz[]) as u (id, at, before)
      where k.organization_id = $1 and k.id = u.id
        and (k.last_used_at is null or k.last_used_at <= u.before)
        and k.id = any(array(
          select id from api_keys where organization_id = $1 and id = any($2::uuid[])
          order by id for no key update))`,
    values: [organizationId, ...useColumns(uses)],
  })
}
