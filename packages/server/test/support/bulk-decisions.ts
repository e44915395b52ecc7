import { type DecisionRow, storeDecisions } from '../../src/storage/decisions/store-decisions.ts'
import { countEvaluations } from '../../src/storage/decisions/store-usage.ts'
import type { Database } from '../../src/storage/engine/database.ts'
import { newId } from '../../src/storage/new-id.ts'
import { storeTransactionEvents } from '../../src/storage/webhooks/events.ts'
import { queueEvents } from '../../src/storage/webhooks/queue-events.ts'

/**
 * Stores rejections with their events in one transaction, as the gateway would. It is for tests
 * that need more events than they have time to request.
 */
export async function storeRejections(
  db: Database,
  organizationId: string,
  agentId: string,
  count: number,
): Promise<void> {
  const now = Date.now()
  const rows = Array.from({ length: count }, () => aRejection(agentId))
  await db.transaction(async (tx) => {
    tx.send(storeDecisions(organizationId, now, rows, []))
    tx.send(countEvaluations(organizationId, now, count))
    tx.send(storeTransactionEvents(organizationId, now, rows))
    tx.send(queueEvents(organizationId, now, rows))
  })
}

const MESSAGE = 'The agent has no active mandate.'

function aRejection(agentId: string): DecisionRow {
  return {
    id: newId(Date.now()),
    agentId,
    mandateId: null,
    mandateVersion: null,
    path: 'evaluate',
    decision: 'rejected',
    status: 'rejected',
    code: 'no_active_mandate',
    amount: 10_000n,
    currency: null,
    vendor: 'api.example.com',
    category: 'llm',
    reference: null,
    reason: null,
    metadata: null,
    remainingBudget: 0n,
    flaggedBy: [],
    details: JSON.stringify(detailsOf(new Date())),
    heldAmount: 0n,
    settledAmount: 0n,
    expiresAt: null,
    countedIn: null,
    noted: null,
    inputs: null,
    requestedBy: null,
  }
}

/** Every field that the API promises, because pages of the console show these rows. */
function detailsOf(at: Date) {
  return {
    ...{ code: 'no_active_mandate', message: MESSAGE, path: 'evaluate' },
    ...{ mandateVersion: null, policyHash: null, budget: null, approval: null },
    ...{ evaluatedAt: at.toISOString(), durationMs: 1 },
    ...{ firstFailure: null, failed: [], rules: [] },
    next: { maxAmountNow: null, maxAmountWithApproval: null, retryAfter: null },
  }
}
