import {
  type IdempotencyKey,
  keyInFlight,
  keyReused,
  type SpacedKey,
} from '../../core/idempotency.ts'
import {
  type DecisionKeyRow,
  findDecisionKeys,
  isPastItsTime,
  setTold,
} from '../../storage/decisions/decision-keys.ts'
import { findDecided } from '../../storage/decisions/stored-answers.ts'
import type { Clock } from '../../storage/engine/clock.ts'
import type { Database, Tx } from '../../storage/engine/database.ts'
import { transactionFor } from '../../storage/engine/queryable.ts'
import { shareKeys } from '../../storage/idempotency.ts'
import type { Decided } from '../submission.ts'
import { nameOf } from './key-reads.ts'

/** A decision stored under the key of a submission. */
export interface Answered {
  readonly decided: Decided
  /**
   * Whether the batch must record that a retry was answered with this approval. Until then the
   * approval may still be undone, if it was stored after the deadline of its own caller.
   */
  readonly isToBeNoted: boolean
}

export type FindAnswer = (idempotency: IdempotencyKey | null) => Answered | undefined

/**
 * Finds the answers stored under these keys. It costs a further query only if there are keys. A
 * decision that its own process may be about to undo is not answered: the caller has to retry.
 */
export async function findAnswered(
  tx: Tx,
  organizationId: string,
  rows: readonly DecisionKeyRow[],
  hasTaken: (key: SpacedKey) => boolean,
): Promise<FindAnswer> {
  if (rows.length === 0) return () => undefined
  const ids = rows.flatMap(({ transactionId }) => transactionId ?? [])
  const doubtful = rows.filter((row) => row.isTold !== null && !hasTaken(row))
  // This comes first, so that the following read sees the rows that the previous key holders left.
  const shared = doubtful.length === 0 ? [] : shareKeys(tx, organizationId, doubtful)
  const [mine, stored] = await Promise.all([shared, findDecided(tx, organizationId, ids)])
  const live = new Map(rows.map((row) => [nameOf(row), row]))
  const inFlight = new Set(doubtful.map(nameOf))
  for (const key of mine) inFlight.delete(nameOf(key))
  return (idempotency) => {
    const row = idempotency && live.get(nameOf(idempotency))
    if (!row) return undefined
    const decided = stored.get(row.transactionId ?? '')
    if (!decided || !idempotency.matches(row.fingerprint)) throw keyReused()
    if (inFlight.has(nameOf(row))) throw keyInFlight(1)
    const isToBeNoted = row.isTold === false && decided.decision === 'approved'
    return { decided: { ...decided, isReplay: true }, isToBeNoted }
  }
}

/**
 * Returns the answer stored under a key, for paths that have work to do before a decision and must
 * not do it twice. Returns undefined if the key is new.
 */
export async function recallDecided(
  parts: { readonly db: Database; readonly clock: Clock },
  organizationId: string,
  idempotency: IdempotencyKey,
): Promise<Decided | undefined> {
  return transactionFor(parts.db, organizationId, async (tx) => {
    const [rows, now] = await Promise.all([
      findDecisionKeys(tx, organizationId, [idempotency]),
      parts.clock.read(tx),
    ])
    const live = rows.filter((row) => !isPastItsTime(row, now))
    const answered = (await findAnswered(tx, organizationId, live, () => false))(idempotency)
    if (answered?.isToBeNoted) tx.send(setTold(organizationId, [idempotency]))
    return answered?.decided
  })
}
