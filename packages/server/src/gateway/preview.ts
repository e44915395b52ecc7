import { agentNotFound } from '../core/agent.ts'
import { type Decision, decide } from '../core/decision/decide.ts'
import { mandatesShortOfRoom } from '../core/decision/room.ts'
import type { Warning } from '../core/rules/warnings.ts'
import type { Spend } from '../core/spend.ts'
import type { Instant } from '../core/time/instant.ts'
import type { Database } from '../storage/engine/database.ts'
import { transactionFor } from '../storage/engine/queryable.ts'
import { listOverdueHoldsBelow } from '../storage/overdue-holds.ts'
import { type BatchReadParts, readBatch } from './batch/batch-reads.ts'
import { collectWrites } from './batch/batch-writes.ts'
import type { SweepLine } from './holds/hold-sweeper.ts'
import { NO_MANDATE_ID, readTrial, type Trial } from './preview-lines.ts'

/** The decision that would be made, with warnings about facts that it ignores. */
export interface Preview extends Decision {
  readonly warnings: readonly Warning[]
}

/** `now` is the present, also if the spend is judged at another instant. */
interface Judged {
  readonly preview: Preview
  readonly now: Instant
}

interface PreviewParts extends BatchReadParts {
  readonly db: Database
  readonly sweepLine: SweepLine
}

/**
 * Returns the decision that would be made now, by the same code that makes decisions. It locks
 * nothing. It writes nothing either, unless it must first release overdue holds, as before a budget
 * is shown. So it never makes a spend wait and uses no evaluation of the plan, but it may be
 * outdated as soon as it is answered.
 */
export async function previewDecision(
  parts: PreviewParts,
  spend: Spend,
  trial: Trial = {},
): Promise<Preview> {
  const { preview: first, now } = await judge(parts, spend, trial)
  const mandateIds = mandatesShortOfRoom(first, spend)
  if (mandateIds.length === 0) return first
  // As for a decision, overdue holds must not take up budget. Holds that are overdue only at the
  // instant of the trial stay.
  const { db } = parts
  const found = await listOverdueHoldsBelow(db, spend.organizationId, mandateIds, now, 1)
  if (found.length === 0) return first
  await parts.sweepLine(spend.organizationId, mandateIds, now)
  return (await judge(parts, spend, trial)).preview
}

function judge(parts: PreviewParts, spend: Spend, trial: Trial): Promise<Judged> {
  const preview = readTrial(parts.policyCache, spend, trial)
  const submission = { spend, reason: null, metadata: null, idempotency: null, receivedAt: 0 }
  return transactionFor(parts.db, spend.organizationId, async (tx) => {
    const reads = await readBatch(tx, { ...parts, preview }, spend.organizationId, [submission])
    const spender = reads.spender(spend.agentId)
    if (!spender || spender.isDeleted) throw agentNotFound(spend.agentId)
    const account = collectWrites(reads, nowhere).account(spend)
    const { now } = reads
    const at = trial.at ?? now
    let decision = decide(spend, account, at)
    if (decision.unread.length > 0) {
      await reads.readFurther(decision.unread)
      decision = decide(spend, account, at)
    }
    return { preview: { ...withoutNoMandate(decision), warnings: preview.warnings() }, now }
  })
}

/** A preview opens no approval request, so there is no URL. */
function nowhere(): null {
  return null
}

/** The mandate of a trial may not exist. Then the answer names none. */
function withoutNoMandate(decision: Decision): Decision {
  if (decision.mandateId !== NO_MANDATE_ID) return decision
  const none = { mandateVersion: null, policyHash: null }
  return {
    ...decision,
    ...none,
    mandateId: null,
    details: { ...decision.details, ...none },
  }
}
