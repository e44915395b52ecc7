import type { SpacedKey } from '../core/idempotency.ts'
import { type Instant, toIso } from '../core/time/instant.ts'
import type { Queryable, Tx } from './engine/database.ts'
import { plainArray, textArray, texts } from './engine/wire-array.ts'

/** How long the first response is kept. */
export const KEPT_MS = 7 * 24 * 60 * 60 * 1000

interface StoredAnswer {
  readonly space: string
  readonly fingerprint: Buffer
  /** Null if the key belongs to a decision. */
  readonly answer: Buffer | null
  readonly createdAt: Instant
}

/**
 * Locks the key for the length of the transaction. False means that a second request with the same
 * key is running at this moment.
 *
 * The lock is the database's own and ends with the transaction, so a process that dies in the
 * middle leaves no key "in flight" for ever (ADR 3).
 */
export async function claimIdempotencyKey(
  tx: Tx,
  organizationId: string,
  { space, key }: SpacedKey,
): Promise<boolean> {
  const [row] = await tx.query<{ claimed: boolean }>({
    text: `select pg_try_advisory_xact_lock(
             hashtextextended($1 || ':' || $2 || ':' || $3, 0)) as claimed`,
    values: [organizationId, space, key],
  })
  return row?.claimed === true
}

/**
 * Locks keys beyond the transaction, until the connection releases them (`releaseKeys`): no other
 * request may get the response stored under a key before the first caller has it. Returns the keys
 * that were free.
 */
export function takeKeys(
  tx: Tx,
  organizationId: string,
  keys: readonly SpacedKey[],
): Promise<SpacedKey[]> {
  const [first] = keys
  if (first && keys.length === 1) return takeKey(tx, organizationId, first)
  return tx.query<SpacedKey>({
    name: 'take-keys',
    text: `
      select space, key from unnest($2::uuid[], ${texts('$3')}) as asked (space, key)
      where pg_try_advisory_lock(hashtextextended($1 || ':' || space || ':' || key, 0))`,
    values: [
      organizationId,
      plainArray(keys.map(({ space }) => space)),
      textArray(keys.map(({ key }) => key)),
    ],
  })
}

/** The same for one key, with plain values (ADR 58). */
async function takeKey(tx: Tx, organizationId: string, key: SpacedKey): Promise<SpacedKey[]> {
  const [row] = await tx.query<{ isFree: boolean }>({
    name: 'take-key',
    text: `select pg_try_advisory_lock(
             hashtextextended($1 || ':' || $2 || ':' || $3, 0)) as "isFree"`,
    values: [organizationId, key.space, key.key],
  })
  return row?.isFree ? [key] : []
}

/**
 * Returns the keys that no connection holds by `takeKeys`, and prevents it from taking them until
 * this transaction ends.
 */
export function shareKeys(
  tx: Tx,
  organizationId: string,
  keys: readonly SpacedKey[],
): Promise<SpacedKey[]> {
  return tx.query<SpacedKey>({
    name: 'share-keys',
    text: `
      select space, key from unnest($2::uuid[], ${texts('$3')}) as asked (space, key)
      where pg_try_advisory_xact_lock_shared(
        hashtextextended($1 || ':' || space || ':' || key, 0))`,
    values: [
      organizationId,
      plainArray(keys.map(({ space }) => space)),
      textArray(keys.map(({ key }) => key)),
    ],
  })
}

export async function releaseKeys(session: Queryable): Promise<void> {
  await session.query({ name: 'release-keys', text: 'select pg_advisory_unlock_all()' })
}

/** The responses stored under the key, one for each space that has it, expired ones included. */
export function findStoredAnswers(
  tx: Tx,
  organizationId: string,
  spaces: readonly string[],
  key: string,
): Promise<StoredAnswer[]> {
  return tx.query<StoredAnswer>({
    text: `select space, fingerprint, answer, created_at as "createdAt" from idempotency_keys
           where organization_id = $1 and space = any($2::uuid[]) and key = $3`,
    values: [organizationId, spaces, key],
  })
}

/**
 * Stores a response, or replaces an expired one. The caller holds the key (`claimIdempotencyKey`).
 * Returns false if a decision took the key meanwhile: decisions do not claim keys, they rely on the
 * unique constraint.
 */
export async function storeAnswer(
  tx: Tx,
  organizationId: string,
  { space, key }: SpacedKey,
  { fingerprint, answer }: { readonly fingerprint: Buffer; readonly answer: Buffer },
  now: Instant,
): Promise<boolean> {
  const rows = await tx.query({
    text: `
      insert into idempotency_keys (organization_id, space, key, fingerprint, answer, created_at)
      values ($1, $2, $3, $4, $5, $6)
      on conflict (organization_id, space, key) do update
      set fingerprint = excluded.fingerprint, answer = excluded.answer,
          transaction_id = null, created_at = excluded.created_at
      where idempotency_keys.created_at <= $7
      returning 1`,
    values: [organizationId, space, key, fingerprint, answer, toIso(now), toIso(now - KEPT_MS)],
  })
  return rows.length > 0
}

/** Removes expired responses, a bounded number per call. Returns the number removed. */
export async function removeExpiredAnswers(db: Queryable, now: Instant): Promise<number> {
  const rows = await db.query({
    text: `
      delete from idempotency_keys where (organization_id, space, key) in (
        select organization_id, space, key from idempotency_keys where created_at <= $1
        order by created_at limit 1000)
        -- Checked again: a key that was reused while this statement waited for its row must stay.
        and created_at <= $1
      returning 1`,
    values: [toIso(now - KEPT_MS)],
  })
  return rows.length
}
