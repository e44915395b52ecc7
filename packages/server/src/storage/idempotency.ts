import { type Instant, toIso } from '../core/time/instant.ts'
import type { Queryable, Tx } from './engine/database.ts'

/** How long the first answer is kept. */
export const KEPT_MS = 7 * 24 * 60 * 60 * 1000

export interface StoredAnswer {
  readonly fingerprint: Buffer
  readonly answer: Buffer
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
  key: string,
): Promise<boolean> {
  const [row] = await tx.query<{ claimed: boolean }>({
    text: `select pg_try_advisory_xact_lock(hashtextextended($1 || ':' || $2, 0)) as claimed`,
    values: [organizationId, key],
  })
  return row?.claimed === true
}

export async function findStoredAnswer(
  tx: Tx,
  organizationId: string,
  key: string,
  now: Instant,
): Promise<StoredAnswer | undefined> {
  const [row] = await tx.query<StoredAnswer>({
    text: `select fingerprint, answer from idempotency_keys
           where organization_id = $1 and key = $2 and created_at > $3`,
    values: [organizationId, key, toIso(now - KEPT_MS)],
  })
  return row
}

/**
 * Replaces an answer that is past its time; the caller holds the key (claimIdempotencyKey). False when
 * a decision has taken the key meanwhile: decisions do not claim it, they break its uniqueness.
 */
export async function storeAnswer(
  tx: Tx,
  organizationId: string,
  key: string,
  { fingerprint, answer }: StoredAnswer,
  now: Instant,
): Promise<boolean> {
  const rows = await tx.query({
    text: `
      insert into idempotency_keys (organization_id, key, fingerprint, answer, created_at)
      values ($1, $2, $3, $4, $5)
      on conflict (organization_id, key) do update
      set fingerprint = excluded.fingerprint, answer = excluded.answer,
          transaction_id = null, created_at = excluded.created_at
      where idempotency_keys.created_at <= $6
      returning 1`,
    values: [organizationId, key, fingerprint, answer, toIso(now), toIso(now - KEPT_MS)],
  })
  return rows.length > 0
}

/** Removes answers past their time, a bounded number at once; gives the number removed. */
export async function removeExpiredAnswers(db: Queryable, now: Instant): Promise<number> {
  const rows = await db.query({
    text: `
      delete from idempotency_keys where (organization_id, key) in (
        select organization_id, key from idempotency_keys where created_at <= $1
        order by created_at limit 1000)
        -- Said again: a key that is used anew while its row is waited for must stay.
        and created_at <= $1
      returning 1`,
    values: [toIso(now - KEPT_MS)],
  })
  return rows.length
}
