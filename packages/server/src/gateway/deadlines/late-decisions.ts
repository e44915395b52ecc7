import { countedStateOf } from '../../core/analytics/counted-state.ts'
import { DEADLINE_PASSED } from '../../core/decision/late.ts'
import type { Instant } from '../../core/time/instant.ts'
import type { Transaction } from '../../core/transaction.ts'
import { storeCountedChanges } from '../../storage/analytics/changes.ts'
import { returnPermit } from '../../storage/approvals/permits.ts'
import { forgetSalt } from '../../storage/audit/commit.ts'
import { findDecisionKeys } from '../../storage/decisions/decision-keys.ts'
import type { Clock } from '../../storage/engine/clock.ts'
import type { Session } from '../../storage/engine/database.ts'
import { joinRows } from '../../storage/engine/row-statement.ts'
import { findTransaction, storeLateDecline } from '../../storage/transactions.ts'
import { changeTransaction, type OnePlace } from '../holds/change-transactions.ts'
import { giveBack } from '../holds/holds.ts'
import type { PolicyCache } from '../policy-cache.ts'
import type { Failed } from '../queue/carry-out.ts'
import type { Decided } from '../submission.ts'
import type { QueuedSubmission } from './deadline.ts'

interface LateParts {
  readonly policyCache: PolicyCache
  readonly clock: Clock
  /** Called with a decision that was stored too late and could not be undone yet. */
  onStuck(submission: QueuedSubmission, error: unknown): void
}

/**
 * Answers the callers that have a deadline, right after the commit. If the deadline has passed, the
 * caller received a decline. Then the decision is undone on the connection that stored it. That
 * connection still holds the Idempotency-Keys, so no retry is answered with the decision.
 */
export async function answerOrTakeBack(
  session: Session,
  parts: LateParts,
  submissions: readonly QueuedSubmission[],
  results: ReadonlyMap<QueuedSubmission, Decided | Failed>,
): Promise<void> {
  const late = answerInTime(submissions, results)
  let failure: unknown
  for (const submission of late.values()) {
    try {
      const place = placeOf(parts, submission)
      await session.transaction((tx) => takeBack({ tx, ...place }, submission))
    } catch (error) {
      failure = error
      parts.onStuck(submission, error)
    }
  }
  // The state of the connection is unknown now, so the error makes the caller drop it.
  if (failure !== undefined) throw failure
}

/** Returns the submissions that were too late, keyed by transaction id. */
function answerInTime(
  submissions: readonly QueuedSubmission[],
  results: ReadonlyMap<QueuedSubmission, Decided | Failed>,
): Map<string, QueuedSubmission> {
  const late = new Map<string, QueuedSubmission>()
  for (const submission of submissions) {
    const { deadline } = submission
    const result = results.get(submission)
    if (!deadline || !result || 'failure' in result) continue
    const first = late.get(result.id)?.deadline
    // A retry in the same batch gets the answer of the first submission.
    if (first) deadline.accept({ ...first.decline().row, isReplay: true })
    else if (!deadline.accept(result) && isToBeTakenBack(submission, result)) {
      late.set(result.id, submission)
    }
  }
  return late
}

/**
 * False for a decision that an earlier submission stored, and for one that is already stored as a
 * decline.
 */
function isToBeTakenBack({ spend }: QueuedSubmission, { id, code }: Decided): boolean {
  return id === spend.transactionId && code !== DEADLINE_PASSED
}

function placeOf({ policyCache, clock }: LateParts, { spend }: QueuedSubmission) {
  return { policyCache, clock, organizationId: spend.organizationId, id: spend.transactionId }
}

/**
 * Voids the stored decision of a submission whose caller was declined, and stores the decline in
 * its place. Returns false if nothing was stored.
 */
export async function takeBack(
  place: OnePlace,
  { deadline, alongside, idempotency }: QueuedSubmission,
): Promise<boolean> {
  const { tx, organizationId, id } = place
  const stored = await findTransaction(tx, organizationId, id)
  if (!stored) return false
  const [key] = idempotency ? await findDecisionKeys(tx, organizationId, [idempotency]) : []
  // A retry was answered with the approval meanwhile, so the approval stands.
  if (key?.isTold) return true
  const changed = await changeTransaction(place, planOf)
  const declined = deadline?.decline().row
  if (!changed || !declined) return true
  tx.send(storeLateDecline(organizationId, id, declined))
  tx.send(forgetSalt(organizationId, id))
  noteForSums(place, changed, declined)
  if (stored.approvalId !== null) tx.send(returnPermit(organizationId, stored.approvalId, id))
  const kept = joinRows(organizationId, alongside?.(declined) ?? [])
  for (const statement of kept) tx.send(statement)
  return true
}

/** If analytics has already counted the decision, it moves to the code of the decline. */
function noteForSums(
  { tx, organizationId }: OnePlace,
  changed: Transaction,
  { code, details }: Pick<Decided, 'code' | 'details'>,
): void {
  const before = countedStateOf(changed)
  const after = countedStateOf({ ...changed, code, details: JSON.parse(details) })
  tx.sendLast(storeCountedChanges(organizationId, [{ transactionId: changed.id, before, after }]))
}

/** Returns undefined if there is nothing to undo, or if money is known to have moved meanwhile. */
function planOf(transaction: Transaction, now: Instant): Transaction | undefined {
  const { code, status, settledAmount, amount } = transaction
  if (code === DEADLINE_PASSED) return undefined
  if (status === 'rejected') return transaction
  const wasCheck = amount === 0n && status === 'settled' && settledAmount === 0n
  if (wasCheck) return { ...transaction, status: 'voided', settledAt: null }
  return status === 'held' && settledAmount === 0n
    ? giveBack(transaction, 'voided', now)
    : undefined
}
