import { removeFrom } from '../core/counters/counter.ts'
import { release } from '../core/decision/figures.ts'
import { DEADLINE_PASSED } from '../core/decision/late.ts'
import type { Instant } from '../core/time/instant.ts'
import type { Transaction } from '../core/transaction.ts'
import type { Session } from '../storage/engine/database.ts'
import { findTransaction, storeLateDecline } from '../storage/transactions.ts'
import type { Failed } from './batcher.ts'
import { type Change, changeTransaction, type Place } from './change-transaction.ts'
import type { QueuedSubmission } from './deadline.ts'
import { giveBack } from './holds.ts'
import type { PolicyCache } from './policy-cache.ts'
import type { Decided } from './submission.ts'

interface LateParts {
  readonly policyCache: PolicyCache
  readonly now: () => Instant
  /** Called with a decision that was stored too late and could not be taken back yet. */
  onStuck(submission: QueuedSubmission, error: unknown): void
}

/**
 * Answers the callers that have a deadline, right after the commit. Where the deadline has passed,
 * the caller was told no. Then the decision is taken back on the connection that stored it, which
 * still holds the Idempotency-Keys, so that no repeat is told of it.
 */
export async function answerOrTakeBack(
  session: Session,
  parts: LateParts,
  submissions: readonly QueuedSubmission[],
  results: ReadonlyMap<QueuedSubmission, Decided | Failed>,
): Promise<void> {
  const late = new Map<string, QueuedSubmission>()
  for (const submission of submissions) {
    const result = results.get(submission)
    if (!submission.deadline || !result || 'failure' in result) continue
    // A repeat in the same batch gets the answer of the first one.
    if (late.has(result.id)) submission.deadline.decline()
    else if (!submission.deadline.accept(result) && isToBeTakenBack(submission, result)) {
      late.set(result.id, submission)
    }
  }
  for (const submission of late.values()) {
    try {
      await session.transaction((tx) =>
        takeBack({ tx, ...placeOf(parts, submission) }, submission, parts.now()),
      )
    } catch (error) {
      parts.onStuck(submission, error)
    }
  }
}

/**
 * False for a decision that another submission had stored before, and for one that is stored as a
 * decline already.
 */
function isToBeTakenBack({ spend }: QueuedSubmission, { id, code }: Decided): boolean {
  return id === spend.transactionId && code !== DEADLINE_PASSED
}

function placeOf({ policyCache }: LateParts, { spend }: QueuedSubmission) {
  return { policyCache, organizationId: spend.organizationId, id: spend.transactionId }
}

/**
 * Voids what was stored for a submission whose caller was declined, and stores the decline in its
 * place. False: nothing was stored.
 */
export async function takeBack(
  place: Place,
  { deadline, alongside }: QueuedSubmission,
  now: Instant,
): Promise<boolean> {
  const { tx, organizationId, id } = place
  if (!(await findTransaction(tx, organizationId, id))) return false
  const changed = await changeTransaction(place, now, planOf)
  const declined = deadline?.decline().row
  if (!changed || !declined) return true
  tx.send(storeLateDecline(organizationId, id, declined))
  for (const statement of alongside?.(declined) ?? []) tx.send(statement)
  return true
}

/** Undefined if there is nothing to take back, or if money is known to have moved meanwhile. */
function planOf(transaction: Transaction): Change | undefined {
  const { code, status, settledAmount: amount, expiresAt, createdAt: at } = transaction
  if (code === DEADLINE_PASSED) return undefined
  if (status === 'rejected') return { transaction: {}, mandate: (account) => account }
  if (status === 'held' && amount === 0n) return giveBack(transaction, 'voided', at)
  if (status !== 'settled' || expiresAt !== null) return undefined
  return {
    transaction: { status: 'voided', settledAmount: 0n, settledAt: null },
    mandate: (account) => release(account, { amount, at, wasHeld: false }),
    counter: (counter) => removeFrom(counter, at, amount),
  }
}
