import { type Instant, toIso } from '../../core/time/instant.ts'
import type { Statement, Tx } from '../engine/database.ts'
import { plainArray, textArray, texts } from '../engine/wire-array.ts'
import { KEPT_MS } from '../idempotency.ts'

/** What is stored under an Idempotency-Key; without a transaction it belongs to another request. */
export interface DecisionKeyRow {
  readonly key: string
  readonly fingerprint: Buffer
  readonly transactionId: string | null
  readonly createdAt: Instant
}

/** Also gives keys past their time, which have to be removed before they are used again. */
export function findDecisionKeys(
  tx: Tx,
  organizationId: string,
  keys: readonly string[],
): Promise<DecisionKeyRow[]> {
  return tx.query<DecisionKeyRow>({
    name: 'find-decision-keys',
    text: `select key, fingerprint, transaction_id as "transactionId", created_at as "createdAt"
           from idempotency_keys where organization_id = $1 and key = any(${texts('$2')})`,
    values: [organizationId, textArray(keys)],
  })
}

export function isPastItsTime(row: DecisionKeyRow, now: Instant): boolean {
  return row.createdAt <= now - KEPT_MS
}

export function removeKeys(organizationId: string, keys: readonly string[]): Statement {
  return {
    name: 'remove-keys',
    text: `delete from idempotency_keys where organization_id = $1 and key = any(${texts('$2')})`,
    values: [organizationId, textArray(keys)],
  }
}

export interface NewDecisionKey {
  readonly key: string
  readonly fingerprint: Buffer
  readonly transactionId: string
}

/**
 * Two processes that decide under the same key at once break the primary key; the later batch is
 * repeated spend by spend and finds the first one's answer.
 */
export function storeDecisionKeys(
  organizationId: string,
  at: Instant,
  keys: readonly NewDecisionKey[],
): Statement {
  return {
    name: 'store-decision-keys',
    text: `
      insert into idempotency_keys (organization_id, key, fingerprint, transaction_id, created_at)
      select $1, k.key, decode(k.fingerprint, 'hex'), k.transaction_id, $2
      from unnest(${texts('$3')}, ${texts('$4')}, $5::uuid[]) as k (key, fingerprint, transaction_id)`,
    values: [
      organizationId,
      toIso(at),
      textArray(keys.map(({ key }) => key)),
      textArray(keys.map(({ fingerprint }) => fingerprint.toString('hex'))),
      plainArray(keys.map(({ transactionId }) => transactionId)),
    ],
  }
}
