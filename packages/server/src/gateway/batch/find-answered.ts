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
import { nameOf } from './batch-reads.ts'

/** A decision that is stored under the key of a submission. */
export interface Answered {
  readonly decided: Decided
  /**
   * Whether it must be noted that a repeat is told of this approval: until somebody was told of it,
   * it may be taken back, if it was stored after the deadline of its own caller.
   */
  readonly isToBeNoted: boolean
}

export type FindAnswer = (idempotency: IdempotencyKey | null) => Answered | undefined

/**
 * Answers that are stored under these keys. Costs a further query only if there are any. A decision
 * that its own process may be about to take back is not told: whoever asks for it has to come again.
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
  // First, so that what is read afterwards is what whoever had the keys has left.
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
 * What was answered under a key, for paths that have something to do before they can ask for a
 * decision, and must not do it twice. Undefined if the key is new.
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
