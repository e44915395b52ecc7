import type { Decision } from '../../../src/core/decision/decide.ts'
import type { RecordedDecision } from '../../../src/core/replay/recorded-decision.ts'
import type { Instant } from '../../../src/core/time/instant.ts'
import { mandateId } from '../desk.ts'

/** The record of a decision whose amount was settled at once. */
export function recordedAt(
  at: Instant,
  { spend, decision, status, code }: Pick<Decision, 'spend' | 'decision' | 'status' | 'code'>,
  further: Partial<RecordedDecision> = {},
): RecordedDecision {
  return {
    id: spend.transactionId,
    agentId: spend.agentId,
    mandateId: mandateId(0),
    path: spend.path,
    decision,
    status,
    code,
    amount: spend.amount,
    isIncrement: false,
    currency: 'USD',
    vendor: spend.vendor,
    category: spend.category,
    reference: spend.reference,
    heldAmount: 0n,
    settledAmount: spend.amount,
    refundedAmount: 0n,
    laterParts: null,
    createdAt: at,
    isHold: false,
    inputs: null,
    isPruned: false,
    steps: null,
    firstFailure: null,
    ...further,
  }
}
