import type { ApiKey, Scope } from '../core/api-key.ts'
import type { Principal } from '../core/principal.ts'
import { type Instant, toIso } from '../core/time/instant.ts'
import type { Queryable } from './engine/database.ts'
import { type Use, useColumns } from './last-use.ts'
import { findRequestTerms, type RequestTerms } from './organizations.ts'
import { type Page, type PageRequest, pageOf } from './page.ts'

/** The channel on which every process hears of revoked keys. */
export const KEYS_CHANGED_CHANNEL = 'purser_api_keys'

/** What a request is checked against. */
export interface StoredKey {
  readonly key: ApiKey & Principal
  readonly hash: Buffer
  /** The organization's plan, which says how much the key may do in a minute, and its time zone. */
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
 * The key, and what requests need of its organization. These are two queries, because keys may be stored in
 * another place than the organizations. Whoever knows the organization, which never changes, names
 * it, and then both are asked at once.
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
    // Nobody may learn from the time of the answer whether a key exists whose secret is not known.
    if (knownOrganization === undefined) await findRequestTerms(db, NO_ORGANIZATION)
    return undefined
  }
  const { hash, ...key } = found
  const isKnown = key.organizationId === knownOrganization
  const terms = isKnown ? knownTerms : await findRequestTerms(db, key.organizationId)
  return terms && { key: { ...key, kind: 'key' }, hash, terms }
}

/** Stands for the organization of a key that was not there when it was asked for last. */
export const NO_ORGANIZATION = '00000000-0000-0000-0000-000000000000'

/** The only query that cannot name the organization: the key is what identifies it. */
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

export function listApiKeys(
  db: Queryable,
  organizationId: string,
  page: PageRequest,
): Promise<Page<ApiKey>> {
  return pageOf<ApiKey>(db, page, {
    columns: API_KEY_COLUMNS,
    from: 'api_keys',
    conditions: [['organization_id = ?', organizationId], ['revoked_at is null']],
  })
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

/** One write a minute is enough for all processes: what another one has just written stays. */
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
