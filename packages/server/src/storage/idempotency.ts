import type { SpacedKey } from '../core/idempotency.ts'
import { type Instant, toIso } from '../core/time/instant.ts'
import type { Queryable, Tx } from './engine/database.ts'
import { plainArray, textArray, texts } from './engine/wire-array.ts'

/** How long the first answer is kept. */
export const KEPT_MS = 7 * 24 * 60 * 60 * 1000

interface StoredAnswer {
  readonly space: string
  readonly fingerprint: Buffer
  /** Null: the key belongs to a decision. */
  readonly answer: Buffer | null
  readonly createdAt: Instant
}

/**
 * Takes the key for the length of the transaction. False means that another request with the same
 * key is running at this moment.
 *
 * The lock is the database's own and goes with the transaction, so a process that dies in the
 * middle leaves no key that is "in flight" for ever.
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
 * Takes keys beyond the transaction, for as long as the connection has them (releaseKeys): nobody else is
 * to be told what was stored under them before its own caller is. Gives those that nobody has taken.
 */
export function takeKeys(
  tx: Tx,
  organizationId: string,
  keys: readonly SpacedKey[],
): Promise<SpacedKey[]> {
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

/** Gives those keys that nobody has taken (takeKeys), and keeps them from it for this transaction. */
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

/** What is stored under the key in each of the spaces that has it, also what is past its time. */
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
 * Replaces an answer that is past its time; the caller holds the key (claimIdempotencyKey). False when
 * a decision has taken the key meanwhile: decisions do not claim it, they break its uniqueness.
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

/** Removes answers past their time, a bounded number at once; gives the number removed. */
export async function removeExpiredAnswers(db: Queryable, now: Instant): Promise<number> {
  const rows = await db.query({
    text: `
      delete from idempotency_keys where (organization_id, space, key) in (
        select organization_id, space, key from idempotency_keys where created_at <= $1
        order by created_at limit 1000)
        -- Said again: a key that is used anew while its row is waited for must stay.
        and created_at <= $1
      returning 1`,
    values: [toIso(now - KEPT_MS)],
  })
  return rows.length
}
