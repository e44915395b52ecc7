import { logEvent } from '../base/log/log-event.ts'
import type { Log } from '../base/log.ts'
import { toPublicId } from '../core/id.ts'
import { toUnits } from '../core/money.ts'
import type { Gateway } from './gateway.ts'
import type { Decided, Submission } from './submission.ts'

/**
 * Wraps the gateway so that it also writes a log line for each decision. A line costs more than
 * judging a spend, so this wrapper is used only if the operator turns it on.
 */
export function tellDecisions(gateway: Gateway, log: Log): Gateway {
  async function told(
    submission: Pick<Submission, 'spend' | 'receivedAt'>,
    answer: Promise<Decided>,
  ) {
    const decided = await answer
    const { agentId, code, currency } = decided
    const ms = Math.round((performance.now() - submission.receivedAt) * 100) / 100
    const fields = {
      agentId,
      decision: decided.decision,
      code,
      amount: toUnits(decided.amount),
      currency,
      vendor: decided.vendor,
      path: submission.spend.path,
      ms,
      transactionId: toPublicId('txn', decided.id),
      ...(decided.isReplay && { isReplay: true }),
    }
    const isApproved = decided.decision === 'approved'
    logEvent(log, isApproved ? 'decision.approved' : 'decision.rejected', fields)
    return decided
  }

  return {
    ...gateway,
    decide: (submission) => told(submission, gateway.decide(submission)),
    record: (submission) => told(submission, gateway.record(submission)),
  }
}
