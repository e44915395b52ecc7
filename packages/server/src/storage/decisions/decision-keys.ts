import type { SpacedKey } from '../../core/idempotency.ts'
import { type Instant, toIso } from '../../core/time/instant.ts'
import type { Statement, Tx } from '../engine/database.ts'
import { plainArray, textArray, texts } from '../engine/wire-array.ts'
import { KEPT_MS } from '../idempotency.ts'

/**
 * The row of an Idempotency-Key. Without a transaction the key belongs to a request that is no
 * decision.
 */
export interface DecisionKeyRow extends SpacedKey {
  readonly fingerprint: Buffer
  readonly transactionId: string | null
  /**
   * Null unless the caller had a deadline; then whether a retry has received the decision (ADR 19).
   */
  readonly isTold: boolean | null
  readonly createdAt: Instant
}

/** Also returns expired keys, because they must be removed before they can be used again. */
export function findDecisionKeys(
  tx: Tx,
  organizationId: string,
  keys: readonly SpacedKey[],
): Promise<DecisionKeyRow[]> {
  const [first] = keys
  if (first && keys.length === 1) return findDecisionKey(tx, organizationId, first)
  return tx.query<DecisionKeyRow>({
    name: 'find-decision-keys',
    text: `
      select ${KEY_COLUMNS}
      from unnest($2::uuid[], ${texts('$3')}) as asked (space, key)
      join idempotency_keys k
        on k.organization_id = $1 and k.space = asked.space and k.key = asked.key`,
    values: [organizationId, ...spacesAndKeys(keys)],
  })
}

const KEY_COLUMNS = `
  k.space, k.key, k.fingerprint, k.transaction_id as "transactionId", k.is_told as "isTold",
  k.created_at as "createdAt"`

function findDecisionKey(
  tx: Tx,
  organizationId: string,
  { space, key }: SpacedKey,
): Promise<DecisionKeyRow[]> {
  return tx.query<DecisionKeyRow>({
    name: 'find-decision-key',
    text: `select ${KEY_COLUMNS} from idempotency_keys k
           where k.organization_id = $1 and k.space = $2 and k.key = $3`,
    values: [organizationId, space, key],
  })
}

export function isPastItsTime(row: DecisionKeyRow, now: Instant): boolean {
  return row.createdAt <= now - KEPT_MS
}

export function removeKeys(organizationId: string, keys: readonly SpacedKey[]): Statement {
  return {
    name: 'remove-keys',
    text: `
      delete from idempotency_keys k
      using unnest($2::uuid[], ${texts('$3')}) as past (space, key)
      where k.organization_id = $1 and k.space = past.space and k.key = past.key`,
    values: [organizationId, ...spacesAndKeys(keys)],
  }
}

export interface NewDecisionKey extends SpacedKey {
  readonly fingerprint: Buffer
  readonly transactionId: string
  /** False if the caller has a deadline: no caller has received the decision yet. */
  readonly isTold: false | null
}

/**
 * If two processes decide under the same key at once, the later one breaks the primary key. Its
 * batch is then repeated spend by spend and finds the stored response. Keys are inserted in sorted
 * order, so that two batches with the same keys cannot deadlock: for agents without a mandate there
 * is no mandate lock that would serialize them.
 */
export function storeDecisionKeys(
  organizationId: string,
  at: Instant,
  unordered: readonly NewDecisionKey[],
): Statement {
  const [first] = unordered
  if (first && unordered.length === 1) return storeDecisionKey(organizationId, at, first)
  const keys = unordered.toSorted(byName)
  return {
    name: 'store-decision-keys',
    text: `
      insert into idempotency_keys
        (organization_id, space, key, fingerprint, transaction_id, is_told, created_at)
      select $1, k.space, k.key, decode(k.fingerprint, 'hex'), k.transaction_id, k.is_told, $2
      from unnest($3::uuid[], ${texts('$4')}, ${texts('$5')}, $6::uuid[], $7::boolean[])
        as k (space, key, fingerprint, transaction_id, is_told)`,
    values: [
      organizationId,
      toIso(at),
      ...spacesAndKeys(keys),
      textArray(keys.map(({ fingerprint }) => fingerprint.toString('hex'))),
      plainArray(keys.map(({ transactionId }) => transactionId)),
      plainArray(keys.map(({ isTold }) => (isTold === null ? null : 'false'))),
    ],
  }
}

function storeDecisionKey(
  organizationId: string,
  at: Instant,
  { space, key, fingerprint, transactionId, isTold }: NewDecisionKey,
): Statement {
  return {
    name: 'store-decision-key',
    text: `
      insert into idempotency_keys
        (organization_id, space, key, fingerprint, transaction_id, is_told, created_at)
      values ($1, $2, $3, $4, $5, $6, $7)`,
    values: [organizationId, space, key, fingerprint, transactionId, isTold, toIso(at)],
  }
}

/** For retries that receive a decision whose first caller had a deadline. */
export function setTold(organizationId: string, keys: readonly SpacedKey[]): Statement {
  return {
    name: 'set-told',
    text: `
      update idempotency_keys k set is_told = true
      from unnest($2::uuid[], ${texts('$3')}) as told (space, key)
      where k.organization_id = $1 and k.space = told.space and k.key = told.key`,
    values: [organizationId, ...spacesAndKeys(keys)],
  }
}

function byName(a: SpacedKey, b: SpacedKey): number {
  if (a.space !== b.space) return a.space < b.space ? -1 : 1
  return a.key < b.key ? -1 : 1
}

function spacesAndKeys(keys: readonly SpacedKey[]): [string, string] {
  return [plainArray(keys.map(({ space }) => space)), textArray(keys.map(({ key }) => key))]
}
