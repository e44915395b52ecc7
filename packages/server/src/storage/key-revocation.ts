import type { ApiKey, Scope } from '../core/api-key.ts'
import { type Instant, toIso } from '../core/time/instant.ts'
import { API_KEY_COLUMNS, KEYS_CHANGED_CHANNEL } from './api-keys.ts'
import type { Queryable } from './engine/database.ts'

export async function findApiKey(
  db: Queryable,
  organizationId: string,
  id: string,
): Promise<ApiKey | undefined> {
  const [key] = await db.query<ApiKey>({
    text: `select ${API_KEY_COLUMNS} from api_keys
           where organization_id = $1 and id = $2 and revoked_at is null`,
    values: [organizationId, id],
  })
  return key
}

/**
 * The live keys that this key created, directly or through other keys. A key in between may already
 * be revoked.
 */
export function listKeysMadeBy(
  db: Queryable,
  organizationId: string,
  id: string,
): Promise<ApiKey[]> {
  return db.query<ApiKey>({
    text: `
      with recursive made as (
        select id from api_keys where organization_id = $1 and created_by = $2::uuid::text
        union
        select k.id from made join api_keys k
          on k.organization_id = $1 and k.created_by = made.id::text
      )
      select ${API_KEY_COLUMNS} from api_keys
      where organization_id = $1 and revoked_at is null and id in (select id from made)
      order by id`,
    values: [organizationId, id],
  })
}

const MANAGES_KEYS: Scope = 'keys:write'

/** Whether a key that can manage keys would remain. The caller has locked the organization. */
export async function hasManagerBesides(
  db: Queryable,
  organizationId: string,
  ids: readonly string[],
  now: Instant,
): Promise<boolean> {
  const rows = await db.query({
    text: `
      select 1 from api_keys
      where organization_id = $1 and id <> all($2::uuid[]) and revoked_at is null
        and agent_ids is null and (scopes is null or $3::text = any(scopes))
        and (expires_at is null or expires_at > $4::timestamptz)
      limit 1`,
    values: [organizationId, ids, MANAGES_KEYS, toIso(now)],
  })
  return rows.length > 0
}

/** Sets the expiry of the key, and notifies every process when the transaction commits. */
export async function endApiKey(
  db: Queryable,
  organizationId: string,
  id: string,
  end: Instant,
): Promise<void> {
  await db.query({
    text: `
      with ended as (
        update api_keys set expires_at = $3
        where organization_id = $1 and id = $2 and revoked_at is null
        returning public_id
      )
      select pg_notify($4, public_id) from ended`,
    values: [organizationId, id, toIso(end), KEYS_CHANGED_CHANNEL],
  })
}

/** Revokes the keys, and notifies every process when the transaction commits. */
export async function revokeApiKeys(
  db: Queryable,
  organizationId: string,
  ids: readonly string[],
  now: Instant,
): Promise<void> {
  await db.query({
    text: `
      with revoked as (
        update api_keys set revoked_at = $3
        where organization_id = $1 and id = any($2::uuid[]) and revoked_at is null
        returning public_id
      )
      select pg_notify($4, public_id) from revoked`,
    values: [organizationId, ids, toIso(now), KEYS_CHANGED_CHANNEL],
  })
}
